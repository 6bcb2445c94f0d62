internal import Modeling
internal import Queries
internal import SwiftParsing

extension PredicateLowering {
  mutating func contains(
    _ base: Lowered, _ source: SwiftSyntax, _ argument: SwiftSyntax, _ syntax: SwiftSyntax
  ) -> Lowered {
    let element = lower(argument)
    if element.isNothing { return .nothing }
    if base.isCollection || base.isCaptured || isRange(base), refuse(element: element, argument, in: base) {
      return .nothing
    }
    if case .range(let lower, let upper, let isClosed) = base.meaning {
      let value = value(element, at: argument.range)
      return Lowered.condition(Self.within(value, lower, upper, isClosed: isClosed, at: origin(syntax.range)))
        .optional(element.optionals)
    }
    if case .pattern(let pattern, let options) = element.meaning {
      let matches = Predicate.comparing(
        value(base, at: source.range), .matches, .constant(.string(Self.wholePattern(pattern))), options: options,
        at: origin(syntax.range))
      return Lowered.condition(matches).optional(base.optionals)
    }
    if isObjectItself(element) {
      issues.report(.objectComparison(self.source(argument)), at: argument.range)
      return .nothing
    }
    let isText = base.isText || usage.isText(source)
    guard base.isCollection || base.isCaptured && !isText else {
      return compare(base, source, .contains, [], argument, syntax)
    }
    let predicate = Predicate.comparing(
      value(element, at: argument.range), .in, value(base, at: source.range), at: origin(syntax.range))
    return Lowered.condition(predicate).optional(element.optionals)
  }

  private func isRange(_ lowered: Lowered) -> Bool { if case .range = lowered.meaning { true } else { false } }

  /// Whether an object is looked for by itself and not by its identifier.
  private func isObjectItself(_ lowered: Lowered) -> Bool {
    if lowered.isIdentifier || lowered.isCaptured { return false }
    if case .object = lowered.type { return true }
    return lowered.expression == .object
  }

  /// The condition that a value lies in a range.
  private static func within(
    _ value: Expression, _ lower: Expression?, _ upper: Expression?, isClosed: Bool, at origin: Origin
  ) -> Predicate {
    if isClosed, let lower, let upper {
      return .comparing(value, .between, .list([lower, upper]), at: origin)
    }
    let bounds = [
      lower.map { Predicate.comparing(value, .greaterOrEqual, $0, at: origin) },
      upper.map { Predicate.comparing(value, isClosed ? .lessOrEqual : .less, $0, at: origin) },
    ]
    return .all(bounds.compactMap(\.self))
  }
}
