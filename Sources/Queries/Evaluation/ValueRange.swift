package import Modeling

/// The values of an attribute from `lower` to `upper`, both included.
package struct ValueRange {
  /// The attribute, as an index of the entity's properties.
  package let attribute: Int
  /// The least value: a double, text or date; nil for none.
  package private(set) var lower: Value?
  /// The greatest value, of the kind of `lower`; nil for none.
  package private(set) var upper: Value?

  /// The values for which a comparison with `constant` can be true; nil if these are no range.
  init?(_ attribute: Int, _ constant: Value, _ answers: ComparisonAnswers) {
    if answers.otherwise == true || answers.less && answers.greater { return nil }
    if case .double(let number) = constant, number.isNaN { return nil }
    self.attribute = attribute
    lower = answers.less ? nil : constant
    upper = answers.greater ? nil : constant
  }

  /// The ranges with one for each attribute: the values that are in all ranges of an attribute.
  static func intersections(of ranges: [ValueRange]) -> [ValueRange] {
    ranges.reduce(into: []) { found, range in
      guard let place = found.firstIndex(where: { $0.attribute == range.attribute }) else { return found.append(range) }
      found[place].narrow(to: range)
    }
  }

  /// Takes the narrower bounds, as far as they can be compared.
  private mutating func narrow(to other: ValueRange) {
    lower = Self.chosen(lower, other.lower) { $0 < 0 }
    upper = Self.chosen(upper, other.upper) { $0 > 0 }
  }

  private static func chosen(_ first: Value?, _ second: Value?, replaces: (Int) -> Bool) -> Value? {
    guard let first, let second else { return first ?? second }
    guard let order = first.compare(second) else { return first }
    return replaces(order) ? second : first
  }
}
