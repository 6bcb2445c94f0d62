internal import CSQLite
import Modeling
import SQLite

extension ValueConversion {
  /// Adds `perilune_convert(value, from, to)`, which is nothing where something would be lost; for migrations only.
  static func register(on connection: Connection) {
    connection.register(function: "perilune_convert", arguments: 3, convertArguments)
  }

  // A closure in the call above makes the compiler of Swift 6.3.1 crash (SendNonSendable).
  private static let convertArguments: SQLFunctionBody = { context, _, arguments in
    guard let arguments, let old = attributeType(arguments[1]), let new = attributeType(arguments[2]) else { return }
    setResult(context, convert(storedValue(arguments[0]), from: old, to: new) ?? .null)
  }

  private static func setResult(_ context: OpaquePointer?, _ value: Value) {
    switch value {
    case .int(let number): sqlite3_result_int64(context, number)
    case .double(let number): sqlite3_result_double(context, number)
    case .string(let text): perilune_result_text(context, text, Int32(clamping: text.utf8.count))
    case .data(let bytes): perilune_result_blob(context, bytes, Int32(clamping: bytes.count))
    default: sqlite3_result_null(context)
    }
  }

  private static func attributeType(_ argument: OpaquePointer?) -> AttributeType? {
    sqlite3_value_text(argument).flatMap { AttributeType(rawValue: String(cString: $0)) }
  }

  private static func storedValue(_ argument: OpaquePointer?) -> Value {
    switch sqlite3_value_type(argument) {
    case SQLITE_INTEGER: return .int(sqlite3_value_int64(argument))
    case SQLITE_FLOAT: return .double(sqlite3_value_double(argument))
    case SQLITE_TEXT:
      let base = sqlite3_value_text(argument)
      let bytes = UnsafeBufferPointer(start: base, count: base == nil ? 0 : Int(sqlite3_value_bytes(argument)))
      return .string(String(decoding: bytes, as: UTF8.self))
    case SQLITE_BLOB:
      let base = sqlite3_value_blob(argument)
      return .data(
        [UInt8](UnsafeRawBufferPointer(start: base, count: base == nil ? 0 : Int(sqlite3_value_bytes(argument)))))
    default: return .null
    }
  }
}
