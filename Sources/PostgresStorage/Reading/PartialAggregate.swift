import Layouts
import Modeling
import Postgres
import Queries
import Stores

/// An aggregate of a column that the server computes for the rows of a combination, to be put together here.
struct PartialAggregate {
  /// What it is for the rows of a combination.
  enum Part {
    case value(Value, times: Int)
    case sum(PartialSum)
    /// The two values in the middle, or twice the one.
    case middle(Value, Value)
    /// The server cannot say: a number has more digits than it adds up exactly.
    case unknown
  }

  private enum Reading {
    case count
    case extreme
    case middle
    case integers
    case doubles
    case decimals
  }

  let function: ExpressionFunction
  let column: PlainColumn
  private let reading: Reading

  /// Nil for an aggregate that is made of the values themselves.
  init?(_ function: ExpressionFunction, _ column: PlainColumn) {
    (self.function, self.column) = (function, column)
    switch (function, column.form.kind) {
    case (.count, _): reading = .count
    case (.min, .integer), (.min, .real), (.min, .instant), (.min, .civilTime), (.min, .text), (.min, .numeric),
      (.min, .day), (.max, .integer), (.max, .real), (.max, .instant), (.max, .civilTime), (.max, .text),
      (.max, .numeric), (.max, .day):
      reading = .extreme
    case (.median, .integer), (.median, .real), (.median, .numeric): reading = .middle
    case (.sum, .integer), (.average, .integer): reading = .integers
    case (.sum, .real), (.average, .real): reading = .doubles
    case (.sum, .numeric), (.average, .numeric): reading = .decimals
    default: return nil
    }
  }

  /// The columns of a SELECT with groups, over the column of this name.
  ///
  /// A double is an integer, one times 2^-62 and one times 2^-124, if it is below 2^62 and has no bit below 2^-124: sums of
  /// these are exact. A decimal is added up exactly if it has no more than 15 places.
  func selected(_ name: String) -> [PostgresSQL] {
    let value = PostgresSQL(raw: name)
    switch reading {
    case .count: return ["count(\(value))"]
    case .extreme: return [column.selected("\(raw: function.rawValue)(\(value))")]
    case .middle:
      // Of an even number of values, the first share ends with the lower one of the middle, and the second with the upper one.
      return ["0.5", "0.5000000001"].map { share in
        column.selected("percentile_disc(\(raw: share)) WITHIN GROUP (ORDER BY \(value))")
      }
    case .integers: return ["count(\(value))", "sum(\(value)::bigint)::text"]
    case .doubles:
      let (scale, fits): (PostgresSQL, PostgresSQL) = ("4611686018427387904", "abs(\(value)) < 4611686018427387904")
      let second: PostgresSQL = "(\(value) - round(\(value))) * \(scale)"
      let third: PostgresSQL = "((\(second)) - round(\(second))) * \(scale)"
      // The casts round to the nearest integer, as round() does. From 2^-10 on, no double has a bit below 2^-62; from 2^-72 on, none
      // has one below 2^-124.
      return [
        "count(\(value))", "(sum(\(value)::bigint) FILTER (WHERE \(fits)))::text",
        "(sum((\(second))::bigint) FILTER (WHERE \(fits)))::text",
        "(sum((\(third))::bigint) FILTER (WHERE abs(\(value)) < 0.0009765625))::text",
        "count(*) FILTER (WHERE NOT (\(fits) AND (abs(\(value)) > 2.2e-22 OR \(value) = 0)))",
      ]
    case .decimals:
      return [
        "count(\(value))", "sum(\(value))::text",
        "count(*) FILTER (WHERE NOT (abs(\(value)) < 1e20 AND \(value) = round(\(value), 15)))",
      ]
    }
  }

  /// Reads what was selected, from a column of the row on.
  func part(_ source: PostgresRowSource, _ start: Int, _ scratch: inout ColumnReader.Scratch) -> Part {
    let count = Int(clamping: source.integer(start))
    switch reading {
    case .count: return .value(.bool(true), times: count)
    case .extreme: return .value(column.value(source, start, &scratch), times: 1)
    case .middle: return .middle(column.value(source, start, &scratch), column.value(source, start + 1, &scratch))
    case .integers: return .sum(.integers(count: count, integers(source, start + 1, exponent: 0)))
    case .doubles:
      if source.integer(start + 4) > 0 { return .unknown }
      let parts = (0..<3).flatMap { integers(source, start + 1 + $0, exponent: -62 * $0) }
      return .sum(.doubles(count: count, parts))
    case .decimals:
      if source.integer(start + 2) > 0 { return .unknown }
      guard let bytes = source.bytes(start + 1) else { return .sum(.decimals(count: 0, 0)) }
      return parseDecimal(bytes).map { .sum(.decimals(count: count, $0)) } ?? .unknown
    }
  }

  /// An integer of any size as integers of 62 bits.
  private func integers(_ source: PostgresRowSource, _ column: Int, exponent: Int) -> [ExactSums.ScaledPart] {
    guard let bytes = source.bytes(column), let sum = Int128(String(decoding: bytes, as: UTF8.self)) else { return [] }
    return [
      (Int64(truncatingIfNeeded: sum & (1 << 62 - 1)), exponent), (Int64(truncatingIfNeeded: sum >> 62), exponent + 62),
    ]
  }
}
