internal import Modeling
internal import Queries
internal import SwiftParsing

// Values of Swift as expressions of Lua.
extension ScriptReader {
  /// The expression of Lua for a value; nil where there is none.
  mutating func lua(_ syntax: SwiftSyntax) -> String? {
    switch syntax.kind {
    case .literal(let value): return Self.literal(value)
    case .string: return text(syntax)
    case .name(let name): return named(name)
    case .array(let elements): return list(elements).map { "{ \($0) }" } ?? nil
    case .tuple(let elements):
      guard elements.count == 1 else { return nil }
      return lua(elements[0].value).map { operand($0, of: elements[0].value) }
    case .member(let base, let name): return member(name, of: base)
    case .optionalChain(let base), .forced(let base), .cast(let base, "as", _), .cast(let base, "as?", _),
      .cast(let base, "as!", _):
      return lua(base)
    case .call(let callee, _, let arguments): return call(callee, arguments, syntax)
    case .subscripted(let base, let arguments): return subscripted(base, arguments)
    case .prefix("!", let operand): return lua(operand).map { "not " + self.operand($0, of: operand) }
    case .prefix("-", let operand): return lua(operand).map { "-" + self.operand($0, of: operand) }
    case .infix(let sign, let operands): return infix(sign, operands)
    case .ternary(let condition, let first, let second):
      return ternary(condition, lua(first), lua(second), first, second)
    case .keyPath(_, let components):
      return components.isEmpty ? nil : LuaSource.quoted(components.joined(separator: "."))
    case .macro("keyPath", _, let arguments):
      return arguments.first?.value.memberPath.map { LuaSource.quoted($0.dropFirst().joined(separator: ".")) }
    case .closure(let closure): return function(closure)
    default: return nil
    }
  }

  /// Puts parentheses around what an operator of Lua would take apart.
  func operand(_ text: String, of syntax: SwiftSyntax) -> String {
    switch syntax.unwrapped.kind {
    case .infix, .ternary, .prefix: "(\(text))"
    case .cast(let inner, _, _): operand(text, of: inner)
    default: text
    }
  }

  private static func literal(_ value: Value) -> String? {
    switch value {
    case .null: return "nil"
    case .bool(let flag): return flag ? "true" : "false"
    case .int(let number): return number == .min ? "math.mininteger" : String(number)
    case .double(let number): return number.isFinite ? "\(number)" : nil
    case .decimal(let number): return "\(number)"
    default: return nil
    }
  }

  private mutating func list(_ elements: [SwiftSyntax]) -> String? {
    var texts: [String] = []
    for element in elements {
      guard let text = lua(element) else { return nil }
      texts.append(text)
    }
    return texts.joined(separator: ", ")
  }

  // MARK: Text

  /// A string, with what is interpolated joined to it.
  private mutating func text(_ syntax: SwiftSyntax) -> String? {
    guard let pieces = SwiftTemplate(slice(syntax.range), at: syntax.range.lowerBound)?.pieces else { return nil }
    var parts: [String] = []
    for piece in pieces {
      switch piece {
      case .text(let text): parts.append(LuaSource.quoted(text))
      case .value(let arguments):
        guard let first = arguments.first?.value, let text = lua(first) else { return nil }
        parts.append("tostring(\(text))")
      }
    }
    return parts.isEmpty ? "\"\"" : parts.joined(separator: " .. ")
  }

  // MARK: Names

  private mutating func named(_ name: String) -> String? {
    if let local = locals[name] ?? observed[name] { return local }
    if name.hasPrefix("$"), name.dropFirst().first?.isNumber == false { return binding(String(name.dropFirst())) }
    guard let lua = known(name) else { return nil }
    return isState(name) ? "\(lua).value" : lua
  }

  /// The name in Lua of something outside of the closure.
  func known(_ name: String) -> String? {
    if let found = names[name] { return found.lua }
    return LuaSource.isName(name) && !name.hasPrefix("_") ? name : nil
  }

  func isState(_ name: String) -> Bool {
    if let found = names[name] { return found.kind == .state }
    return scope.kind(name) == .state
  }

  /// The binding that `$name` is.
  mutating func binding(_ name: String) -> String? {
    guard let lua = known(name) else { return nil }
    let isPlain = names[name].map { $0.kind == .constant } ?? (scope.kind(name) == .value)
    if isPlain, !script.plain.contains(lua) { script.plain.append(lua) }
    if names[name]?.kind == .observable || names[name] == nil && scope.kind(name) == .observable {
      return "Bindable(\(lua))"
    }
    return "\(lua):binding()"
  }

  // MARK: Members

  private mutating func member(_ name: String, of base: SwiftSyntax?) -> String? {
    guard let base else {
      // `.now`, `.zero` where the type is known.
      return SourceConstants().value(ofMember: name, of: nil).flatMap(Self.date) ?? (name == "none" ? "nil" : nil)
    }
    if case .name("self") = base.kind { return named(name) }
    if case .name("Date") = base.kind {
      return name == "now" ? "Date()" : SourceConstants().value(ofMember: name, of: base).flatMap(Self.date)
    }
    if case .name(let word) = base.kind, word.hasPrefix("$"), word.count > 1, locals[word] == nil {
      return member(name, ofBinding: String(word.dropFirst()))
    }
    guard let owner = lua(base) else { return nil }
    let whole = operand(owner, of: base)
    switch name {
    case "isEmpty": return "#\(whole) == 0"
    case "count": return "#\(whole)"
    case "first": return "\(whole)[1]"
    case "last": return "\(whole)[#\(whole)]"
    case "wrappedValue": return owner
    case "projectedValue": return base.root.flatMap { binding($0) }
    case "nsPredicate" where isResults(base.root): return "\(whole).predicate"
    case "nsSortDescriptors" where isResults(base.root): return "\(whole).sortDescriptors"
    default: return LuaSource.isName(name) ? "\(whole).\(name)" : "\(whole)[\(LuaSource.quoted(name))]"
    }
  }

  /// `$people.name`, `$quakes.sortDescriptors`
  private mutating func member(_ name: String, ofBinding owner: String) -> String? {
    guard let lua = known(owner) else { return nil }
    if name == "wrappedValue" { return named(owner) }
    if isResults(owner) {
      let property = ["nsPredicate": "predicate", "nsSortDescriptors": "sortDescriptors"][name] ?? name
      return "\(lua):binding \(LuaSource.quoted(property))"
    }
    if names[owner]?.kind == .state || scope.kind(owner) == .state {
      return "\(lua):binding():at \(LuaSource.quoted(name))"
    }
    return LuaSource.isName(name) ? "Bindable(\(lua)).\(name)" : nil
  }

  private static func date(_ value: Value) -> String? {
    guard case .date(let date) = value else { return literal(value) }
    return "Date(\(date.seconds))"
  }

  private mutating func subscripted(_ base: SwiftSyntax, _ arguments: [SwiftArgument]) -> String? {
    guard arguments.count == 1, let owner = lua(base) else { return nil }
    if case .literal(.int(let number)) = arguments[0].value.kind, number < .max { return "\(owner)[\(number + 1)]" }
    if case .string = arguments[0].value.kind { return lua(arguments[0].value).map { "\(owner)[\($0)]" } }
    return lua(arguments[0].value).map { "\(owner)[\($0) + 1]" }
  }

  // MARK: Operators

  private mutating func infix(_ sign: String, _ operands: [SwiftSyntax]) -> String? {
    var texts: [String] = []
    for operand in operands {
      guard let text = lua(operand) else { return nil }
      texts.append(self.operand(text, of: operand))
    }
    let signs = [
      "&&": "and", "||": "or", "==": "==", "!=": "~=", "<": "<", "<=": "<=", ">": ">", ">=": ">=", "+": "+", "-": "-",
      "*": "*", "/": "/", "%": "%", "??": "or",
    ]
    guard var lua = signs[sign] else { return nil }
    if sign == "+", operands.contains(where: { if case .string = $0.unwrapped.kind { true } else { false } }) {
      lua = ".."
    }
    return texts.joined(separator: " \(lua) ")
  }

  /// `a ? b : c`; Lua's `and` and `or` pass over a value that is nil or false.
  mutating func ternary(
    _ condition: SwiftSyntax, _ first: String?, _ second: String?, _ firstValue: SwiftSyntax, _ secondValue: SwiftSyntax
  ) -> String? {
    guard let first, let second, let test = lua(condition) else { return nil }
    if firstValue.isSomething {
      return
        "\(operand(test, of: condition)) and \(operand(first, of: firstValue)) or \(operand(second, of: secondValue))"
    }
    if secondValue.isSomething {
      return "\(negated(condition, test)) and \(operand(second, of: secondValue)) or \(operand(first, of: firstValue))"
    }
    return "(function() if \(test) then return \(first) end return \(second) end)()"
  }

  private func negated(_ condition: SwiftSyntax, _ test: String) -> String {
    if test.hasSuffix(" == 0"), test.hasPrefix("#"), !test.contains(" and "), !test.contains(" or ") {
      return test.dropLast(5) + " > 0"
    }
    return "not (\(test))"
  }

  private mutating func function(_ closure: ClosureSyntax) -> String? {
    let outer = locals
    defer { locals = outer }
    let names = closure.parameters?.map(\.name) ?? []
    for name in names { locals[name] = name }
    guard let lines = lines(closure.statements) else { return nil }
    return "function(\(names.joined(separator: ", "))) \(lines.joined(separator: " ")) end"
  }
}

extension SwiftSyntax {
  /// Whether a value can be neither nil nor false.
  fileprivate var isSomething: Bool {
    switch unwrapped.kind {
    case .literal(.null), .literal(.bool(_)): false
    case .literal, .string, .array, .macro, .keyPath: true
    case .call(let callee, _, _):
      switch callee.kind {
      case .name(let name): name.first?.isUppercase == true
      case .member(nil, "init"): true
      default: false
      }
    default: false
    }
  }

  /// `Item.timestamp` as its names.
  var memberPath: [String]? {
    switch kind {
    case .name(let name): [name]
    case .member(let base?, let name): base.memberPath.map { $0 + [name] }
    case .optionalChain(let base), .forced(let base): base.memberPath
    default: nil
    }
  }
}
