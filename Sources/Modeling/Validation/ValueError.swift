/// Why a value cannot be an attribute's, as facts; the shell turns them into sentences.
public struct ValueError: Error, Hashable, Sendable {
  /// The entity, where the thrower or someone above it knows it.
  public var entity: String?
  /// The attribute, and the element within it: `address.city`.
  public var property: String
  /// What the mistake is.
  public var fact: Fact

  /// One mistake. `value` is the value as Lua would write it, cut to a length fit for a message.
  public enum Fact: Hashable, Sendable {
    /// A value of another kind; `found` is what `Value.kindName` calls it.
    case wrongType(expected: AttributeType, found: String, value: String)
    /// A fraction where the type holds whole numbers.
    case notWhole(expected: AttributeType, value: String)
    /// A number that the type does not hold.
    case outOfRange(expected: AttributeType, value: String)
    /// NaN, which SQLite would store as nothing, or a date that is no instant.
    case notANumber(expected: AttributeType, value: String)
    /// Text that does not read as the type.
    case invalidText(expected: AttributeType, value: String)
    /// Bytes that are no UTF-8 where text is wanted.
    case invalidUTF8(value: String)
    /// A value that JSON cannot express: an object, NaN or an infinity.
    case notJSON(value: String)
    /// A value from which only an app's own transformer makes what is kept.
    case transformed(by: String, value: String)
    /// A key that the composite attribute has no element for.
    case unknownElement(String, nearest: String?)
  }

  /// Reports `fact` about the attribute `property`.
  public init(entity: String? = nil, property: String, _ fact: Fact) {
    self.entity = entity
    self.property = property
    self.fact = fact
  }

  /// The same error, of `entity`.
  public func of(_ entity: Entity) -> ValueError {
    var copy = self
    copy.entity = entity.name
    return copy
  }
}

extension Value {
  /// The value as Lua would write it, cut to a length fit for a message.
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
