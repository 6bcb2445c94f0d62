internal import Foundation
package import Modeling

/// Decodes stored values, and encodes values in their stored form.
///
/// A value that does not fit the declared type is kept unchanged: text in an integer column is a string.
package enum ValueCoding {
  /// The value of a column of an attribute's type.
  package static func decode(
    _ storage: StorageClass, integer: Int64, real: Double, bytes: UnsafeRawBufferPointer, as type: AttributeType
  ) -> Value {
    switch storage {
    case .null: .null
    case .integer: decode(integer: integer, as: type)
    case .real: decode(real: real, as: type)
    case .text: decode(text: bytes, as: type)
    case .blob: decode(blob: bytes, as: type)
    }
  }

  /// A value as it is stored, read as one of an attribute's type.
  package static func decode(_ stored: Value, as type: AttributeType) -> Value {
    switch stored {
    case .int(let number): decode(integer: number, as: type)
    case .double(let number): decode(real: number, as: type)
    case .string(let text): Array(text.utf8).withUnsafeBytes { decode(text: $0, as: type) }
    case .data(let bytes): bytes.withUnsafeBytes { decode(blob: $0, as: type) }
    default: stored
    }
  }

  package static func decode(integer: Int64, as type: AttributeType) -> Value {
    switch type {
    case .boolean: integer == 0 || integer == 1 ? .bool(integer == 1) : .int(integer)
    case .double, .float: Int64(exactly: Double(integer)) == integer ? .double(Double(integer)) : .int(integer)
    case .decimal: .decimal(Decimal(integer))
    case .date: .date(Timestamp(Double(integer)))
    case .transformable, .composite: .json(.int(integer))
    default: .int(integer)
    }
  }

  package static func decode(real: Double, as type: AttributeType) -> Value {
    switch type {
    case .decimal: Decimal(shortest: real).map(Value.decimal) ?? .double(real)
    case .date: .date(Timestamp(real))
    case .transformable, .composite: .json(.double(real))
    default: .double(real)
    }
  }

  package static func decode(text bytes: UnsafeRawBufferPointer, as type: AttributeType) -> Value {
    let special: Value? =
      switch type {
      case .decimal: parseDecimal(bytes).map(Value.decimal)
      case .date: parseTimestamp(bytes).map(Value.date)
      case .uuid: parseUUID(bytes).map(Value.uuid)
      case .transformable, .composite: (try? JSON.parse(bytes)).map(Value.json)
      default: nil
      }
    if let special { return special }
    // Bytes that are not UTF-8 stay bytes, so that nothing is lost.
    guard let text = String(validating: bytes, as: UTF8.self) else { return .data([UInt8](bytes)) }
    return type == .url ? .url(text) : .string(text)
  }

  package static func decode(blob bytes: UnsafeRawBufferPointer, as type: AttributeType) -> Value {
    if type == .uuid, bytes.count == 16 { return .uuid(NSUUID(uuidBytes: Array(bytes)) as UUID) }
    return .data([UInt8](bytes))
  }

  /// Encodes a value in the form of our own stores, ready to be bound.
  package static func stored(_ value: Value) -> Value {
    switch value {
    case .decimal(let number): .string(number.canonicalText)
    case .json(let json): .string(json.text)
    default: value
    }
  }
}
