internal import Modeling
internal import Queries
internal import SwiftParsing

// Calls of Swift as calls of Lua: predicates, sort descriptors, objects, contexts.
extension ScriptReader {
  mutating func call(_ callee: SwiftSyntax, _ arguments: [SwiftArgument], _ syntax: SwiftSyntax) -> String? {
    switch callee.kind {
    case .name(let name): return call(named: name, arguments, syntax)
    case .member(let base?, let method): return call(method, of: base, arguments)
    default: return nil
    }
  }

  private mutating func call(named name: String, _ arguments: [SwiftArgument], _ syntax: SwiftSyntax) -> String? {
    if let predicate = predicateText(syntax, isWanted: false) { return predicate }
    switch name {
    case "SortDescriptor", "NSSortDescriptor": return sortDescriptors([syntax], entity: nil)?.first
    case "Date", "UUID":
      if arguments.isEmpty { return "\(name)()" }
      guard case .date(let date)? = SourceConstants().value(of: syntax) else { return nil }
      return "Date(\(date.seconds))"
    case "String", "Int", "Double", "print", "Float":
      guard let texts = positional(arguments) else { return nil }
      return "\(name == "Float" ? "Double" : name)(\(texts.joined(separator: ", ")))"
    case "Binding", "Task": return nil
    default: break
    }
    if names[name]?.kind == .constructor || isObservableConstructor(name) {
      return fields(arguments).map { "\(known(name) ?? name) \($0)" }
    }
    if isEntity(name) { return object(name, arguments) }
    guard let lua = known(name), name.first?.isLowercase == true || locals[name] != nil,
      let texts = positional(arguments)
    else { return nil }
    return "\(lua)(\(texts.joined(separator: ", ")))"
  }

  private func isObservableConstructor(_ name: String) -> Bool {
    structures[name] == nil && names[name]?.kind == .constructor
  }

  /// Whether a name is that of an entity, or can only be one: the model may not be known.
  private func isEntity(_ name: String) -> Bool {
    if let model = scope.model { return model.entity(named: name) != nil }
    return name.first?.isUppercase == true && structures[name] == nil
  }

  /// `Item(context: viewContext)`, `Item(timestamp: Date())`
  private mutating func object(_ name: String, _ arguments: [SwiftArgument]) -> String? {
    let own = arguments.filter { $0.label != "context" && $0.label != "entity" && $0.label != "insertInto" }
    return fields(own).map { "\(name) \($0)" }
  }

  /// Arguments with labels as a table.
  private mutating func fields(_ arguments: [SwiftArgument]) -> String? {
    var texts: [String] = []
    for argument in arguments {
      guard let label = argument.label, LuaSource.isName(label), let text = lua(argument.value) else { return nil }
      texts.append("\(label) = \(text)")
    }
    return texts.isEmpty ? "{}" : "{ \(texts.joined(separator: ", ")) }"
  }

  /// The values of arguments in their order, without their labels.
  private mutating func positional(_ arguments: [SwiftArgument]) -> [String]? {
    var texts: [String] = []
    for argument in arguments {
      guard let text = lua(argument.value) else { return nil }
      texts.append(text)
    }
    return texts
  }

  // MARK: Methods

  private static let contexts: Set<String> = ["viewContext", "modelContext", "context", "managedObjectContext", "moc"]

  private mutating func call(_ method: String, of base: SwiftSyntax, _ arguments: [SwiftArgument]) -> String? {
    if isContext(base) {
      switch (method, arguments.count) {
      case ("save", 0): return "save()"
      case ("rollback", 0): return "rollback()"
      case ("undo", 0): return "undo()"
      case ("redo", 0): return "redo()"
      // An object is inserted when it is made.
      case ("insert", 1): return lua(arguments[0].value)
      case ("delete", 1): return lua(arguments[0].value).map { "\($0):delete()" }
      default: return nil
      }
    }
    switch (method, arguments.count) {
    case ("append", 1):
      guard let place = place(base), let text = lua(arguments[0].value) else { return nil }
      return "table.insert(\(place), \(text))"
    case ("addingTimeInterval", 1):
      guard let owner = lua(base), let seconds = lua(arguments[0].value) else { return nil }
      return "\(operand(owner, of: base)) + \(operand(seconds, of: arguments[0].value))"
    case ("hasPrefix", 1), ("lowercased", 0), ("uppercased", 0):
      guard let owner = lua(base) else { return nil }
      if method == "lowercased" { return "\(owner):lower()" }
      if method == "uppercased" { return "\(owner):upper()" }
      guard let text = lua(arguments[0].value) else { return nil }
      return "\(owner):sub(1, #\(text)) == \(text)"
    default: break
    }
    if case .name("self") = base.kind { return call(named: method, arguments, base) }
    return nil
  }

  private func isContext(_ syntax: SwiftSyntax) -> Bool {
    guard let path = syntax.memberPath, let last = path.last else { return false }
    return Self.contexts.contains(last) || last == "mainContext"
  }

  // MARK: Predicates

  /// The predicate that a value is where one is wanted.
  mutating func predicate(_ value: SwiftSyntax) -> String? {
    switch value.unwrapped.kind {
    case .ternary(let condition, let first, let second):
      return ternary(condition, predicate(first), predicate(second), first, second)
    default: return predicateText(value, isWanted: true) ?? lua(value)
    }
  }

  /// The predicate that a call makes; nil for anything else.
  mutating func predicateText(_ value: SwiftSyntax, isWanted: Bool) -> String? {
    switch value.unwrapped.kind {
    case .macro("Predicate", _, _): return source(value)
    case .call(let callee, _, let arguments):
      switch callee.kind {
      case .name("NSPredicate"): return format(arguments) ?? source(value)
      case .member(nil, "init") where isWanted: return format(arguments)
      case .name("NSCompoundPredicate"): return source(value)
      default: return nil
      }
    default: return nil
    }
  }

  /// `NSPredicate(format:)` and `NSPredicate(value:)`
  private mutating func format(_ arguments: [SwiftArgument]) -> String? {
    guard let first = arguments.first else { return nil }
    switch (first.label, first.value.unwrapped.kind) {
    case ("value", .literal(.bool(let flag))):
      return flag ? "Predicate \"TRUEPREDICATE\"" : "Predicate \"FALSEPREDICATE\""
    case ("format", .string(let string)) where string.interpolation == nil:
      guard !arguments.dropFirst().contains(where: { $0.label != nil }),
        let texts = positional(Array(arguments.dropFirst()))
      else { return nil }
      return texts.isEmpty
        ? "Predicate \(LuaSource.quoted(string.content))"
        : "Predicate(\(([LuaSource.quoted(string.content)] + texts).joined(separator: ", ")))"
    default: return nil
    }
  }

  /// A predicate as its own source, with the values of what it captures.
  private mutating func source(_ value: SwiftSyntax) -> String? {
    let text = "Predicate \(LuaSource.bracketed(slice(value.range)))"
    var captured: [String] = []
    for token in SwiftParserTokens.tokens(of: slice(value.range)) {
      if case .name(let name) = token.kind, !captured.contains(name),
        locals[name] != nil || observed[name] != nil || isState(name)
      {
        captured.append(name)
      }
    }
    var values: [String] = []
    for name in captured {
      guard LuaSource.isName(name), let value = lua(SwiftSyntax(kind: .name(name), range: value.range)) else {
        return nil
      }
      values.append("\(name) = \(value)")
    }
    return values.isEmpty ? text : "\(text):bind { \(values.joined(separator: ", ")) }"
  }

  // MARK: Sort descriptors

  /// The sort descriptors of an array, or of one.
  mutating func sortDescriptors(_ value: SwiftSyntax, of results: String) -> String? {
    let entity = entity(of: results)
    switch value.unwrapped.kind {
    case .array(let elements):
      return sortDescriptors(elements, entity: entity).map { $0.isEmpty ? "{}" : "{ \($0.joined(separator: ", ")) }" }
    case .ternary(let condition, let first, let second):
      return ternary(
        condition, sortDescriptors(first, of: results), sortDescriptors(second, of: results), first, second)
    default: return lua(value)
    }
  }

  /// Each sort descriptor as an expression; nil where one cannot be read.
  mutating func sortDescriptors(_ elements: [SwiftSyntax], entity: Entity?) -> [String]? {
    guard !elements.isEmpty else { return [] }
    var reader = SourceReader(text, model: scope.model, entity: entity, issues: SwiftIssues(text))
    let array = SwiftSyntax(kind: .array(elements), range: elements[0].range)
    let root = entity ?? elements.compactMap(rootEntity).first
    let found = reader.sortDescriptors(from: array, entity: root)
    guard reader.issues.found.isEmpty, found.count == elements.count else { return nil }
    return found.map(Self.lua)
  }

  private func entity(of results: String) -> Entity? {
    if case .results(let name)? = names[results]?.kind { return scope.model?.entity(named: name) }
    if case .results(let name)? = scope.kind(results) { return scope.model?.entity(named: name) }
    return nil
  }

  /// The entity that the key path of a sort descriptor begins with.
  private func rootEntity(_ syntax: SwiftSyntax) -> Entity? {
    guard case .call(_, _, let arguments) = syntax.unwrapped.kind else { return nil }
    for argument in arguments {
      if case .keyPath(let root?, _) = argument.value.kind { return scope.model?.entity(named: root.name) }
    }
    return nil
  }

  private static func lua(_ descriptor: SortDescriptor) -> String {
    let key = descriptor.expression.description
    guard descriptor.comparator != .binary else { return LuaSource.quoted((descriptor.isAscending ? "" : "-") + key) }
    let order = descriptor.isAscending ? "" : ", \"reverse\""
    return "SortDescriptor(\(LuaSource.quoted(key))\(order), { comparator = \"\(descriptor.comparator.rawValue)\" })"
  }
}
