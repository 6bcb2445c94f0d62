internal import AppleModels
public import Modeling

extension EntityLayout {
  /// Converts a value for the attribute at `index`; see `ColumnLayout.coerce(_:of:current:)`.
  public func coerce(
    _ value: Value, at index: Int, of attribute: Attribute, current: @autoclosure () throws -> Value = .null
  ) throws -> Value {
    guard case .column(let column) = properties[index] else { return try attribute.coerce(value) }
    return try columns[column].coerce(value, of: attribute, current: current)
  }

  /// Converts a value to compare with the attribute at `index`, which may be any bytes if the attribute has a
  /// transformer.
  public func wanted(_ value: Value, at index: Int, of attribute: Attribute) throws -> Value {
    if case .data = value, case .column(let column) = properties[index], columns[column].isArchive { return value }
    return try attribute.coerce(value)
  }
}

extension ColumnLayout {
  /// Converts a value for an attribute as `Attribute.coerce` does. An app's transformable attribute also accepts the
  /// bytes that its transformer would make.
  ///
  /// `current` returns the value to replace, which may always be set again.
  package func coerce(_ value: Value, of attribute: Attribute, current: () throws -> Value = { .null }) throws -> Value
  {
    guard isArchive else { return try attribute.coerce(value) }
    if value.isNull { return value }
    let bytes = value.bytes
    // Bytes that begin like an archive are an archive, because no text begins like that.
    if let bytes, BinaryPropertyList.isBegun(by: bytes) { return .data(bytes) }
    let old = try current()
    if let bytes, old == .data(bytes) { return old }
    let isOpaque = encoding == .transformed
    if isOpaque, case .data = value { return value }
    let json = try attribute.coerce(value)
    if !isOpaque || json == old { return json }
    if let bytes { return .data(bytes) }
    throw attribute.error(.transformed(by: attribute.valueTransformerName ?? "", value: value.shortText))
  }
}

extension Value {
  /// The bytes of a value that scripts have as a string.
  fileprivate var bytes: [UInt8]? {
    switch self {
    case .data(let bytes): bytes
    case .string(let text): Array(text.utf8)
    default: nil
    }
  }
}
