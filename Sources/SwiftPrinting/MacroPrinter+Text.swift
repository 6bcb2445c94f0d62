internal import Modeling
internal import Queries

extension MacroPrinter {
  /// CONTAINS, BEGINSWITH, ENDSWITH, LIKE and MATCHES.
  mutating func text(_ comparison: Comparison) throws(SwiftPrintingError) -> SwiftTerm {
    let right = try operand(comparison.right)
    if case .constant(let value, _) = right, value.isNull { return .constant(false) }
    // In Swift every text contains an empty one.
    if case .constant(.string(""), _) = right, comparison.isSearch {
      throw unsupported("\(comparison.comparator.rawValue) of an empty text, which no text has here,")
    }
    switch comparison.comparator {
    case .contains:
      let isLoose = comparison.options.isSuperset(of: [.caseInsensitive, .diacriticInsensitive])
      if !isLoose, comparison.options.contains(.caseInsensitive) {
        throw unsupported("CONTAINS[c]", instead: .format("CONTAINS[cd]"))
      }
      if !isLoose { try refuseOptions(comparison) }
      return try call(isLoose ? "localizedStandardContains(" : "contains(", comparison.left, right)
    case .beginsWith:
      try refuseOptions(comparison)
      return try call("starts(with: ", comparison.left, right)
    case .matches:
      try refuseOptions(comparison)
      return try matching(comparison.left, right)
    case .like:
      try refuseOptions(comparison)
      return try like(comparison.left, right)
    default:
      try refuseOptions(comparison)
      guard case .constant(.string(let ending), _) = right else { throw unsupported("ENDSWITH") }
      let pattern = SwiftPattern.regularExpression(escaping: ending)
      throw unsupported(
        "ENDSWITH", instead: .format("MATCHES \(Queries.Expression.constant(.string("(?s).*" + pattern)).format)"))
    }
  }

  /// `left.function(right)`, false where one is nil.
  private mutating func call(
    _ function: String, _ left: Queries.Expression, _ right: Operand
  ) throws(SwiftPrintingError) -> SwiftTerm {
    var texts: [SwiftTerm] = []
    switch (try operand(left), right) {
    case (.term(let left), .term(let right)): texts = [left, right]
    case (.term(let left), let other):
      try requireText(left)
      texts = [left, try exactly(other, as: left)]
    case (let other, .term(let right)):
      try requireText(right)
      texts = [try exactly(other, as: right), right]
    default: throw unsupported("a text function of constants alone")
    }
    for text in texts { try requireText(text) }
    // The macro takes an optional chain with an argument only where that does not depend on the object.
    var isOfObject = false
    if case .term = right { isOfObject = true }
    if texts[0].isOptional, !isOfObject { return try applied(function, texts[0], texts[1].code) }
    return try unwrapping(texts) {
      .condition(.sequence([$0[0].operand(of: .postfix), .text("." + function), $0[1].code, .text(")")]))
    }
  }

  /// `text?.function(argument) == true`
  private mutating func applied(
    _ function: String, _ text: SwiftTerm, _ argument: SwiftCode
  ) throws(SwiftPrintingError) -> SwiftTerm {
    if isSpreadOut, text.isOptional {
      return try unwrapping([text]) {
        .condition(.sequence([$0[0].operand(of: .postfix), .text("." + function), argument, .text(")")]))
      }
    }
    let code = SwiftCode.sequence([text.member(function), argument, .text(")")])
    guard text.isOptional else { return .condition(code) }
    weight += 2
    return .condition(.sequence([code, .text(" == true")]), .comparison)
  }

  private func requireText(_ term: SwiftTerm) throws(SwiftPrintingError) {
    guard term.type == .string else {
      throw unsupported("the text of a \(term.type.name())", instead: .storedAttribute)
    }
  }

  private mutating func matching(
    _ left: Queries.Expression, _ right: Operand
  ) throws(SwiftPrintingError) -> SwiftTerm {
    guard case .constant(.string(let pattern), _) = right, case .term(let term) = try operand(left) else {
      throw unsupported("MATCHES of a pattern that is not a constant")
    }
    try requireText(term)
    guard SwiftPattern.isRegexLiteral(pattern) else {
      throw unsupported("the regular expression \(pattern)")
    }
    return try applied("contains(", term, .text(SwiftLiteral.wholeMatch(pattern)))
  }

  /// Wildcards at the ends alone are BEGINSWITH, CONTAINS and equality.
  private mutating func like(_ left: Queries.Expression, _ right: Operand) throws(SwiftPrintingError) -> SwiftTerm {
    guard case .constant(.string(let pattern), _) = right, case .term(let term) = try operand(left) else {
      throw unsupported("LIKE of a pattern that is not a constant")
    }
    try requireText(term)
    let parts = SwiftPattern.like(pattern)
    let texts = parts.compactMap { if case .literal(let text) = $0 { text } else { nil } }
    let string = try source(of: .string(texts.joined()), .string, name: nil, beside: term).code
    switch parts.map(\.shape).joined() {
    case "a", "": return .comparison(term, "==", SwiftTerm(code: string, type: .string))
    case "a*", "*": return try applied("starts(with: ", term, string)
    case "*a*": return try applied("contains(", term, string)
    default:
      let expression = parts.map(\.regularExpression).joined()
      return try applied("contains(", term, .text(SwiftLiteral.wholeMatch("(?s)" + expression)))
    }
  }
}

extension Comparison {
  /// Whether it looks for a text as it is in another, where an empty one is never found.
  fileprivate var isSearch: Bool { [.contains, .beginsWith, .endsWith].contains(comparator) }
}
