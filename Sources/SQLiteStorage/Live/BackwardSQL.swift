import Modeling
import SQLite

/// Writes the statements that follow a relationship backwards, from members to owners.
struct BackwardSQL {
  private let owner: EntityLayout
  private let member: EntityLayout
  private let connection: Connection

  init(_ owner: Entity, _ member: Entity, _ store: SQLiteStore) {
    self.owner = store.layout(of: owner)
    self.member = store.layout(of: member)
    connection = store.connection
  }

  /// Selects the keys of owners whose columns hold a listed value.
  func owners(where columns: [String]) -> ListStatement {
    ListStatement(connection, columns.map { Self.column("o", $0) }) { [owner] condition in
      "SELECT \(Self.key(owner)) FROM \(name: owner.table) AS o WHERE \(condition.sql)"
    }
  }

  /// Selects the keys of owners to which listed members refer.
  func owners(named targets: [String], byMembers references: [String]) -> ListStatement {
    ListStatement(connection, member.key.columns.map { Self.column("m", $0) }) { [owner, member] condition in
      """
      SELECT DISTINCT \(Self.key(owner)) FROM \(name: member.table) AS m CROSS JOIN \(name: owner.table) AS o \
      ON \(Self.link(targets, "m", references)) WHERE \(condition.sql)
      """
    }
  }

  /// Selects the keys of owners that have a pair with a listed member.
  func owners(named targets: [String], in join: JoinLayout) -> ListStatement {
    ListStatement(connection, join.memberColumns.map { Self.column("p", $0) }) { [owner] condition in
      """
      SELECT DISTINCT \(Self.key(owner)) FROM \(name: join.table) AS p CROSS JOIN \(name: owner.table) AS o \
      ON \(Self.link(targets, "p", join.ownerColumns)) WHERE \(condition.sql)
      """
    }
  }

  /// Selects the values of other columns that identify the listed members.
  func names(_ columns: [String]) -> ListStatement {
    ListStatement(connection, member.key.columns.map { Self.column("m", $0) }) { [member] condition in
      let names = columns.map { Self.column("m", $0) }.joined(separator: ", ")
      return "SELECT \(names) FROM \(name: member.table) AS m WHERE \(condition.sql)"
    }
  }

  private static func key(_ layout: EntityLayout) -> SQLFragment {
    layout.key.columns.map { column("o", $0) }.joined(separator: ", ")
  }

  private static func column(_ alias: String, _ name: String) -> SQLFragment { "\(raw: alias).\(name: name)" }

  private static func link(_ targets: [String], _ alias: String, _ references: [String]) -> SQLFragment {
    zip(targets, references).map { "\(column("o", $0)) = \(column(alias, $1))" as SQLFragment }
      .joined(separator: " AND ")
  }
}
