import Modeling
package import SQLite

extension SQLFragment {
  /// The text with the values written in, for people to read and to run in sqlite3.
  package var displayText: String {
    segments.map { segment in
      switch segment {
      case .text(let text): text
      case .argument(let value): literal(ValueCoding.stored(value))
      }
    }.joined()
  }

  /// The fragment without parameters, for statements whose parameters are counted by position.
  ///
  /// - Precondition: its values come from the model, such as names of entities, not from a user.
  var inlined: SQLFragment { SQLFragment(raw: displayText) }
}

/// A value as an SQL literal.
func literal(_ value: Value) -> String {
  switch value {
  case .null, .list, .json: return "NULL"
  case .bool(let flag): return flag ? "1" : "0"
  case .int(let number): return String(number)
  case .double(let number): return real(number)
  case .date(let date): return real(date.seconds)
  case .decimal(let number): return quoteText(number.canonicalText)
  case .string(let text), .url(let text): return quoted(text)
  case .uuid(let uuid): return quoteText(uuid.uuidString)
  case .object(let id): return String(id.key)
  case .data(let bytes): return bytesLiteral(bytes)
  }
}

/// A text in quotes; as its bytes if a terminal would obey it, or SQLite would end it at a zero byte.
private func quoted(_ text: String) -> String {
  let isPlain = text.unicodeScalars.allSatisfy { !$0.actsOnTerminals || $0 == "\n" || $0 == "\t" }
  return isPlain ? quoteText(text) : "CAST(\(bytesLiteral(Array(text.utf8))) AS TEXT)"
}

private func bytesLiteral(_ bytes: [UInt8]) -> String {
  "x'" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
}

private func real(_ number: Double) -> String {
  if number.isNaN { return "NULL" }
  if number.isInfinite { return number < 0 ? "-9e999" : "9e999" }
  return "\(number)"
}
