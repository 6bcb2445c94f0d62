internal import Queries
internal import SwiftParsing

// What a view says of rows.
extension ScriptReader {
  /// Reads a view of rows; returns false for one without any.
  mutating func list(_ view: String, _ arguments: [SwiftArgument]) -> Bool {
    guard let first = arguments.first, first.label == nil, let (name, source) = rows(first.value) else { return false }
    let closure = arguments.last {
      if case .closure = $0.value.kind {
        $0.label == nil || $0.label == "content" || $0.label == "rowContent"
      } else {
        false
      }
    }
    guard case .closure(let body)? = closure?.value.kind else { return false }
    noteSortOrder(arguments)
    let element = body.parameters?.first?.name ?? "$0"
    let isUnknown = !isResults(name)
    if isUnknown, isInType || locals[name] != nil || isOther(name) {
      return loop(over: source, element, body)
    }
    if isUnknown, isTrial || acts(body, element) { return loop(over: source, element, body) }
    var rows = RowReading(results: name)
    if view == "Table" {
      readColumns(body.statements, &rows)
    } else {
      rows.paths[element] = ""
      rows.sections.insert(element)
      readRow(body.statements, &rows)
    }
    add(rows)
    return true
  }

  /// Whether a name of the session is neither results nor a request, which can be watched.
  private func isOther(_ name: String) -> Bool {
    switch scope.kind(name) {
    case nil, .results, .request: false
    default: true
    }
  }

  /// Whether the views of rows do something for each: mark it in a namespace.
  private func acts(_ body: ClosureSyntax, _ element: String) -> Bool {
    var other = self
    other.script.actions = []
    other.isTrial = true
    _ = other.loop(over: "", element, body)
    return !other.script.actions.isEmpty
  }

  private mutating func add(_ rows: RowReading) {
    let name = luaOfResults(rows.results)
    script.lists.append(SwiftScript.List(results: name, columns: rows.columns, isSectioned: rows.isSectioned))
    let columns = rows.columns.isEmpty ? nil : "{ \(rows.columns.map(Self.lua).joined(separator: ", ")) }"
    guard isResults(rows.results) else {
      noteUnknown(rows.results)
      return script.actions.append("watch(\(name)\(columns.map { ", { columns = \($0) }" } ?? ""))")
    }
    guard let columns else { return }
    let line = "\(name).columns = \(columns)"
    if script.requests.contains(where: { $0.name == name && !$0.variables.isEmpty }) {
      script.laterLines.append(line)
    } else {
      script.completions.append(line)
    }
  }

  /// A column as Lua has it.
  static func lua(_ column: SwiftScript.Column) -> String {
    let path = LuaSource.quoted(column.path)
    if column.title == nil, column.format == nil { return path }
    let title = column.title.map { ", title = \(LuaSource.quoted($0))" } ?? ""
    let format = column.format.map { ", format = \(LuaSource.quoted($0))" } ?? ""
    return "{ \(path)\(title)\(format) }"
  }

  /// The results that a view takes its rows from, by name, and as an expression.
  private mutating func rows(_ value: SwiftSyntax) -> (name: String, source: String)? {
    guard let name = value.root, case .name = value.unwrapped.kind, let source = lua(value) else { return nil }
    return (name, source)
  }

  private mutating func noteSortOrder(_ arguments: [SwiftArgument]) {
    guard let order = arguments.first(where: { $0.label == "sortOrder" })?.value, order.mentionsProjection,
      let lua = lua(order)
    else { return }
    script.bindings.append(SwiftScript.Binding(view: "Table's sort order", lua: lua))
  }

  /// Rows of something that is not known here: what their views do is done for each.
  private mutating func loop(over source: String, _ element: String, _ body: ClosureSyntax) -> Bool {
    let outer = (locals, script.actions)
    let name = LuaSource.isName(element) ? element : "item"
    locals[element] = name
    script.actions = []
    views(body.statements)
    let lines = script.actions
    (locals, script.actions) = outer
    if lines.isEmpty {
      if scope.kind(source) == nil { leaveOut("ForEach(\(source))") }
    } else {
      script.actions += ["for _, \(name) in ipairs(\(source)) do"] + LuaSource.indented(lines) + ["end"]
    }
    return true
  }

  // MARK: Rows

  /// Reads the views that make a row.
  private mutating func readRow(_ statements: [SwiftStatement], _ rows: inout RowReading) {
    for statement in statements {
      switch statement.kind {
      case .value(let value), .returned(let value): readRow(value, &rows)
      case .declaration(let declaration):
        if let path = declaration.value.flatMap({ rows.path(of: $0) }) { rows.paths[declaration.name] = path }
      default: break
      }
    }
  }

  private mutating func readRow(_ syntax: SwiftSyntax, _ rows: inout RowReading) {
    switch syntax.unwrapped.kind {
    case .conditional(let conditional):
      for case .binding(let name, let value) in conditional.conditions {
        if let path = rows.path(of: value) { rows.paths[name] = path }
      }
      readRow(conditional.then.statements, &rows)
      readRow(conditional.otherwise?.statements ?? [], &rows)
    case .member(let base?, _): readRow(base, &rows)
    case .call(let callee, _, let arguments):
      switch callee.kind {
      case .member(let base?, let name):
        readRow(base, &rows)
        leaveOut("." + name)
      case .name(let name): readRow(name, arguments, &rows)
      default: break
      }
    default: break
    }
  }

  private mutating func readRow(_ name: String, _ arguments: [SwiftArgument], _ rows: inout RowReading) {
    switch name {
    case "Text", "Label": readText(arguments, &rows)
    case "LabeledContent":
      let title = arguments.first.flatMap { plainText($0.value) }
      guard let value = arguments.first(where: { $0.label == "value" }), let path = rows.path(of: value.value) else {
        return readClosures(arguments, &rows)
      }
      rows.add(SwiftScript.Column(path: path, title: title, format: format(arguments)))
    case "Section":
      rows.isSectioned = rows.isSectioned || arguments.contains { rows.mentionsSection($0.value) }
      for argument in arguments where !argument.isContent && !rows.isSectionID(argument.value) {
        leaveOut("Section's \(argument.label ?? "title")")
      }
      readClosures(arguments.filter(\.isContent), &rows)
    case "ForEach", "List":
      guard let first = arguments.first?.value.root, rows.sections.contains(first),
        case .closure(let body)? = arguments.last?.value.kind
      else { return readClosures(arguments, &rows) }
      rows.isSectioned = true
      let element = body.parameters?.first?.name ?? "$0"
      rows.paths[element] = ""
      readRow(body.statements, &rows)
    case "NavigationLink":
      // Its destination is no part of the row.
      leaveOut(name)
      let label = arguments.filter { $0.label == "label" }
      let trailing = arguments.filter { $0.label == nil }
      readClosures(label.isEmpty ? trailing : label, &rows)
      if label.isEmpty, let text = arguments.first { readText([text], &rows) }
    default:
      if let structure = structures[name] { return readStructure(structure, arguments, &rows) }
      leaveOut(name)
      readClosures(arguments, &rows)
    }
  }

  private mutating func readClosures(_ arguments: [SwiftArgument], _ rows: inout RowReading) {
    for argument in arguments {
      if case .closure(let closure) = argument.value.kind { readRow(closure.statements, &rows) }
    }
  }

  /// A row's own view: its property is the row.
  private mutating func readStructure(
    _ structure: SwiftTypeDeclaration, _ arguments: [SwiftArgument], _ rows: inout RowReading
  ) {
    structureCount += 1
    guard !openStructures.contains(structure.name), structureCount <= Self.mostStructures else { return }
    openStructures.append(structure.name)
    rowStructures.insert(structure.name)
    defer { openStructures.removeLast() }
    let outer = rows.paths
    for argument in arguments {
      if let label = argument.label, let path = rows.path(of: argument.value) { rows.paths[label] = path }
    }
    for case .declaration(let declaration) in structure.statements.map(\.kind) where declaration.name == "body" {
      readRow(declaration.body, &rows)
    }
    rows.paths = outer
  }

  /// `Text(quake.time, style: .time)`, `Text("Item at \(timestamp, format: .dateTime)")`
  private mutating func readText(_ arguments: [SwiftArgument], _ rows: inout RowReading) {
    guard let first = arguments.first?.value else { return }
    if let path = rows.path(of: first), !path.isEmpty {
      return rows.add(SwiftScript.Column(path: path, title: nil, format: format(arguments)))
    }
    guard case .string = first.unwrapped.kind,
      let pieces = SwiftTemplate(slice(first.unwrapped.range), at: first.unwrapped.range.lowerBound)?.pieces
    else { return }
    let values = pieces.compactMap { piece -> (path: String, format: String?)? in
      guard case .value(let arguments) = piece, let value = arguments.first?.value, let path = rows.path(of: value),
        !path.isEmpty
      else { return nil }
      return (path, format(arguments))
    }
    if values.count == 1 {
      var text = ""
      for piece in pieces {
        switch piece {
        case .text(let own): text += own
        case .value: if !text.contains("{") { text += "{\(values[0].format ?? "")}" }
        }
      }
      let format = text == "{\(values[0].format ?? "")}" ? values[0].format : text
      return rows.add(SwiftScript.Column(path: values[0].path, title: nil, format: format))
    }
    for value in values { rows.add(SwiftScript.Column(path: value.path, title: nil, format: value.format)) }
  }

  /// The format among the arguments of a text: `style: .time`, `format: .dateTime`.
  private mutating func format(_ arguments: [SwiftArgument]) -> String? {
    for argument in arguments where ["style", "format", "formatter"].contains(argument.label ?? "") {
      let words = argument.value.formatWords
      if let name = words.last(where: { ["time", "date", "relative", "offset", "timer", "percent"].contains($0) }) {
        return name == "offset" || name == "timer" ? "relative" : name
      }
      if words.first == "dateTime" {
        let clock: Set<String> = ["hour", "minute", "second"]
        let calendar: Set<String> = ["year", "month", "day", "weekday"]
        let isTime = words.contains(where: clock.contains)
        let isDate = words.contains(where: calendar.contains)
        return isTime && !isDate ? "time" : isDate && !isTime ? "date" : "dateTime"
      }
      if words.first == "number" {
        if let digits = argument.value.fractionLength { return "%.\(digits)f" }
        return nil
      }
      leaveOut("format: \(line(argument.value.range))")
    }
    return nil
  }

  // MARK: Tables

  /// Reads the columns of a table.
  private mutating func readColumns(_ statements: [SwiftStatement], _ rows: inout RowReading) {
    for statement in statements {
      guard case .value(let value) = statement.kind else { continue }
      var call = value
      while case .call(let callee, _, _) = call.kind, case .member(let base?, let name) = callee.kind {
        leaveOut("." + name)
        call = base
      }
      guard case .call(let callee, _, let arguments) = call.kind, case .name("TableColumn") = callee.kind else {
        leaveOut(line(value.range))
        continue
      }
      readColumn(arguments, &rows)
    }
  }

  private mutating func readColumn(_ arguments: [SwiftArgument], _ rows: inout RowReading) {
    let title = arguments.first { $0.label == nil }.flatMap { plainText($0.value) }
    var path: String?
    if case .keyPath(_, let components)? = arguments.first(where: { $0.label == "value" })?.value.kind {
      path = components.joined(separator: ".")
    }
    var shown: [SwiftScript.Column] = []
    if case .closure(let closure)? = arguments.last?.value.kind {
      var inner = RowReading(results: rows.results)
      inner.paths[closure.parameters?.first?.name ?? "$0"] = ""
      readRow(closure.statements, &inner)
      shown = inner.columns
    }
    // A column that is sorted by one property and shows others is each of them.
    guard shown.count > 1 else {
      guard let found = shown.first?.path ?? path else {
        return leaveOut("TableColumn \(title.map { "\"\($0)\"" } ?? "")")
      }
      return rows.add(SwiftScript.Column(path: found, title: title, format: shown.first?.format))
    }
    for (number, column) in shown.enumerated() {
      rows.add(SwiftScript.Column(path: column.path, title: number == 0 ? title : nil, format: column.format))
    }
  }
}

extension SwiftArgument {
  /// Whether it is the closure with a view's content.
  fileprivate var isContent: Bool {
    if case .closure = value.kind { label == nil || label == "content" } else { false }
  }
}

extension SwiftSyntax {
  /// The names of a format and its parts: `.dateTime.hour().minute()`.
  fileprivate var formatWords: [String] {
    switch unwrapped.kind {
    case .member(let base, let name): (base?.formatWords ?? []) + [name]
    case .call(let callee, _, _): callee.formatWords
    case .name(let name): [name]
    default: []
    }
  }

  /// The digits of `.number.precision(.fractionLength(1))`.
  fileprivate var fractionLength: Int? {
    guard case .call(let callee, _, let arguments) = unwrapped.kind else { return nil }
    if case .member(_, "fractionLength") = callee.kind, case .literal(.int(let digits))? = arguments.first?.value.kind,
      (0...20).contains(digits)
    {
      return Int(digits)
    }
    return arguments.firstResult(\.value.fractionLength)
  }
}
