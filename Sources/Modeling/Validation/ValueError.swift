/// The reason why an attribute cannot have a value.
public struct ValueError: Error, Hashable, Sendable {
  /// The entity, if the throwing code or one of its callers knows it.
  public var entity: String?
  /// The attribute, and the element within it: `address.city`.
  public var property: String
  /// The kind of error.
  public var fact: Fact

  /// The kinds of errors. `value` is the value in Lua's notation, shortened for a message.
  public enum Fact: Hashable, Sendable {
    /// A value of another kind; `found` is its `Value.kindName`.
    case wrongType(expected: AttributeType, found: String, value: String)
    /// A fraction for an integer type.
    case notWhole(expected: AttributeType, value: String)
    /// A number out of the type's range.
    case outOfRange(expected: AttributeType, value: String)
    /// NaN, which SQLite would store as null, or a date that is not an instant.
    case notANumber(expected: AttributeType, value: String)
    /// Text that cannot be read as the type.
    case invalidText(expected: AttributeType, value: String)
    /// Bytes that are not UTF-8, for a text.
    case invalidUTF8(value: String)
    /// A value that JSON cannot express: an object, NaN or an infinity.
    case notJSON(value: String)
    /// A value that only an app's own transformer can encode.
    case transformed(by: String, value: String)
    /// A key that is not an element of the composite attribute.
    case unknownElement(String, nearest: String?)
  }

  /// Reports `fact` about the attribute `property`.
  public init(entity: String? = nil, property: String, _ fact: Fact) {
    self.entity = entity
    self.property = property
    self.fact = fact
  }

  /// The same error with its entity.
  public func of(_ entity: Entity) -> ValueError {
    var copy = self
    copy.entity = entity.name
    return copy
  }
}

extension Value {
  /// The value in Lua's notation, shortened for a message.
  public var shortText: String {
    let limit = 60
    switch self {
    case .string(let text) where text.utf8.count > limit: return Value.string(text.prefix(limit) + "…").debugText
    case .url(let text) where text.utf8.count > limit: return Value.url(text.prefix(limit) + "…").debugText
    case .data(let bytes) where bytes.count > limit: return displayText
    default:
      let text = debugText
      return text.count > 2 * limit ? text.prefix(2 * limit) + "…" : text
    }
  }
}
