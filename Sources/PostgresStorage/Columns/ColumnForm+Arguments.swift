import Modeling
import Postgres

/// Seconds from 1970 to 2000, from which PostgreSQL counts.
let secondsToPostgresEpoch = 946_684_800.0

extension ColumnForm {
  /// A value in the form in which the column keeps it; nil where it cannot hold such a value.
  func written(_ value: Value) -> PostgresSQL? {
    if value.isNull { return "NULL" }
    switch (kind, value) {
    case (.boolean, .bool(let flag)): return PostgresSQL(.bool(flag))
    case (.boolean, .int(let number)) where number == 0 || number == 1: return PostgresSQL(.bool(number == 1))
    case (.integer, .int(let number)): return PostgresSQL(.int(number))
    case (.integer, .bool(let flag)): return PostgresSQL(.int(flag ? 1 : 0))
    case (.integer, .object(let id)): return PostgresSQL(.int(id.key))
    case (.real, .double(let number)): return PostgresSQL(.double(number))
    case (.real, .int(let number)): return PostgresSQL(.double(Double(number)))
    case (.numeric, .decimal(let number)): return "\(.untyped(number.canonicalText))::numeric"
    case (.numeric, .int(let number)): return "\(.untyped(String(number)))::numeric"
    case (.numeric, .double(let number)): return "\(.untyped("\(number)"))::numeric"
    case (.text, .string(let text)), (.text, .url(let text)): return PostgresSQL(.text(text))
    case (.text, .uuid(let uuid)): return PostgresSQL(.text(uuid.canonicalText))
    case (.text, .json(let json)): return PostgresSQL(.text(json.text))
    case (.label, .string(let text)), (.label, .url(let text)): return "\(.untyped(text))::\(raw: typeName)"
    case (.bytes, .data(let bytes)): return PostgresSQL(.bytes(bytes))
    case (.bytes, .string(let text)): return PostgresSQL(.bytes(Array(text.utf8)))
    case (.instant, .date(let date)): return Self.instant(date).map { PostgresSQL($0) }
    case (.civilTime, .date(let date)): return Self.instant(date).map { "(\($0) AT TIME ZONE 'UTC')" }
    case (.day, .date(let date)): return Self.instant(date).map { "(\($0) AT TIME ZONE 'UTC')::date" }
    case (.uuid, .uuid(let uuid)): return "\(.untyped(uuid.canonicalText))::uuid"
    case (.json, .json(let json)): return "\(.untyped(json.text))::\(raw: typeName)"
    default: return nil
    }
  }

  /// An instant to the microsecond; nil outside of PostgreSQL's range.
  static func instant(_ date: Timestamp) -> PostgresArgument? {
    let microseconds = ((date.seconds - secondsToPostgresEpoch) * 1e6).rounded()
    // 4714 BC to the year 294276.
    guard microseconds > -211_813_488_000_000_000, microseconds < 9_223_371_331_200_000_000 else { return nil }
    return .timestamp(microsecondsSince2000: Int64(microseconds))
  }

  /// The instant of a number of microseconds since 2000.
  static func seconds(microseconds: Int64) -> Double {
    switch microseconds {
    case .max: .infinity
    case .min: -.infinity
    default:
      // One division of an exact number: the double nearest to the decimal fraction, as texts of dates are read.
      microseconds > -7_000_000_000_000_000_000 && microseconds < 8_000_000_000_000_000_000
        ? Double(microseconds + 946_684_800_000_000) / 1e6 : Double(microseconds) / 1e6 + secondsToPostgresEpoch
    }
  }
}
