internal import AppleModels
public import Modeling

extension SQLiteStore {
  /// A value of a transformable attribute as the archive that its app reads.
  ///
  /// - Throws: StoreError, `.coreDataNotWritable` where only the app knows what its transformer makes of a value.
  func archived(_ json: JSON, of column: ColumnLayout, _ entity: Entity) throws -> Value {
    guard column.encoding == .archive else {
      let layout = layout(of: entity)
      let place = layout.columns.firstIndex(of: column).map(PropertyLayout.column)
      let name = place.flatMap { layout.properties.firstIndex(of: $0) }.map { entity.properties[$0].name }
      throw StoreError(
        .coreDataNotWritable(.transformer(entity: entity.name, attribute: name ?? column.name)), path: path)
    }
    return .data(ArchivedValue.encode(json))
  }
}

extension EntityLayout {
  /// The value as the attribute at `index` keeps it here; see `ColumnLayout.coerce(_:of:current:)`.
  public func coerce(
    _ value: Value, at index: Int, of attribute: Attribute, current: @autoclosure () throws -> Value = .null
  ) throws -> Value {
    guard case .column(let column) = properties[index] else { return try attribute.coerce(value) }
    return try columns[column].coerce(value, of: attribute, current: current)
  }

  /// The value as the attribute at `index` may have it: bytes may be what any transformer made.
  public func wanted(_ value: Value, at index: Int, of attribute: Attribute) throws -> Value {
    if case .data = value, case .column(let column) = properties[index], columns[column].isArchive { return value }
    return try attribute.coerce(value)
  }
}

extension ColumnLayout {
  /// The value as an attribute keeps it here: as `Attribute.coerce` says, but of an app's transformable attribute also the
  /// bytes that its transformer would make.
  ///
  /// `current` is the value that is to be replaced, which can always be set again.
  package func coerce(_ value: Value, of attribute: Attribute, current: () throws -> Value = { .null }) throws -> Value
  {
    guard isArchive else { return try attribute.coerce(value) }
    if value.isNull { return value }
    let bytes = value.bytes
    // Bytes that begin like an archive are one: no text begins so.
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
  /// The bytes of what scripts have as a string.
  fileprivate var bytes: [UInt8]? {
    switch self {
    case .data(let bytes): bytes
    case .string(let text): Array(text.utf8)
    default: nil
    }
  }
}
