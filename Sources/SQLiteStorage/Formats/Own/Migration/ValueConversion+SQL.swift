import Modeling
import SQLite

extension ValueConversion {
  /// Adds `perilune_convert(value, from, to)` for migrations. It returns null if the conversion would lose information.
  static func register(on connection: Connection) {
    connection.register(function: "perilune_convert", arguments: 3, convertArguments)
  }

  // As a closure in the call above, this makes the Swift 6.3.1 compiler crash (SendNonSendable).
  private static let convertArguments: SQLFunctionBody = { context, _, arguments in
    let call = SQLFunctionCall(context, arguments)
    guard let old = attributeType(call, 1), let new = attributeType(call, 2),
      let converted = convert(storedValue(call, 0), from: old, to: new)
    else { return }
    setResult(call, converted)
  }

  private static func setResult(_ call: SQLFunctionCall, _ value: Value) {
    switch value {
    case .int(let number): call.setResult(number)
    case .double(let number): call.setResult(number)
    case .string(let text): call.setResult(text)
    case .data(let bytes): call.setResult(bytes)
    // The result is null until it is set.
    default: break
    }
  }

  private static func attributeType(_ call: SQLFunctionCall, _ index: Int) -> AttributeType? {
    call.text(index).flatMap(AttributeType.init)
  }

  private static func storedValue(_ call: SQLFunctionCall, _ index: Int) -> Value {
    switch call.type(index) {
    case .null: .null
    case .integer: .int(call.integer(index))
    case .real: .double(call.real(index))
    case .text: .string(call.text(index) ?? "")
    case .blob: .data([UInt8](call.bytes(index)))
    }
  }
}
