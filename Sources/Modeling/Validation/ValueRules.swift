/// The rules of one attribute of an entity, prepared for millions of checks.
///
/// `Attribute` has the same rules, but copying one out of an entity's properties retains a dozen objects. This class
/// decides the most frequent cases without reading the attribute.
public final class ValueRules: Sendable {
  /// The attribute.
  public let attribute: Attribute
  /// The entity of the objects, which may have inherited the attribute.
  public let entityName: String
  /// Whether a value of the type can violate a rule other than being missing.
  public let hasBounds: Bool
  private let type: AttributeType
  @usableFromInline let mayBeMissing: Bool

  init(_ attribute: Attribute, of entityName: String) {
    self.attribute = attribute
    self.entityName = entityName
    type = attribute.type
    mayBeMissing = attribute.isOptional || attribute.isDerived
    hasBounds = attribute.hasRules
  }

  /// The value in the attribute's stored form; see `Attribute.coerce(_:)`.
  public func coerce(_ value: Value) throws(ValueError) -> Value {
    switch value {
    case .null: return value
    case .int where type == .integer64: return value
    case .string where type == .string: return value
    case .double(let number) where type == .double && !number.isNaN: return value
    case .date(let date) where type == .date && date.seconds.isFinite: return value
    case .bool where type == .boolean: return value
    default: break
    }
    do {
      return try attribute.coerce(value)
    } catch {
      var named = error
      named.entity = entityName
      throw named
    }
  }

  /// Whether null, or any value that is not null, breaks no rule for sure, without a look at the value or the attribute.
  @inlinable
  public func isKept(byNull isNull: Bool) -> Bool { isNull ? mayBeMissing : !hasBounds }

  /// The rules that `value` breaks; see `Attribute.violations(of:in:)`.
  public func violations(of value: Value) -> [Violation] {
    if isKept(byNull: value.isNull) { return [] }
    return attribute.violations(of: value, in: entityName)
  }
}
