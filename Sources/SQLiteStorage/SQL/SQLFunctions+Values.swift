import Foundation
import Modeling
import Queries
import SQLite

/// Functions of values. Letters in their arguments are the kinds of values; see `SQLKind.letter`.
extension SQLFunctions {
  func installValues(on connection: Connection) {
    connection.register(function: "call", arguments: -1) { context, count, arguments in
      let call = SQLFunctionCall(context, arguments)
      guard count >= 2, let name = call.text(0), let function = ExpressionFunction(named: name),
        let kinds = call.text(1)
      else { return }
      let values = zip(kinds.utf8, 2..<Int(count)).map { call.value($1, SQLKind(letter: $0)) }
      call.setResult(function.evaluate(values))
    }
    connection.register(function: "convert_value", arguments: 3) { context, _, arguments in
      let call = SQLFunctionCall(context, arguments)
      guard let name = call.text(0), let type = CastType(named: name), let kind = call.text(1)?.utf8.first
      else { return }
      call.setResult(type.convert(call.value(2, SQLKind(letter: kind))) ?? .null)
    }
    connection.register(function: "decimal_text", arguments: 1) { context, _, arguments in
      // The kind of the argument itself decides: a number that no Decimal holds is ordered, too.
      let call = SQLFunctionCall(context, arguments)
      if let text = call.value(0, call.type(0) == .text ? .decimal : .any).decimalText { call.setResult(text) }
    }
    connection.register(function: "row_key", arguments: -1) { context, count, arguments in
      let call = SQLFunctionCall(context, arguments)
      if let key = RowKey.encode((0..<Int(count)).map { call.value($0, .any) }) { call.setResult(key) }
    }
    connection.register(function: "uuid_text", arguments: 1) { context, _, arguments in
      let call = SQLFunctionCall(context, arguments)
      call.setResult(call.value(0, .uuid))
    }
    connection.register(function: "base64_data", arguments: 1) { context, _, arguments in
      let call = SQLFunctionCall(context, arguments)
      guard let text = call.text(0), let data = Data(base64Encoded: text) else { return }
      call.setResult([UInt8](data))
    }
    connection.register(function: "text_date", arguments: 1) { context, _, arguments in
      let call = SQLFunctionCall(context, arguments)
      switch call.type(0) {
      case .null: break
      case .blob: call.setResult(call.value(0, .data))
      case .integer, .real, .text:
        if let date = parseTimestamp(call.bytes(0)) {
          call.setResult(date.seconds)
        } else {
          call.setResult(ValueCoding.decode(text: call.bytes(0), as: .string))
        }
      }
    }
    connection.register(function: "date_seconds", arguments: 1) { context, _, arguments in
      let call = SQLFunctionCall(context, arguments)
      call.setResult(call.value(0, .date))
    }
  }
}

extension SQLFunctionCall {
  /// An argument as a value of a kind.
  func value(_ index: Int, _ kind: SQLKind) -> Value {
    switch type(index) {
    case .null: .null
    case .integer: ValueCoding.decode(integer: integer(index), as: kind.attributeType)
    case .real: ValueCoding.decode(real: real(index), as: kind.attributeType)
    case .text: ValueCoding.decode(text: bytes(index), as: kind.attributeType)
    case .blob: ValueCoding.decode(blob: bytes(index), as: kind.attributeType)
    }
  }

  /// Returns a value to SQLite in its stored form.
  func setResult(_ value: Value) {
    switch ValueCoding.stored(value) {
    // The result is null until it is set.
    case .null, .list, .decimal, .json: break
    case .bool(let flag): setResult(flag)
    case .int(let number): setResult(number)
    case .double(let number): setResult(number)
    case .date(let date): setResult(date.seconds)
    case .string(let text), .url(let text): setResult(text)
    case .uuid(let uuid): setResult(uuid.uuidString)
    case .object(let id): setResult(id.key)
    case .data(let bytes): setResult(bytes)
    }
  }
}
