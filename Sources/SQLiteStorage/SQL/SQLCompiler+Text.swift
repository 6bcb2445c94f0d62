import Modeling
import Queries
import SQLite

/// String operators. Without options they are SQL that may use an index. With options they are functions that run the
/// evaluation in memory.
extension SQLCompiler {
  /// The condition of CONTAINS, BEGINSWITH, ENDSWITH, LIKE or MATCHES.
  func textTest(
    _ left: SQLSide, _ comparison: Comparison, _ right: SQLSide, isNegated: Bool
  ) throws -> SQLCondition {
    var (text, pattern) = (try single(left, comparison), try single(right, comparison))
    text.sql = text.text ?? text.sql
    pattern.sql = pattern.text ?? pattern.sql
    if text.isNull || pattern.isNull { return .neither }
    guard text.isTextual, pattern.isTextual else { return .neither }
    if comparison.options.isPlain, let plain = plainTest(text, comparison.comparator, pattern, isNegated: isNegated) {
      return plain
    }
    let name = "text_" + comparison.comparator.rawValue.lowercased()
    let call = SQLCondition(
      "\(raw: name)(\(text.sql), \(pattern.sql), '\(raw: comparison.options.letters)')", .atom)
    if isNegated { return call.negated }
    guard comparison.options.isPlain, let prefix = prefix(of: pattern, comparison.comparator) else { return call }
    return .all([beginning(text, with: prefix), call])
  }

  /// The longest pattern that is left to SQLite, which tries it at each position of the text and cannot be interrupted
  /// meanwhile.
  private static let shortPattern = 64

  /// Whether SQLite may match a pattern with stars: for each position of the second part, it tries all that follows the
  /// first.
  private static func isShort(_ pattern: String) -> Bool {
    pattern.utf8.count <= shortPattern && pattern.utf8.count { $0 == UInt8(ascii: "*") } <= 2
  }

  /// The test in SQL alone; nil if SQL's operators would give another result.
  private func plainTest(
    _ text: SQLOperand, _ comparator: Comparator, _ pattern: SQLOperand, isNegated: Bool
  ) -> SQLCondition? {
    guard case .string(let wanted)? = pattern.constant, !wanted.isEmpty else { return nil }
    let condition: SQLCondition
    switch comparator {
    case .contains where wanted.utf8.count <= Self.shortPattern:
      condition = SQLCondition("instr(\(text.sql), \(pattern.sql)) \(raw: isNegated ? "=" : ">") 0")
    case .beginsWith:
      let range = beginning(text, with: wanted)
      condition = isNegated ? range.negated : range
    case .endsWith:
      let length = Int64(-wanted.unicodeScalars.count)
      condition = SQLCondition(
        "substr(\(text.sql), \(value: .int(length))) \(raw: isNegated ? "<>" : "=") \(pattern.sql)")
    case .like
    where Self.isShort(wanted) && !wanted.utf8.contains(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "\\") }):
      let test = SQLCondition("\(text.sql) \(raw: isNegated ? "NOT GLOB" : "GLOB") \(pattern.sql)")
      let prefix = isNegated ? nil : prefix(of: pattern, comparator)
      condition = prefix.map { .all([beginning(text, with: $0), test]) } ?? test
    default: return nil
    }
    if text.isExact || (comparator == .beginsWith && !isNegated) { return condition }
    return .all([condition, SQLCondition("typeof(\(text.sql)) = 'text'")])
  }

  /// An operand without case or diacritics, as the options say.
  func folded(_ operand: SQLOperand, _ options: ComparisonOptions) -> SQLOperand {
    if case .string(let text)? = operand.constant {
      let plain = Value.string(Queries.folded(text, options))
      return SQLOperand(sql: SQLFragment(value: plain), kind: .text, constant: plain)
    }
    var folded = operand
    folded.sql = "text_fold(\(operand.sql), '\(raw: options.letters)')"
    // Values that are not texts stay as they are; they are ordered by their storage class.
    if operand.kind == .any {
      folded.sql = "CASE WHEN \(operand.isText) THEN \(folded.sql) ELSE \(operand.sql) END"
    }
    folded.isExact = true
    return folded
  }
}

extension SQLOperand {
  /// The condition that the value is a text.
  var isText: SQLFragment { text.map { "\($0) IS NOT NULL" } ?? "typeof(\(sql)) = 'text'" }

  /// Whether string operators accept it.
  var isTextual: Bool { kind == .text || kind == .any || kind == .uuid }
}

extension ComparisonOptions {
  /// The letters for the options in the arguments of SQL functions.
  var letters: String {
    let all: [(ComparisonOptions, String)] = [
      (.caseInsensitive, "c"), (.diacriticInsensitive, "d"), (.localeSensitive, "l"),
    ]
    return all.filter { applied.contains($0.0) }.map(\.1).joined()
  }
}
