/// A value of a parameter, sent in the binary form of its type.
///
/// `$1` has the type of its argument, which the server casts as it casts a value of that type: a `text` is none of an enum
/// or a `uuid`. `untyped` lets the server infer the type from where the parameter stands, as for a quoted constant.
public enum PostgresArgument: Hashable, Sendable {
  /// NULL, of the type that the server infers.
  case null
  /// `bool`.
  case bool(Bool)
  /// `int8`.
  case int(Int64)
  /// `float8`.
  case double(Double)
  /// `numeric`, as decimal text such as `-12.50`, `1e100`, `NaN` or `Infinity`.
  case numeric(String)
  /// `text`.
  case text(String)
  /// Text of a type that the server infers.
  case untyped(String)
  /// `bytea`.
  case bytes([UInt8])
  /// `timestamptz`: microseconds from 2000-01-01 00:00 UTC; the least and the largest number are the infinities.
  case timestamp(microsecondsSince2000: Int64)
  /// `date`: days from 2000-01-01; the least and the largest number are the infinities.
  case date(daysSince2000: Int32)
  /// `time`: microseconds from midnight.
  case time(microseconds: Int64)
  /// `uuid`, 16 bytes.
  case uuid([UInt8])
  /// `json`, as text.
  case json(String)
  /// `jsonb`, as text.
  case jsonb(String)
  /// `int8[]`.
  case ints([Int64])
  /// `float8[]`.
  case doubles([Double])
  /// `text[]`.
  case texts([String?])
  /// An array of one dimension: `type` is the array's type, `elements` that of its elements, which may be NULL.
  case array([PostgresArgument], type: UInt32, elements: UInt32)
  /// Bytes in the binary form of a type.
  case binary([UInt8], type: UInt32)
}

extension PostgresArgument {
  /// The number of its type; 0 where the server infers it.
  public var typeOID: UInt32 {
    switch self {
    case .null, .untyped: 0
    case .bool: PostgresType.bool
    case .int: PostgresType.int8
    case .double: PostgresType.float8
    case .numeric: PostgresType.numeric
    case .text: PostgresType.text
    case .bytes: PostgresType.bytea
    case .timestamp: PostgresType.timestamptz
    case .date: PostgresType.date
    case .time: PostgresType.time
    case .uuid: PostgresType.uuid
    case .json: PostgresType.json
    case .jsonb: PostgresType.jsonb
    case .ints: PostgresType.int8Array
    case .doubles: PostgresType.float8Array
    case .texts: PostgresType.textArray
    case .array(_, let type, _), .binary(_, let type): type
    }
  }
}
