internal import Modeling

extension SwiftParser {
  mutating func atom() -> SwiftSyntax {
    let start = current.range.lowerBound
    func syntax(_ kind: SwiftSyntax.Kind) -> SwiftSyntax { SwiftSyntax(kind: kind, range: range(from: start)) }
    switch current.kind {
    case .number(let digits): return number(digits, isNegative: false, from: start)
    case .string(let string):
      advance()
      return syntax(.string(string))
    case .regularExpression(let pattern):
      advance()
      return syntax(.regularExpression(pattern))
    case .pound(let name): return macro(name)
    case .attribute(let name): return objectiveCLiteral(name)
    case .name(let name): return named(name)
    case .sign("@"):
      advance()
      return nested(otherwise: syntax(.unreadable)) { $0.atom() }
    case .sign("("): return SwiftSyntax(kind: .tuple(arguments(closing: ")")), range: range(from: start))
    case .sign("["): return brackets()
    case .sign("{"): return closure()
    case .sign("\\"): return keyPath()
    case .sign("."):
      advance()
      guard let name = word else { break }
      advance()
      return syntax(.member(nil, name))
    default: break
    }
    unexpected("a value")
    if !isSign(")"), !isSign("]"), !isSign("}"), !isSign(",") { recover() }
    return SwiftSyntax(kind: .unreadable, range: range(from: start))
  }

  private mutating func named(_ name: String) -> SwiftSyntax {
    let start = current.range.lowerBound
    if isEscaped(current) {
      advance()
      return SwiftSyntax(kind: .name(name), range: range(from: start))
    }
    if name == "if" { return conditional() }
    let words: Set<String> = ["in", "else", "as", "is", "case", "where"]
    if words.contains(name) {
      unexpected("a value")
      return SwiftSyntax(kind: .unreadable, range: current.range)
    }
    advance()
    let literals: [String: Value] = [
      "true": .bool(true), "false": .bool(false), "nil": .null, "YES": .bool(true), "NO": .bool(false),
    ]
    return SwiftSyntax(kind: literals[name].map { .literal($0) } ?? .name(name), range: range(from: start))
  }

  /// Reads `@YES` of Objective-C.
  private mutating func objectiveCLiteral(_ name: String) -> SwiftSyntax {
    let start = current.range.lowerBound
    if name != "YES", name != "NO" { unexpected("a value") }
    advance()
    return SwiftSyntax(kind: .literal(.bool(name == "YES")), range: range(from: start))
  }

  /// Reads `#Predicate<Quake> { ... }` or `#keyPath(Quake.place)`.
  private mutating func macro(_ name: String) -> SwiftSyntax {
    let start = current.range.lowerBound
    advance()
    let generics = isSign("<") ? genericArguments() : []
    if ["selector", "available", "unavailable"].contains(name), isSign("(") {
      // A selector has labels without values, and platforms are followed by versions.
      let place = current.range.lowerBound
      skipBrackets()
      let selector = SwiftSyntax(kind: .name(slice(range(from: place))), range: range(from: place))
      return SwiftSyntax(
        kind: .macro(name, generics: [], [SwiftArgument(label: nil, value: selector)]), range: range(from: start))
    }
    var arguments = isSign("(") ? arguments(closing: ")") : []
    if isSign("{") { arguments.append(SwiftArgument(label: nil, value: closure())) }
    return SwiftSyntax(kind: .macro(name, generics: generics, arguments), range: range(from: start))
  }

  /// Reads an array, a dictionary, or a message of Objective-C.
  private mutating func brackets() -> SwiftSyntax {
    let start = current.range.lowerBound
    if case .name(let receiver) = next().kind, case .name = next(2).kind, next(3).kind == .sign(":") {
      return message(to: receiver)
    }
    advance()
    let isBeforeBrace = isBeforeBrace
    self.isBeforeBrace = false
    defer { self.isBeforeBrace = isBeforeBrace }
    return nested(otherwise: SwiftSyntax(kind: .unreadable, range: range(from: start))) { parser in
      var elements: [SwiftSyntax] = []
      var isDictionary = parser.accept(":")
      while !parser.isSign("]"), parser.current.kind != .end {
        elements.append(parser.value())
        if parser.accept(":") {
          isDictionary = true
          _ = parser.value()
        }
        guard parser.accept(",") else { break }
      }
      parser.expect("]")
      return SwiftSyntax(kind: isDictionary ? .dictionary : .array(elements), range: parser.range(from: start))
    }
  }

  /// Reads `[NSPredicate predicateWithFormat:@"...", value, value]`.
  private mutating func message(to receiver: String) -> SwiftSyntax {
    let start = current.range.lowerBound
    advance()
    advance()
    return nested(otherwise: SwiftSyntax(kind: .unreadable, range: range(from: start))) { parser in
      var arguments: [SwiftArgument] = []
      while let label = parser.word, parser.next().kind == .sign(":"), parser.chain() {
        parser.advance()
        parser.advance()
        arguments.append(SwiftArgument(label: label, value: parser.value()))
        while parser.accept(",") { arguments.append(SwiftArgument(label: nil, value: parser.value())) }
      }
      parser.expect("]")
      return SwiftSyntax(kind: .message(receiver, arguments), range: parser.range(from: start))
    }
  }

  /// Reads `\Quake.station?.name`.
  private mutating func keyPath() -> SwiftSyntax {
    let start = current.range.lowerBound
    advance()
    var root: TypeSyntax?
    if word != nil, current.touchesPrevious {
      let place = current.range
      root = TypeSyntax(name: slice(place), range: place)
      advance()
      if isSign("<") { _ = genericArguments() }
    }
    var components: [String] = []
    // `\.self`
    var isWhole = false
    while isSign("."), case .name(let name) = next().kind {
      advance()
      advance()
      if name != "self" { components.append(name) }
      isWhole = isWhole || name == "self"
      while (isSign("?") || isSign("!")) && current.touchesPrevious { advance() }
    }
    if components.isEmpty, root == nil, !isWhole { unexpected("a key path such as \\.name") }
    return SwiftSyntax(kind: .keyPath(root, components), range: range(from: start))
  }
}
