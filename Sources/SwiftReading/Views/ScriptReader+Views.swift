internal import Queries
internal import SwiftParsing

// What views and their modifiers do.
extension ScriptReader {
  /// Whether a value is a view with its modifiers, or a modifier by itself.
  func isViewValue(_ value: SwiftSyntax) -> Bool {
    switch value.unwrapped.kind {
    case .call(let callee, _, _):
      switch callee.kind {
      case .name(let name):
        // An object of an entity is made, not shown.
        return name.first?.isUppercase == true && scope.model?.entity(named: name) == nil
          && names[name]?.kind != .constructor && !isValueType(name)
      case .member(nil, let name): return name != "init"
      case .member(let base?, _): return isViewValue(base)
      default: return false
      }
    case .member(let base?, _): return isViewValue(base)
    case .conditional(let conditional):
      let branches = conditional.then.statements + (conditional.otherwise?.statements ?? [])
      return !branches.isEmpty
        && branches.allSatisfy { statement in
          if case .value(let value) = statement.kind { isViewValue(value) } else { false }
        }
    default: return false
    }
  }

  private func isValueType(_ name: String) -> Bool {
    ["Date", "UUID", "URL", "String", "Int", "Double", "Decimal", "Data", "Set", "Array", "Task"].contains(name)
  }

  /// Reads the statements of a view's body.
  mutating func views(_ statements: [SwiftStatement]) {
    for statement in statements {
      switch statement.kind {
      case .value(let value), .returned(let value): view(value)
      case .declaration(let declaration): collectLocal(declaration)
      default: break
      }
    }
  }

  /// `@Bindable var people = people` within a body.
  private mutating func collectLocal(_ declaration: SwiftDeclaration) {
    if declaration.wrapper == "Bindable", names[declaration.name] == nil {
      names[declaration.name] = DeclaredName(lua: declaration.name, kind: .observable)
    }
  }

  /// Reads a view with its modifiers, innermost first.
  mutating func view(_ syntax: SwiftSyntax) {
    switch syntax.unwrapped.kind {
    case .call(let callee, _, let arguments):
      switch callee.kind {
      case .member(let base, let name):
        if let base { view(base) }
        modifier(name, arguments, on: base)
      case .name(let name):
        if name.first?.isUppercase == true {
          element(name, arguments)
        } else {
          closures(arguments)
        }
      default: break
      }
    case .member(let base?, _): view(base)
    case .conditional(let conditional):
      leaveOut("if")
      views(conditional.then.statements)
      views(conditional.otherwise?.statements ?? [])
    default: break
    }
  }

  /// Reads the views in the closures of a call.
  private mutating func closures(_ arguments: [SwiftArgument]) {
    for argument in arguments {
      if case .closure(let closure) = argument.value.kind {
        let outer = locals
        for parameter in closure.parameters ?? [] { locals[parameter.name] = parameter.name }
        views(closure.statements)
        locals = outer
      }
    }
  }

  // MARK: Views

  private static let bindingLabels: Set<String> = ["text", "value", "isOn", "selection", "isPresented", "item"]

  private mutating func element(_ name: String, _ arguments: [SwiftArgument]) {
    switch name {
    case "Button": return button(arguments)
    case "List", "ForEach", "Table", "OutlineGroup":
      if list(name, arguments) { return }
    default: break
    }
    let hasBinding = bindings(of: name, arguments)
    if structures[name] == nil, !hasBinding, name != "List" { leaveOut(name) }
    closures(arguments)
  }

  /// Notes the bindings that a view takes: `TextField("Filter", text: $query)`.
  @discardableResult
  private mutating func bindings(of view: String, _ arguments: [SwiftArgument]) -> Bool {
    var isFound = false
    let title = arguments.first { $0.label == nil }.flatMap { plainText($0.value) }
    for argument in arguments {
      guard let label = argument.label, Self.bindingLabels.contains(label) || label == "sortOrder",
        argument.value.mentionsProjection, let lua = lua(argument.value)
      else { continue }
      isFound = true
      let name = title.map { "\(view) \"\($0)\"" } ?? view
      let binding = SwiftScript.Binding(view: name, lua: lua)
      if !script.bindings.contains(binding) { script.bindings.append(binding) }
    }
    return isFound
  }

  /// A string without interpolations, also within `Text` or `Label`.
  func plainText(_ syntax: SwiftSyntax) -> String? {
    switch syntax.unwrapped.kind {
    case .string(let string): return string.interpolation == nil ? string.content : nil
    case .call(let callee, _, let arguments):
      if case .member(let base?, _) = callee.kind { return plainText(base) }
      guard case .name(let name) = callee.kind, ["Text", "Label"].contains(name) else { return nil }
      return arguments.first.flatMap { plainText($0.value) }
    case .closure(let closure):
      for statement in closure.statements {
        if case .value(let value) = statement.kind, let text = plainText(value) { return text }
      }
      return nil
    default: return nil
    }
  }

  private mutating func button(_ arguments: [SwiftArgument]) {
    let labelled = arguments.first { $0.label == "action" }?.value
    let closures = arguments.filter { if case .closure = $0.value.kind { true } else { false } }
    let trailing = closures.first { $0.label == nil }?.value
    let title = arguments.first { $0.label == nil }.flatMap { plainText($0.value) }
    let label = closures.first { $0.label == "label" }?.value ?? (labelled == nil ? nil : trailing)
    let shown = title ?? label.flatMap(plainText)
    let place = shown.map { "Button \"\($0)\"" } ?? "Button"
    let action = labelled ?? trailing
    switch action?.kind {
    case .closure(let closure)? where !closure.statements.isEmpty:
      function(named: Self.functionName(shown ?? "button"), [], place: place, closure.statements)
    // A function of the source has its own name.
    case .name(let name)? where SourceParameters(text).names[name] != nil: break
    default: leaveOut(place)
    }
  }

  /// `Add Item` as `addItem`.
  static func functionName(_ title: String) -> String {
    let words = title.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    guard let first = words.first else { return "button" }
    let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
    let name = first.prefix(1).lowercased() + first.dropFirst() + rest.joined()
    return name.first?.isNumber == true ? "button" + name : String(name)
  }

  // MARK: Modifiers

  private mutating func modifier(_ name: String, _ arguments: [SwiftArgument], on base: SwiftSyntax?) {
    switch name {
    case "onChange": onChange(arguments)
    case "onAppear", "onDisappear", "task", "refreshable", "onSubmit", "onTapGesture", "onReceive":
      guard case .closure(let closure)? = arguments.last?.value.kind, !closure.statements.isEmpty else {
        return leaveOut("." + name)
      }
      function(
        named: name, closure.parameters?.map(\.name) ?? [], place: "." + name, closure.statements)
    case "matchedGeometryEffect", "accessibilityRotorEntry", "accessibilityLinkedGroup", "prefersDefaultFocus",
      "focusScope", "matchedTransitionSource", "navigationTransition":
      tag(name, arguments, on: base)
    case "environment": environment(arguments, on: base)
    case "searchable": if !bindings(of: ".searchable", arguments) { leaveOut(".searchable") }
    default:
      bindings(of: "." + name, arguments)
      leaveOut("." + name)
      closures(arguments)
    }
  }

  /// `.onChange(of: query) { value in ... }`
  private mutating func onChange(_ arguments: [SwiftArgument]) {
    guard let observed = arguments.first(where: { $0.label == "of" })?.value,
      case .closure(let closure)? = arguments.last?.value.kind
    else { return leaveOut(".onChange") }
    let path = observed.memberPath?.filter { $0 != "self" } ?? []
    let place = ".onChange(of: \(line(observed.range)))"
    let given = closure.parameters?.map(\.name) ?? []
    // Swift gives the old value first where there are two; Lua gives the new one first.
    let new = given.last.flatMap { $0 == "_" ? nil : $0 } ?? "value"
    var parameters = [new]
    if given.count == 2, given[0] != "_" { parameters.append(given[0]) }
    // Within the closure the observed value is the new one.
    var others: [String: String] = [:]
    if path.count == 1 { others[path[0]] = new }
    let words = path.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    guard
      let name = function(
        named: "onChange" + words, parameters, place: place, closure.statements, standingFor: others)
    else { return }
    guard path.count == 1, isState(path[0]), let state = known(path[0]) else { return }
    script.completions.append("\(state):onChange(\(name))")
    if let last = script.functions.indices.last { script.functions[last].isObserver = true }
  }

  /// `.environment(\.managedObjectContext, container.viewContext)`
  private mutating func environment(_ arguments: [SwiftArgument], on base: SwiftSyntax?) {
    guard arguments.count == 2, case .keyPath(_, let components) = arguments[0].value.kind, let key = components.last
    else { return leaveOut(".environment") }
    let isContext = ["managedObjectContext", "modelContext"].contains(key)
    guard isContext || lua(arguments[1].value) != nil else { return leaveOut(".environment(\\.\(key))") }
    let name = isContext ? "managedObjectContext" : LuaSource.isName(key) ? key : "[\(LuaSource.quoted(key))]"
    let value = isContext ? "context" : lua(arguments[1].value) ?? "nil"
    guard !isInType else { return leaveOut(".environment(\\.\(key))") }
    script.actions.append("Environment.with({ \(name) = \(value) }, function() end)")
  }

  // MARK: Namespaces

  /// `.matchedGeometryEffect(id: id, in: namespace, isSource: false)`
  private mutating func tag(_ name: String, _ arguments: [SwiftArgument], on base: SwiftSyntax?) {
    let owner = arguments.first { $0.label == "in" }?.value ?? (name == "focusScope" ? arguments.first?.value : nil)
    guard let owner, let space = lua(owner) else { return leaveOut("." + name) }
    let isFocus = name == "prefersDefaultFocus" || name == "focusScope"
    let argument = arguments.first { $0.label == "id" || $0.label == "sourceID" }?.value
    guard let id = isFocus ? "\"default focus\"" : argument.flatMap({ lua($0) }) else { return leaveOut("." + name) }
    let thing = LuaSource.quoted(numbered(base.flatMap(Self.viewName) ?? "view"))
    let isReader = arguments.contains { argument in
      if case ("isSource", .literal(.bool(false))) = (argument.label, argument.value.kind) { true } else { false }
    }
    let line: String
    if name == "focusScope" {
      line = "\(space):resolve(\(id))"
    } else {
      line = "\(space):tag(\(id), \(thing)\(isReader ? "" : ", { source = true }"))"
    }
    // What a view was given, and what its rows are, is not known here.
    let isKnown =
      isDeclared(owner, as: .namespace) && (isFocus || argument.map(isConstant) ?? false) && name != "focusScope"
    if isKnown { script.declarations.append(line) } else { script.actions.append(line) }
  }

  /// The name of a view, with a number from the second one on: each is a thing of its own.
  private mutating func numbered(_ name: String) -> String {
    tagged[name, default: 0] += 1
    let number = tagged[name] ?? 1
    return number == 1 ? name : "\(name) \(number)"
  }

  private static func viewName(_ syntax: SwiftSyntax) -> String? {
    switch syntax.unwrapped.kind {
    case .call(let callee, _, _): viewName(callee)
    case .member(let base?, _): viewName(base)
    case .name(let name): name
    default: nil
    }
  }

  private func isDeclared(_ syntax: SwiftSyntax, as kind: DeclaredName.Kind) -> Bool {
    guard case .name(let name) = syntax.unwrapped.kind else { return false }
    return names[name]?.kind == kind || names[name] == nil && scope.kind(name) == .namespace
  }

  private func isConstant(_ syntax: SwiftSyntax) -> Bool {
    switch syntax.unwrapped.kind {
    case .literal: true
    case .string(let string): string.interpolation == nil
    case .name(let name):
      names[name]?.kind == .constant
        || names[name] == nil && locals[name] == nil && [.value, .other].contains(scope.kind(name))
    default: false
    }
  }
}
