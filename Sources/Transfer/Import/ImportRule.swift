import Modeling

/// The rules of an attribute, prepared for checking a field of every row.
///
/// A class, because copying an attribute for every field would cost more than the check.
final class ImportRule {
  private let attribute: Attribute
  private let entity: String
  private let isOptional: Bool
  private let range: ClosedRange<Double>?
  private let hasTextRules: Bool
  private let hasOtherRules: Bool

  init(_ attribute: Attribute, _ entity: String) {
    self.attribute = attribute
    self.entity = entity
    isOptional = attribute.isOptional
    let low = Self.number(attribute.minimum, -.infinity)
    let high = Self.number(attribute.maximum, .infinity)
    let isPlain = attribute.type != .decimal && (low ?? .nan) <= (high ?? .nan)
    range = isPlain && (!attribute.minimum.isNull || !attribute.maximum.isNull) ? low!...high! : nil
    hasTextRules =
      attribute.minimumLength != nil || attribute.maximumLength != nil || attribute.regularExpression != nil
    hasOtherRules =
      !attribute.elements.isEmpty || (range == nil && (!attribute.minimum.isNull || !attribute.maximum.isNull))
  }

  /// A bound as a number to compare values of a plain type with; nil if the conversion would lose digits.
  private static func number(_ bound: Value, _ none: Double) -> Double? {
    switch bound {
    case .null: none
    case .int(let number): Int64(exactly: Double(number)) == number ? Double(number) : nil
    case .double(let number): number
    case .date(let date): date.seconds
    default: nil
    }
  }

  /// The first rule that a field violates.
  func violation(_ field: TypedField) -> Violation? {
    switch field {
    case .null:
      return isOptional
        ? nil : Violation(entity: entity, property: attribute.name, kind: .missingMandatory, value: .null)
    case .int(let number):
      guard let range else { return hasOtherRules ? full(field) : nil }
      return range.contains(Double(number)) ? nil : full(field)
    case .double(let number):
      guard let range else { return hasOtherRules ? full(field) : nil }
      return range.contains(number) ? nil : full(field)
    case .date(let date):
      guard let range else { return hasOtherRules ? full(field) : nil }
      return range.contains(date.seconds) ? nil : full(field)
    case .text(let bytes): return hasTextRules && !isClearlyShort(bytes.count) ? full(field) : nil
    case .bool: return nil
    case .value: return full(field)
    }
  }

  /// Whether the number of bytes alone shows that a text is within its length bounds.
  private func isClearlyShort(_ count: Int) -> Bool {
    attribute.regularExpression == nil && attribute.minimumLength == nil && count <= attribute.maximumLength ?? .max
  }

  private func full(_ field: TypedField) -> Violation? { attribute.violations(of: field.value, in: entity).first }
}
