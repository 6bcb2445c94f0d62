import Modeling
import SQLite

/// An SQL condition, and the precedence of its outermost operator.
struct SQLCondition {
  var sql: SQLFragment
  var level: Level

  /// Precedences, from the tightest to the loosest.
  enum Level: Int, Comparable {
    /// A literal, a call, EXISTS, or an expression in parentheses.
    case atom
    case comparison
    case not
    case and
    case or

    static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  /// Wraps SQL whose outermost operator is a comparison, unless `level` is another.
  init(_ sql: SQLFragment, _ level: Level = .comparison) {
    self.sql = sql
    self.level = level
  }

  static let yes = SQLCondition("1", .atom)
  static let no = SQLCondition("0", .atom)
  static let neither = SQLCondition("NULL", .atom)

  /// The SQL as an operand of an operator with the precedence `level`.
  func sql(within level: Level) -> SQLFragment { self.level > level ? "(\(sql))" : sql }

  /// The negation; a condition that is neither true nor false stays so.
  var negated: SQLCondition {
    switch sql {
    case Self.yes.sql: .no
    case Self.no.sql: .yes
    case Self.neither.sql: .neither
    default: SQLCondition("NOT \(sql(within: .atom))", .not)
    }
  }

  static func all(_ conditions: [SQLCondition]) -> SQLCondition { joined(conditions, "AND", .and, empty: .yes) }
  static func any(_ conditions: [SQLCondition]) -> SQLCondition { joined(conditions, "OR", .or, empty: .no) }

  /// SQLite parses a chain of equal operators into a tree as deep as the chain is long, and refuses more than a
  /// thousand levels. Long chains are therefore joined in groups.
  private static func joined(
    _ conditions: [SQLCondition], _ word: String, _ level: Level, empty: SQLCondition
  ) -> SQLCondition {
    let groupSize = 200
    guard let first = conditions.first else { return empty }
    if conditions.count == 1 { return first }
    if conditions.count > groupSize {
      let groups = stride(from: 0, to: conditions.count, by: groupSize).map { start in
        let group = joined(
          Array(conditions[start..<min(start + groupSize, conditions.count)]), word, level, empty: empty)
        return SQLCondition("(\(group.sql))", .atom)
      }
      return joined(groups, word, level, empty: empty)
    }
    return SQLCondition(conditions.map { $0.sql(within: level) }.joined(separator: " \(word) "), level)
  }
}
