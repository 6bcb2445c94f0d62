import Modeling

extension ColumnForm {
  /// A value as a constant of SQL, in the form in which the column keeps it; nil where it cannot hold such a value.
  func constant(_ value: Value) -> String? {
    if value.isNull { return "NULL" }
    switch (kind, value) {
    case (.boolean, .bool(let flag)): return flag ? "true" : "false"
    case (.boolean, .int(let number)) where number == 0 || number == 1: return number == 1 ? "true" : "false"
    case (.integer, .int(let number)): return "\(number)"
    case (.integer, .bool(let flag)): return flag ? "1" : "0"
    case (.real, .double(let number)): return real(number)
    case (.real, .int(let number)): return real(Double(number))
    case (.numeric, .decimal(let number)): return number.canonicalText
    case (.numeric, .int(let number)): return "\(number)"
    case (.numeric, .double(let number)): return PostgresDump.literal("\(number)", isBare: true)
    case (.text, .json(let json)): return quoted(json.text)
    case (.text, .string), (.text, .url), (.text, .uuid), (.uuid, .uuid): return quoted(value.displayText)
    case (.label, .string(let text)), (.label, .url(let text)): return quoted(text)
    case (.bytes, .data(let bytes)): return hexadecimal(bytes)
    case (.bytes, .string(let text)): return hexadecimal(Array(text.utf8))
    case (.instant, .date(let date)): return instant(date)
    case (.civilTime, .date(let date)): return instant(date).map { "(\($0) AT TIME ZONE 'UTC')" }
    case (.day, .date(let date)): return instant(date).map { "(\($0) AT TIME ZONE 'UTC')::date" }
    case (.json, .json(let json)): return quoted(json.text)
    default: return nil
    }
  }

  /// A text in quotes; nil if it has a zero byte, which no text of PostgreSQL has.
  private func quoted(_ text: String) -> String? {
    text.utf8.contains(0) ? nil : PostgresDump.literal(text, isBare: false)
  }

  private func real(_ number: Double) -> String {
    if number.isFinite { return "\(number)" }
    return number.isNaN ? "'NaN'" : number < 0 ? "'-Infinity'" : "'Infinity'"
  }

  private func hexadecimal(_ bytes: [UInt8]) -> String {
    "'\\x" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'::bytea"
  }

  /// An instant to the microsecond; nil outside of PostgreSQL's range.
  private func instant(_ date: Timestamp) -> String? {
    guard case .timestamp(let microseconds)? = Self.instant(date) else { return nil }
    if date.components != nil { return "'\(date.iso8601)'::timestamptz" }
    return "('2000-01-01T00:00:00Z'::timestamptz + interval '\(microseconds) microseconds')"
  }
}
