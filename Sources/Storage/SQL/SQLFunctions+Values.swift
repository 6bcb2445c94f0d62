internal import CSQLite
import Foundation
import Modeling
import Queries
import SQLite

/// Functions of values, whose kinds are told by letters; see `SQLKind.letter`.
extension SQLFunctions {
  func installValues(on connection: Connection) {
    connection.register(function: "call", arguments: -1) { context, count, arguments in
      guard let arguments, count >= 2, let name = text(arguments[0]), let function = ExpressionFunction(named: name),
        let kinds = text(arguments[1])
      else { return }
      let values = zip(kinds.utf8, 2..<Int(count)).map { value(arguments[$1], SQLKind(letter: $0)) }
      result(context, function.evaluate(values))
    }
    connection.register(function: "convert_value", arguments: 3) { context, _, arguments in
      guard let arguments, let name = text(arguments[0]), let type = CastType(named: name),
        let kind = text(arguments[1])?.utf8.first
      else { return }
      result(context, type.convert(value(arguments[2], SQLKind(letter: kind))) ?? .null)
    }
    connection.register(function: "decimal_text", arguments: 1) { context, _, arguments in
      // By the kind of the argument itself: a number that no Decimal holds is ordered, too.
      let kind: SQLKind = sqlite3_value_type(arguments?[0]) == SQLITE_TEXT ? .decimal : .any
      if let text = value(arguments?[0], kind).decimalText { result(context, text) }
    }
    connection.register(function: "uuid_text", arguments: 1) { context, _, arguments in
      result(context, value(arguments?[0], .uuid))
    }
    connection.register(function: "base64_data", arguments: 1) { context, _, arguments in
      guard let text = text(arguments?[0]), let data = Data(base64Encoded: text) else { return }
      result(context, .data(Array(data)))
    }
    connection.register(function: "date_seconds", arguments: 1) { context, _, arguments in
      result(context, value(arguments?[0], .date))
    }
  }
}

// MARK: Arguments and results

/// An argument as text; nil for what is none.
func text(_ value: OpaquePointer?) -> String? {
  guard sqlite3_value_type(value) == SQLITE_TEXT, let base = sqlite3_value_text(value) else { return nil }
  let count = Int(sqlite3_value_bytes(value))
  return String(decoding: UnsafeBufferPointer(start: base, count: count), as: UTF8.self)
}

/// An argument as a value of a kind.
func value(_ argument: OpaquePointer?, _ kind: SQLKind) -> Value {
  let type = kind.attributeType
  switch sqlite3_value_type(argument) {
  case SQLITE_INTEGER: return ValueCoding.decode(integer: sqlite3_value_int64(argument), as: type)
  case SQLITE_FLOAT: return ValueCoding.decode(real: sqlite3_value_double(argument), as: type)
  case SQLITE_TEXT:
    guard let base = sqlite3_value_text(argument) else { return .null }
    let count = Int(sqlite3_value_bytes(argument))
    return ValueCoding.decode(text: UnsafeRawBufferPointer(start: base, count: count), as: type)
  case SQLITE_BLOB:
    let count = Int(sqlite3_value_bytes(argument))
    return ValueCoding.decode(
      blob: sqlite3_value_blob(argument).map { UnsafeRawBufferPointer(start: $0, count: count) }
        ?? .init(start: nil, count: 0),
      as: type)
  default: return .null
  }
}

/// Gives a value as a function's result.
func result(_ context: OpaquePointer?, _ value: Value) {
  switch ValueCoding.stored(value) {
  case .null, .list, .decimal, .json: sqlite3_result_null(context)
  case .bool(let flag): sqlite3_result_int(context, flag ? 1 : 0)
  case .int(let number): sqlite3_result_int64(context, number)
  case .double(let number): sqlite3_result_double(context, number)
  case .date(let date): sqlite3_result_double(context, date.seconds)
  case .string(let text), .url(let text): result(context, text)
  case .uuid(let uuid): result(context, uuid.uuidString)
  case .object(let id): sqlite3_result_int64(context, id.key)
  case .data(let bytes): perilune_result_blob(context, bytes, Int32(clamping: bytes.count))
  }
}

/// Gives a text as a function's result.
func result(_ context: OpaquePointer?, _ text: String) {
  // An empty buffer may have no address, and a null pointer would be null.
  if text.isEmpty { return perilune_result_text(context, "", 0) }
  var text = text
  text.withUTF8 { bytes in
    bytes.withMemoryRebound(to: CChar.self) { perilune_result_text(context, $0.baseAddress, Int32(clamping: $0.count)) }
  }
}
