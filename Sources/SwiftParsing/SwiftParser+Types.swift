extension SwiftParser {
  /// Reads a type: its name, and its generic arguments.
  package mutating func type() -> TypeSyntax {
    nested(otherwise: TypeSyntax(name: "", range: current.range)) { $0.unguardedType() }
  }

  private mutating func unguardedType() -> TypeSyntax {
    let start = current.range.lowerBound
    // `@MainActor @Sendable () -> Void`, `any Shape`
    while isAttribute || ["some", "any", "inout", "sending", "borrowing", "consuming"].contains(word ?? "") {
      advance()
    }
    var type = TypeSyntax(name: "", range: current.range)
    if accept("[") {
      type = TypeSyntax(name: "Array", arguments: [self.type()], range: current.range)
      if accept(":") {
        type = TypeSyntax(name: "Dictionary", arguments: type.arguments + [self.type()], range: current.range)
      }
      expect("]")
    } else if isSign("(") {
      skipBrackets()
      type.name = "()"
    } else if let word {
      advance()
      type.name = word
      while isSign("."), case .name(let name) = next().kind {
        advance()
        advance()
        type.name = name
      }
      if isSign("<") { type.arguments = typeArguments() }
    } else {
      unexpected("a type")
    }
    while (isSign("?") || isSign("!")) && current.touchesPrevious {
      type.isOptional = true
      advance()
    }
    if accept("->") { _ = self.type() }
    type.range = range(from: start)
    return type
  }

  private var isAttribute: Bool { if case .attribute = current.kind { true } else { false } }

  /// Whether a text is a type with brackets: `[String]`, `Range<Int>`.
  package static func isType(_ text: String) -> Bool {
    guard text.contains(where: { "[<".contains($0) }), !text.contains(where: { "`(@#$&/\n".contains($0) }) else {
      return false
    }
    var parser = SwiftParser(text)
    let type = parser.type()
    return parser.issues.found.isEmpty && parser.current.kind == .end && !type.isOptional
  }

  /// Reads `<String, Quake>`, for the names.
  mutating func genericArguments() -> [String] { typeArguments().map(\.name) }

  private mutating func typeArguments() -> [TypeSyntax] {
    advance()
    var types: [TypeSyntax] = []
    repeat { types.append(type()) } while accept(",")
    expect(">")
    return types
  }

  /// Whether `<` begins generic arguments: names up to `>`, and behind it a use of the generic type.
  var beginsGenericArguments: Bool {
    guard isSign("<") else { return false }
    var open = 0
    for offset in 0..<40 {
      switch next(offset).kind {
      case .sign("<"): open += 1
      case .sign(">"):
        open -= 1
        if open == 0 { return [.sign("("), .sign("{"), .sign("."), .sign("]")].contains(next(offset + 1).kind) }
      case .name, .sign(","), .sign("."), .sign("?"), .sign("["), .sign("]"), .sign(":"): break
      default: return false
      }
    }
    return false
  }
}
