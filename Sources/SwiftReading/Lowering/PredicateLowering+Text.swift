internal import Modeling
internal import Queries
internal import SwiftParsing

extension PredicateLowering {
  mutating func compare(
    _ base: Lowered, _ source: SwiftSyntax, _ comparator: Comparator, _ options: ComparisonOptions,
    _ argument: SwiftSyntax, _ syntax: SwiftSyntax
  ) -> Lowered {
    let other = lower(argument)
    if other.isNothing { return .nothing }
    var (comparator, right) = (comparator, value(other, at: argument.range))
    // In Swift every text contains an empty one; in the format language none does.
    if other.constant == .string(""), options.isEmpty { (comparator, right) = (.like, .constant(.string("*"))) }
    let predicate = Predicate.comparing(
      value(base, at: source.range), comparator, right, options: options, at: origin(syntax.range))
    return Lowered.condition(predicate).optional(base.optionals + other.optionals)
  }

  mutating func ordering(
    _ base: Lowered, _ source: SwiftSyntax, _ options: ComparisonOptions, _ argument: SwiftSyntax
  ) -> Lowered {
    let other = lower(argument)
    if other.isNothing { return .nothing }
    let (left, right) = (value(base, at: source.range), value(other, at: argument.range))
    return Lowered(meaning: .ordering(left, right, options)).optional(base.optionals + other.optionals)
  }
}
