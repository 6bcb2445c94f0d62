public import StoreErrors

extension PostgresCopyWriter {
  /// Writes a field in the form of its column's type, as far as the value is one of it: an integer as `int2`, `int4`,
  /// `int8`, `float8` or `numeric`, a text as `jsonb`, a point in time as `timestamp` or `date`.
  ///
  /// A value of another kind is written in its own form, which the server refuses at the end. For a domain, the type is
  /// that of its base.
  /// - Throws: `StoreError`, where an integer does not fit.
  public mutating func field(_ argument: PostgresArgument, type: UInt32) throws(StoreError) {
    switch (argument, type) {
    case (.int(let number), PostgresType.int2): try int2(number)
    case (.int(let number), PostgresType.int4): try int4(number)
    case (.int(let number), PostgresType.float8): try float8(Double(number))
    case (.int(let number), PostgresType.float4): try float4(Double(number))
    case (.int(let number), PostgresType.numeric): try field(.numeric("\(number)"))
    case (.double(let number), PostgresType.float4): try float4(number)
    case (.double(let number), PostgresType.numeric): try field(.numeric(PostgresField.spelled(number)))
    case (.text(let text), PostgresType.jsonb), (.json(let text), PostgresType.jsonb): try field(.jsonb(text))
    case (.text(let text), PostgresType.numeric): try field(.numeric(text))
    case (.timestamp(let microseconds), PostgresType.date):
      try field(.date(daysSince2000: PostgresField.day(of: microseconds)))
    default: try field(argument)
    }
  }
}
