internal import Foundation
import Modeling
import Postgres

/// Values of many rows, sent together: as the fields of a COPY, or as the elements of an array for each column.
extension ColumnForm {
  /// A value as a field of the column; nil where the column cannot hold such a value.
  ///
  /// `written` returns the same in SQL.
  func element(_ value: Value) -> PostgresArgument? {
    if value.isNull { return .null }
    return switch (kind, value) {
    case (.boolean, .bool(let flag)): .bool(flag)
    case (.boolean, .int(let number)) where number == 0 || number == 1: .bool(number == 1)
    case (.integer, .int(let number)): .int(number)
    case (.integer, .bool(let flag)): .int(flag ? 1 : 0)
    case (.integer, .object(let id)): .int(id.key)
    case (.real, .double(let number)): .double(number)
    case (.real, .int(let number)): .double(Double(number))
    case (.numeric, .decimal(let number)): .numeric(number.canonicalText)
    case (.numeric, .int(let number)): .numeric(String(number))
    case (.numeric, .double(let number)): Self.numeric(number)
    case (.text, .string(let text)), (.text, .url(let text)), (.label, .string(let text)), (.label, .url(let text)):
      .text(text)
    case (.text, .uuid(let uuid)): .text(uuid.canonicalText)
    case (.text, .json(let json)): .text(json.text)
    case (.bytes, .data(let bytes)): .bytes(bytes)
    case (.bytes, .string(let text)): .bytes(Array(text.utf8))
    case (.instant, .date(let date)), (.civilTime, .date(let date)): Self.instant(date)
    case (.day, .date(let date)): Self.instant(date)
    case (.uuid, .uuid(let uuid)): .uuid(withUnsafeBytes(of: uuid.uuid) { [UInt8]($0) })
    case (.json, .json(let json)): wireType == PostgresType.jsonb ? .jsonb(json.text) : .json(json.text)
    default: nil
    }
  }

  /// A value of a key, as packed rows have it.
  func keyElement(_ value: Value) -> PostgresArgument? {
    switch (kind, value) {
    case (.uuid, .string(let text)): UUID(lenient: text).flatMap { element(.uuid($0)) }
    case (.instant, .double(let seconds)), (.civilTime, .double(let seconds)), (.day, .double(let seconds)):
      element(.date(Timestamp(seconds)))
    default: element(value)
    }
  }

  private static func numeric(_ number: Double) -> PostgresArgument {
    if number.isNaN { return .numeric("NaN") }
    if number.isInfinite { return .numeric(number < 0 ? "-Infinity" : "Infinity") }
    return .numeric("\(number)")
  }

  /// Values of the column, one for each row, as the array that is a statement's argument.
  func array(_ elements: [PostgresArgument]) -> PostgresArgument {
    let (array, element) = arrayTypes
    guard kind == .day || kind == .json else { return .array(elements, type: array, elements: element) }
    let plain = elements.map { value -> PostgresArgument in
      switch value {
      case .timestamp(let microseconds): .date(daysSince2000: PostgresField.day(of: microseconds))
      case .jsonb(let text): .json(text)
      default: value
      }
    }
    return .array(plain, type: array, elements: element)
  }

  /// The type of arrays of the column's values, and that of their elements. Integers and reals are those with eight bytes,
  /// which an assignment makes smaller.
  private var arrayTypes: (UInt32, UInt32) {
    switch kind {
    case .boolean: (PostgresType.boolArray, PostgresType.bool)
    case .integer: (PostgresType.int8Array, PostgresType.int8)
    case .real: (PostgresType.float8Array, PostgresType.float8)
    case .numeric: (PostgresType.numericArray, PostgresType.numeric)
    case .bytes: (PostgresType.byteaArray, PostgresType.bytea)
    case .instant: (PostgresType.timestamptzArray, PostgresType.timestamptz)
    case .civilTime: (PostgresType.timestampArray, PostgresType.timestamp)
    case .day: (PostgresType.dateArray, PostgresType.date)
    case .uuid: (PostgresType.uuidArray, PostgresType.uuid)
    case .text, .label, .json, .foreign: (PostgresType.textArray, PostgresType.text)
    }
  }

  /// An element of such an array as it is assigned to the column: a text becomes JSON, or a label of an enum, only where
  /// the statement says so.
  func assigned(_ element: String) -> String {
    switch kind {
    case .json: "\(element)::\(typeName)"
    case .label where wireType == PostgresType.text: "\(element)::\(typeName)"
    default: element
    }
  }
}
