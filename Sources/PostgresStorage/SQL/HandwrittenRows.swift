import Modeling
import Postgres

/// The rows that a handwritten statement has returned.
struct HandwrittenRows {
  private(set) var columns: [String] = []
  private(set) var rows: [[Value]] = []
  /// The number of rows that the statements of the text have inserted, changed and deleted, as far as the server reports
  /// it.
  var writtenCount = 0

  init() {}

  /// Reads rows as they come, so that the result is not in memory twice.
  init(_ answer: PostgresRows) throws {
    columns = (0..<answer.columnCount).map(answer.name)
    while try answer.step() {
      rows.append(columns.indices.map { column in answer.field(column).map(Value.init(field:)) ?? .null })
    }
  }
}

extension Value {
  /// The value of a column of any type.
  fileprivate init(field: PostgresField) {
    switch field.typeOID {
    case PostgresType.bool: self = field.bool.map(Value.bool) ?? .null
    case PostgresType.int2, PostgresType.int4, PostgresType.int8: self = field.int.map(Value.int) ?? .null
    case PostgresType.float4, PostgresType.float8: self = field.double.map(Value.double) ?? .null
    case PostgresType.bytea: self = .data([UInt8](field.bytes))
    default: self = .string(field.text)
    }
  }
}
