import Layouts
import Modeling

/// The FROM clause of a SELECT as it grows: a table, and the tables joined to it.
final class PostgresSource {
  private struct Step: Hashable {
    let alias: String
    let relationship: Int
  }

  private(set) var sql: PostgresSQL
  private var known: [Step: String] = [:]

  init(_ sql: PostgresSQL) { self.sql = sql }

  func add(_ join: PostgresSQL) { sql += join }

  /// The alias of a to-one's destination, which is joined at its first use.
  func alias(from alias: String, along relationship: Int, _ join: () -> (alias: String, sql: PostgresSQL)) -> String {
    let step = Step(alias: alias, relationship: relationship)
    if let known = known[step] { return known }
    let new = join()
    known[step] = new.alias
    add(new.sql)
    return new.alias
  }
}

/// A row in a FROM clause, as paths start at it.
struct PostgresPlace {
  let source: PostgresSource
  let entity: Entity
  let alias: String

  func column(_ name: String) -> PostgresSQL { "\(column: alias, name)" }
}

/// A value in SQL, with what a comparison needs to know of it.
struct PostgresOperand {
  enum Content {
    /// A column of the form.
    case value(ColumnForm)
    /// An object, by the columns that refer to it.
    case object(Entity, ReferenceTarget)
  }

  var columns: [PostgresSQL]
  var content: Content
  /// The condition under which the SQL has the value that we compute, and outside of which it is null; nil if it always has.
  var domain: PostgresSQL?
  /// The same value for SQL that is evaluated within the domain alone; nil if it is not computed.
  var bare: PostgresSQL?
  /// How large a double can be within the domain; nil if it can have any size.
  var size: NumberSize?

  var sql: PostgresSQL { columns[0] }

  /// The operand for SQL that is evaluated within the domain alone.
  var withinDomain: PostgresOperand {
    var operand = self
    if let bare { operand.columns = [bare] }
    return operand
  }

  /// The condition that it is null, or that it is not.
  func isNull(_ isNull: Bool) -> PostgresSQL {
    let tests = columns.map { "\($0) IS \(raw: isNull ? "" : "NOT ")NULL" as PostgresSQL }
    return tests.count == 1 ? tests[0] : "(\(tests.joined(isNull ? " OR " : " AND ")))"
  }
}
