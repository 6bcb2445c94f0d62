extension SwiftParser {
  /// Reads members, calls, subscripts and marks behind a value.
  package mutating func postfix(_ first: SwiftSyntax) -> SwiftSyntax {
    var result = first
    let start = first.range.lowerBound
    while true {
      let kind: SwiftSyntax.Kind
      switch current.kind {
      case .sign("."):
        guard chain() else { return result }
        advance()
        kind = member(of: result)
      case .sign("?") where current.touchesPrevious && continuesChain:
        guard chain() else { return result }
        advance()
        kind = .optionalChain(result)
      case .sign("!") where current.touchesPrevious:
        guard chain() else { return result }
        advance()
        kind = .forced(result)
      case .sign("(") where !current.beginsLine && current.touchesPrevious:
        guard chain() else { return result }
        kind = .call(result, generics: [], arguments(closing: ")") + trailingClosures())
      case .sign("[") where !current.beginsLine && current.touchesPrevious:
        guard chain() else { return result }
        kind = .subscripted(result, arguments(closing: "]"))
      case .sign("<") where beginsGenericArguments && isTypeName(result):
        let generics = genericArguments()
        let arguments = isSign("(") ? arguments(closing: ")") : []
        kind = .call(result, generics: generics, arguments + trailingClosures())
      case .sign("{") where takesClosure(result):
        guard chain() else { return result }
        kind = .call(result, generics: [], trailingClosures())
      default: return result
      }
      result = SwiftSyntax(kind: kind, range: range(from: start))
    }
  }

  /// Whether `?` is followed by a member, call or subscript, and is no ternary.
  private var continuesChain: Bool {
    switch next().kind {
    case .sign("."), .sign("["), .sign("("), .sign("!"), .sign("?"): next().touchesPrevious || next().beginsLine
    default: false
    }
  }

  private func isTypeName(_ syntax: SwiftSyntax) -> Bool {
    switch syntax.kind {
    case .name(let name), .member(_, let name): name.first?.isUppercase == true
    default: false
    }
  }

  private func takesClosure(_ syntax: SwiftSyntax) -> Bool {
    guard !isBeforeBrace, !current.beginsLine else { return false }
    switch syntax.kind {
    case .name, .member: return true
    default: return false
    }
  }

  private mutating func member(of base: SwiftSyntax) -> SwiftSyntax.Kind {
    switch current.kind {
    case .name(let name):
      advance()
      return .member(base, name)
    case .number(let digits):
      // An element of a tuple.
      advance()
      return .member(base, digits)
    default:
      unexpected("a member")
      return base.kind
    }
  }

  /// Reads arguments with their labels, brackets included.
  package mutating func arguments(closing sign: String) -> [SwiftArgument] {
    let isBeforeBrace = isBeforeBrace
    self.isBeforeBrace = false
    defer { self.isBeforeBrace = isBeforeBrace }
    advance()
    return nested(otherwise: []) { parser in
      var arguments: [SwiftArgument] = []
      while !parser.isSign(sign), parser.current.kind != .end {
        let start = parser.index
        arguments.append(parser.argument())
        guard parser.accept(",") else { break }
        if parser.index == start { parser.advance() }
      }
      parser.expect(sign)
      return arguments
    }
  }

  private mutating func argument() -> SwiftArgument {
    if let label = word, next().kind == .sign(":") {
      advance()
      advance()
      return SwiftArgument(label: label, value: value())
    }
    return SwiftArgument(label: nil, value: value())
  }

  /// Reads the closures behind a call: `{ ... } label: { ... }`.
  private mutating func trailingClosures() -> [SwiftArgument] {
    guard isSign("{"), !isBeforeBrace, !current.beginsLine else { return [] }
    var closures = [SwiftArgument(label: nil, value: closure())]
    while let label = word, next().kind == .sign(":"), next(2).kind == .sign("{"), !current.beginsLine, chain() {
      advance()
      advance()
      closures.append(SwiftArgument(label: label, value: closure()))
    }
    return closures
  }
}
