internal import Queries
internal import SwiftParsing

// What declarations and statements of a text become.
extension ScriptReader {
  /// Reads the statements of a text or a type.
  mutating func read(_ statements: [SwiftStatement]) {
    for statement in statements {
      switch statement.kind {
      case .declaration(let declaration): read(declaration)
      case .type(let type): read(type)
      case .scope(let name, _, let inner): readFunction(name, inner, statement.range)
      case .value(let value), .returned(let value): readInput(value)
      case .assignment(let target, _):
        if isRequestOwner(target) { continue }
        act(statement)
      case .other(let word): if word != "import" { leaveOut(word) }
      case .enumerationCase: break
      }
    }
  }

  /// `_items = FetchRequest(...)` and `request.fetchLimit = 10` are read with their requests.
  private func isRequestOwner(_ target: SwiftSyntax) -> Bool {
    guard let root = target.root else { return false }
    return root.hasPrefix("_")
      || script.source != nil && !target.mentionsProjection && !isResults(root)
        && names[root] == nil && scope.kind(root) == nil
  }

  // MARK: Types

  private mutating func read(_ type: SwiftTypeDeclaration) {
    if names[type.name]?.kind == .constructor { return readObservable(type) }
    if rowStructures.contains(type.name) { return }
    let outer = isInType
    isInType = true
    read(type.statements)
    isInType = outer
  }

  /// A class that is observed becomes a function that makes such objects.
  private mutating func readObservable(_ type: SwiftTypeDeclaration) {
    let name = names[type.name]?.lua ?? type.name
    var defaults: [String] = []
    var sample: [String] = []
    for statement in type.statements {
      guard case .declaration(let property) = statement.kind, !property.isComputed, !property.isStatic else { continue }
      defaults.append("\(field(property.name)) = \(property.value.flatMap { lua($0) } ?? "null")")
      sample.append("\(field(property.name)) = …")
    }
    script.declarations += [
      "function \(name)(values)", "  local object = { \(defaults.joined(separator: ", ")) }",
      "  for name, value in pairs(values or {}) do object[name] = value end", "  return Observable(object)", "end",
    ]
    script.declared.append("\(name) { \(sample.joined(separator: ", ")) } makes an Observable")
  }

  private func field(_ name: String) -> String { LuaSource.isName(name) ? name : "[\(LuaSource.quoted(name))]" }

  // MARK: Properties

  private mutating func read(_ declaration: SwiftDeclaration) {
    let name = names[declaration.name]?.lua ?? ""
    switch declaration.wrapper {
    case "FetchRequest", "SectionedFetchRequest", "Query": break
    case "Namespace": declare("\(name) = Namespace()")
    case "State", "StateObject":
      let value = declaration.value.map { lua($0) ?? "nil" } ?? "nil"
      if case .observable? = names[declaration.name]?.kind { return declare("\(name) = \(value)") }
      declare("\(name) = State(\(value))")
    case "AppStorage", "SceneStorage":
      let key = declaration.wrapperArguments.first.flatMap { lua($0.value) } ?? LuaSource.quoted(declaration.name)
      let value = declaration.value.flatMap { lua($0) }
      declare("\(name) = \(declaration.wrapper)(\(key)\(value.map { ", " + $0 } ?? ""))")
    case "Environment": readEnvironment(declaration)
    case "Bindable", "ObservedObject", "EnvironmentObject":
      guard let value = declaration.value else { return noteGiven(declaration) }
      // `@Bindable var people = people`
      if let text = lua(value), text != name { declare("\(name) = \(text)") }
    case "Binding": noteGiven(declaration)
    case "", "Published": readPlain(declaration)
    default: leaveOut("@" + declaration.wrapper)
    }
  }

  private mutating func declare(_ line: String) {
    script.declarations.append(line)
    if !script.declared.contains(line) { script.declared.append(line) }
  }

  /// A property that the view around is given.
  private mutating func noteGiven(_ declaration: SwiftDeclaration) {
    guard scope.kind(declaration.name) == nil,
      !script.declarations.contains(where: { $0.hasPrefix(declaration.name + " =") })
    else { return }
    let type = declaration.type.map { $0.name } ?? "a value"
    let form = declaration.wrapper == "Binding" ? "a binding to \(type)" : type
    script.declared.append("\(declaration.name) is given: \(form)")
  }

  /// `@Environment(\.modelContext) private var context`
  private mutating func readEnvironment(_ declaration: SwiftDeclaration) {
    let argument = declaration.wrapperArguments.first?.value
    guard case .keyPath(_, let components)? = argument?.kind, let key = components.last else {
      return leaveOut("@Environment \(declaration.name)")
    }
    names[declaration.name] = DeclaredName(lua: luaName(declaration.name), kind: .constant)
    guard ["managedObjectContext", "modelContext"].contains(key) else {
      return leaveOut("@Environment(\\.\(key))")
    }
    let name = names[declaration.name]?.lua ?? declaration.name
    declare("\(name) = Environment.managedObjectContext")
  }

  /// A constant, a computed view, or a property without a value.
  private mutating func readPlain(_ declaration: SwiftDeclaration) {
    if declaration.isComputed {
      if declaration.type?.name == "View" || declaration.name == "body" { return views(declaration.body) }
      return
    }
    guard let value = declaration.value else { return }
    if isRequestValue(value) {
      // A formatter, for example, is made like a request: by a closure that is called at once.
      if !mentionsRequest(value) { leaveOut(declaration.name) }
      return
    }
    // A constant of a predicate is read with it.
    if script.source != nil, !isInType { return }
    guard let text = lua(value) else { return leaveOut(line(value.range)) }
    let name = luaName(declaration.name)
    names[declaration.name] = DeclaredName(lua: name, kind: .constant)
    declare("\(name) = \(text)")
  }

  private func mentionsRequest(_ value: SwiftSyntax) -> Bool {
    SwiftParserTokens.tokens(of: slice(value.range)).contains { token in
      switch token.kind {
      case .name(let name): ["Request", "Descriptor", "Predicate", "fetchRequest"].contains { name.hasSuffix($0) }
      case .pound: true
      default: false
      }
    }
  }

  func isRequestValue(_ value: SwiftSyntax) -> Bool {
    switch value.unwrapped.kind {
    case .macro: true
    case .call(let callee, _, _):
      switch callee.kind {
      case .name(let name): name.hasSuffix("Predicate") || name.hasSuffix("Request") || name == "FetchDescriptor"
      case .closure: true
      case .member(_, "fetchRequest"): true
      default: false
      }
    default: false
    }
  }

  // MARK: Functions

  /// A function becomes one of Lua; an initialiser gives requests their predicates, which their reader reads.
  private mutating func readFunction(_ name: String, _ statements: [SwiftStatement], _ range: Range<Int>) {
    guard name != "init", !statements.isEmpty else { return }
    let source = slice(range)
    // A function that returns a predicate or a request.
    if script.source != nil, !statements.contains(where: \.acts) { return }
    let parameters = SourceParameters(source).names[name] ?? []
    function(
      named: name, parameters, place: "func \(name)", statements, notingFailure: true)
  }

  /// Adds a function of Lua that does the same as statements; returns its name, or nil if Lua cannot express them.
  @discardableResult
  mutating func function(
    named proposal: String, _ parameters: [String], place: String, _ statements: [SwiftStatement],
    standingFor others: [String: String] = [:], notingFailure: Bool = true
  ) -> String? {
    let (outerLocals, outerObserved, outerChanges) = (locals, observed, changes)
    defer { (locals, observed, changes) = (outerLocals, outerObserved, outerChanges) }
    changes = []
    let own = parameters.map {
      LuaSource.isName($0) ? $0 : "_" + $0.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
    for (swift, lua) in zip(parameters, own) { locals[swift] = lua }
    observed = others
    guard let lines = lines(statements) else {
      if notingFailure { leaveOut(place) }
      return nil
    }
    let name = functionName(proposal)
    script.functions.append(
      SwiftScript.Function(name: name, parameters: own, place: place, changes: changes))
    script.completions +=
      ["function \(name)(\(own.joined(separator: ", ")))"] + LuaSource.indented(lines) + ["end"]
    return name
  }

  /// A name for a function that nothing has.
  private mutating func functionName(_ proposal: String) -> String {
    let name = luaName(proposal, suffix: "Action")
    var number = functionNumbers[name, default: 0] + 1
    func text(_ number: Int) -> String { number == 1 ? name : name + String(number) }
    while functionNames.contains(text(number)) || names.values.contains(where: { $0.lua == text(number) }) {
      number += 1
    }
    functionNumbers[name] = number
    functionNames.insert(text(number))
    return text(number)
  }

  // MARK: Inputs

  /// A value that stands by itself: a view, or something that acts.
  private mutating func readInput(_ value: SwiftSyntax) {
    if isViewValue(value) { return view(value) }
    switch value.unwrapped.kind {
    case .macro, .unreadable, .literal, .string, .keyPath, .name: return
    default: break
    }
    if isRequestValue(value) { return }
    act(SwiftStatement(kind: .value(value), range: value.range))
  }

  /// Adds a statement to those that are shown.
  private mutating func act(_ statement: SwiftStatement) {
    guard !isInType else { return }
    if let lines = lines([statement]) {
      script.actions += lines
    } else {
      leaveOut(line(statement.range.lowerBound..<min(statement.range.upperBound, statement.range.lowerBound + 60)))
    }
  }
}

extension SwiftStatement {
  /// Whether it changes something, rather than declaring or returning a value.
  fileprivate var acts: Bool {
    switch kind {
    case .assignment: true
    case .value(let value):
      if case .call(let callee, _, _) = value.unwrapped.kind {
        switch callee.kind {
        case .name(let name): name.first?.isLowercase == true
        case .member(.some, _): true
        default: false
        }
      } else {
        false
      }
    default: false
    }
  }
}
