import Queries
import SQLite

/// The columns that are selected for each part of a table's rows, `c0`, `c1`, ..., from which aggregates and groups of all rows are
/// made in a second step.
final class PartialColumns {
  private(set) var columns: [SQLFragment] = []
  private var keys: [(expression: Queries.Expression, operand: SQLOperand)] = []
  /// The groups of each part.
  var groups: [SQLFragment] = []
  /// Whether all that was compiled can be made in two steps.
  var isComplete = true
  /// Whether groups may be named, as conditions may not: a column of the second step compares as none of a table does.
  var allowsKeys = true

  /// Adds a column and returns its name.
  func add(_ sql: SQLFragment) -> SQLFragment {
    let place = columns.firstIndex(of: sql) ?? columns.count
    if place == columns.count { columns.append(sql) }
    return "\(raw: "c\(place)")"
  }

  /// Adds what groups are told apart by.
  func addKey(_ expression: Queries.Expression, _ operand: SQLOperand) {
    var key = SQLOperand(sql: add(operand.sql), kind: operand.kind, isExact: operand.isExact)
    (key.type, key.entity, key.composite) = (operand.type, operand.entity, operand.composite)
    keys.append((expression, key))
  }

  /// The column of an expression that groups are told apart by; nil for any other.
  func key(_ expression: Queries.Expression) -> SQLOperand? {
    guard let known = keys.first(where: { $0.expression == expression })?.operand else { return nil }
    if !allowsKeys { isComplete = false }
    return known
  }
}

/// A SELECT of aggregates or groups in two steps: of parts of the rows, and of what was selected for all parts.
struct PartialStatement {
  /// The first step.
  private(set) var part: SelectStatement
  let place: SQLPlace
  /// The second step, from a table `parts`.
  let whole: SQLFragment
  let shapes: [ValueShape]

  /// Nil where `statement`, whose columns were compiled with `partials`, needs the rows themselves.
  init?(_ statement: SelectStatement, _ partials: PartialColumns, _ place: SQLPlace, _ shapes: [ValueShape]) {
    guard partials.isComplete, !partials.columns.isEmpty else { return nil }
    part = SelectStatement()
    (part.columns, part.from, part.conditions) = (partials.columns, place.source.sql, statement.conditions)
    (part.groups, part.isDistinct) = (partials.groups, statement.isDistinct && statement.groups.isEmpty)
    var second = statement
    (second.conditions, second.from) = ([], "parts")
    (whole, self.place, self.shapes) = (second.sql, place, shapes)
    // A column that is neither a group nor within an aggregate.
    if Self.namesAlias(whole.text) { return nil }
  }

  /// Whether a text may name a column of a table: `t0.place`.
  private static func namesAlias(_ text: String) -> Bool {
    var digits = -1
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "t"): digits = 0
      case UInt8(ascii: "0")...UInt8(ascii: "9") where digits >= 0: digits += 1
      case UInt8(ascii: ".") where digits > 0: return true
      default: digits = -1
      }
    }
    return false
  }
}
