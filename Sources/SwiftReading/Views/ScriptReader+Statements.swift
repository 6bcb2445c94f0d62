internal import Queries
internal import SwiftParsing

// Statements of closures as lines of Lua.
extension ScriptReader {
  /// The lines for statements; nil if one of them cannot be said.
  mutating func lines(_ statements: [SwiftStatement]) -> [String]? {
    let outer = locals
    defer { locals = outer }
    var lines: [String] = []
    for (number, statement) in statements.enumerated() {
      guard let own = self.lines(statement, isLast: number == statements.count - 1) else { return nil }
      lines += own
    }
    return lines
  }

  private mutating func lines(_ statement: SwiftStatement, isLast: Bool) -> [String]? {
    switch statement.kind {
    case .value(let value): return lines(ofValue: value)
    case .returned(let value):
      guard isLast else { return value.isUnreadable ? ["do return end"] : nil }
      if value.isUnreadable { return ["return"] }
      return lua(value).map { ["return " + $0] }
    case .declaration(let declaration):
      // A function's parameters stand before its statements.
      guard let value = declaration.value else { return locals[declaration.name] == nil ? nil : [] }
      guard let text = contextual(value, declaration.type) else { return nil }
      let name = LuaSource.isName(declaration.name) ? declaration.name : declaration.name + "_"
      locals[declaration.name] = name
      return ["local \(name) = \(text)"]
    case .assignment(let target, let value): return lines(assigning: value, to: target).map { [$0] }
    case .scope, .type, .enumerationCase, .other: return nil
    }
  }

  // MARK: Calls

  private mutating func lines(ofValue value: SwiftSyntax) -> [String]? {
    switch value.unwrapped.kind {
    case .conditional(let conditional): return lines(conditional)
    case .call(let callee, _, let arguments):
      if case .name(let name) = callee.kind {
        switch name {
        case "do": return lines(do: arguments)
        case "for": return lines(for: arguments)
        case "guard": return lines(guard: arguments)
        case "withAnimation", "withTransaction": return withAnimation(name, arguments)
        default: break
        }
      }
      if case .member(let base?, "toggle") = callee.kind, arguments.isEmpty, let place = place(base) {
        return ["\(place) = not \(place)"]
      }
      return lua(value).map { [$0] }
    case .prefix("try", let inner), .forced(let inner), .optionalChain(let inner): return lines(ofValue: inner)
    default: return nil
    }
  }

  /// `withAnimation(.none) { ... }`
  private mutating func withAnimation(_ name: String, _ arguments: [SwiftArgument]) -> [String]? {
    guard case .closure(let closure)? = arguments.last?.value.kind, let body = lines(closure.statements) else {
      return nil
    }
    let given = arguments.dropLast().first { $0.label == nil }?.value
    var animation = "\"default\""
    switch given?.unwrapped.kind {
    case nil: break
    case .literal(.null)?, .member(_, "none")?: animation = "nil"
    case .member(_, let word)?: animation = LuaSource.quoted(word)
    case .call(let callee, _, _)?:
      guard case .member(_, let word) = callee.kind else { return nil }
      animation = LuaSource.quoted(word)
    default: return nil
    }
    guard name == "withAnimation" else { return nil }
    return ["withAnimation(\(animation), function()"] + LuaSource.indented(body) + ["end)"]
  }

  /// `do { try save() } catch { ... }`; what fails is not passed on.
  private mutating func lines(do arguments: [SwiftArgument]) -> [String]? {
    guard case .closure(let body)? = arguments.first?.value.kind, let lines = lines(body.statements) else { return nil }
    guard arguments.count > 1 else { return ["do"] + LuaSource.indented(lines) + ["end"] }
    guard case .closure(let handler) = arguments[1].value.kind else { return nil }
    let outer = locals
    defer { locals = outer }
    locals["error"] = "problem"
    // What ends the program or says that there was an error is left to the caller's own words.
    let isEmpty = handler.statements.isEmpty || handler.statements.allSatisfy { $0.isFatal }
    guard !isEmpty else { return lines }
    guard let handling = self.lines(handler.statements) else { return nil }
    return ["local ok, problem = pcall(function()"] + LuaSource.indented(lines) + ["end)", "if not ok then"]
      + LuaSource.indented(handling) + ["end"]
  }

  private mutating func lines(for arguments: [SwiftArgument]) -> [String]? {
    guard arguments.count == 3, case .name(let name) = arguments[0].value.kind,
      case .closure(let closure) = arguments[2].value.kind, let sequence = lua(arguments[1].value)
    else { return nil }
    let outer = locals
    defer { locals = outer }
    let element = LuaSource.isName(name) ? name : "_"
    locals[name] = element
    guard let body = lines(closure.statements) else { return nil }
    return ["for _, \(element) in ipairs(\(sequence)) do"] + LuaSource.indented(body) + ["end"]
  }

  private mutating func lines(guard arguments: [SwiftArgument]) -> [String]? {
    guard case .conditional(let conditional)? = arguments.first?.value.kind, let otherwise = conditional.otherwise,
      let (before, test) = test(conditional.conditions), let body = lines(otherwise.statements)
    else { return nil }
    return before + ["if not (\(test)) then"] + LuaSource.indented(body) + ["end"]
  }

  // MARK: Conditions

  private mutating func lines(_ conditional: SwiftConditional) -> [String]? {
    let outer = locals
    guard let (before, test) = test(conditional.conditions), let then = lines(conditional.then.statements) else {
      locals = outer
      return nil
    }
    locals = outer
    var lines = ["if \(test) then"] + LuaSource.indented(then)
    if let otherwise = conditional.otherwise {
      guard let other = self.lines(otherwise.statements) else { return nil }
      lines += ["else"] + LuaSource.indented(other)
    }
    lines.append("end")
    return before.isEmpty ? lines : ["do"] + LuaSource.indented(before + lines) + ["end"]
  }

  /// The lines before a condition, and the condition; names that it binds are locals from here on.
  private mutating func test(_ conditions: [SwiftConditional.Condition]) -> (before: [String], test: String)? {
    var (before, tests): ([String], [String]) = ([], [])
    for condition in conditions {
      switch condition {
      case .value(let value):
        guard let text = lua(value) else { return nil }
        tests.append(conditions.count > 1 ? operand(text, of: value) : text)
      case .binding(let name, let value):
        guard let text = lua(value) else { return nil }
        let own = LuaSource.isName(name) ? name : name + "_"
        if text != own { before.append("local \(own) = \(text)") }
        locals[name] = own
        tests.append("\(own) ~= nil")
      case .pattern: return nil
      }
    }
    return (before, tests.joined(separator: " and "))
  }

  // MARK: Assignments

  private mutating func lines(assigning whole: SwiftSyntax, to target: SwiftSyntax) -> String? {
    var (value, symbol) = (whole, nil as String?)
    // Of `count += 1` the parser makes `count = count + 1`, whose value begins where the target does.
    if case .infix(let sign, let operands) = whole.kind, whole.range.lowerBound == target.range.lowerBound,
      let right = operands.last
    {
      (value, symbol) = (right, sign)
    }
    if let (results, property) = configuration(target) {
      guard symbol == nil, let text = configured(value, property, of: results) else { return nil }
      noteUnknown(results)
      let lua = luaOfResults(results)
      let change = "\(lua).\(property)"
      if !changes.contains(change) { changes.append(change) }
      return "\(change) = \(text)"
    }
    guard let place = place(target), let text = contextual(value, nil) else { return nil }
    guard let symbol else { return "\(place) = \(text)" }
    guard symbol.count == 1 else { return nil }
    let isText = if case .string = value.unwrapped.kind { true } else { false }
    return "\(place) = \(place) \(symbol == "+" && isText ? ".." : symbol) \(operand(text, of: value))"
  }

  /// What can be assigned to in Lua: a state's value, a property, a local.
  mutating func place(_ target: SwiftSyntax) -> String? {
    switch target.kind {
    case .name(let name):
      let plain = name.hasPrefix("$") ? String(name.dropFirst()) : name
      if let local = locals[plain] { return local }
      guard let lua = known(plain) else { return nil }
      return isState(plain) ? "\(lua).value" : lua
    case .member(let base?, "wrappedValue"): return place(base)
    case .member(let base?, let name):
      if case .name("self") = base.kind {
        return place(SwiftSyntax(kind: .name(name), range: target.range))
      }
      return object(base).map { LuaSource.isName(name) ? "\($0).\(name)" : "\($0)[\(LuaSource.quoted(name))]" }
    case .optionalChain(let base), .forced(let base): return place(base)
    default: return nil
    }
  }

  /// An object whose property is set: that of a binding is the same object.
  private mutating func object(_ base: SwiftSyntax) -> String? {
    if case .name(let name) = base.kind, name.hasPrefix("$") {
      return lua(SwiftSyntax(kind: .name(String(name.dropFirst())), range: base.range))
    }
    return lua(base)
  }

  /// The live results, and their property, that a target configures: `$items.nsPredicate.wrappedValue`.
  private func configuration(_ target: SwiftSyntax) -> (results: String, property: String)? {
    guard case .member(let base?, let name) = target.kind else { return nil }
    if name == "wrappedValue" { return configuration(base) }
    if name == "projectedValue" { return nil }
    let properties = [
      "nsPredicate": "predicate", "predicate": "predicate", "nsSortDescriptors": "sortDescriptors",
      "sortDescriptors": "sortDescriptors", "sectionIdentifier": "sectionIdentifier",
    ]
    guard let property = properties[name] else { return nil }
    var owner = base
    while case .member(let inner?, let word) = owner.kind {
      if case .name("self") = inner.kind {
        owner = SwiftSyntax(kind: .name(word), range: owner.range)
      } else if ["wrappedValue", "projectedValue"].contains(word) {
        owner = inner
      } else {
        return nil
      }
    }
    guard case .name(let word) = owner.kind else { return nil }
    let plain = word.hasPrefix("$") || word.hasPrefix("_") && word.count > 1 ? String(word.dropFirst()) : word
    // `request.predicate = ...` of a local request is something else.
    if locals[plain] != nil { return nil }
    if isResults(plain) || word.hasPrefix("$") || name.hasPrefix("ns") { return (plain, property) }
    return nil
  }

  func luaOfResults(_ name: String) -> String { names[name]?.lua ?? name }

  private mutating func configured(_ value: SwiftSyntax, _ property: String, of results: String) -> String? {
    switch property {
    case "predicate": return predicate(value)
    case "sortDescriptors": return sortDescriptors(value, of: results)
    default: return lua(value)
    }
  }

  /// A value whose meaning its type may decide.
  private mutating func contextual(_ value: SwiftSyntax, _ type: TypeSyntax?) -> String? {
    if let found = predicateText(value, isWanted: type?.name.hasSuffix("Predicate") == true) { return found }
    return lua(value)
  }
}

extension SwiftSyntax {
  var isUnreadable: Bool { if case .unreadable = kind { true } else { false } }
}

extension SwiftStatement {
  /// Whether it only says that there was an error, or ends the program.
  fileprivate var isFatal: Bool {
    switch kind {
    case .value(let value):
      guard case .call(let callee, _, _) = value.kind, case .name(let name) = callee.kind else { return false }
      return ["fatalError", "print", "assertionFailure", "preconditionFailure", "NSLog"].contains(name)
    case .declaration(let declaration):
      // `let nsError = error as NSError`
      return declaration.value?.root == "error"
        || declaration.value.map { if case .cast = $0.kind { true } else { false } } ?? false
    default: return false
    }
  }
}
