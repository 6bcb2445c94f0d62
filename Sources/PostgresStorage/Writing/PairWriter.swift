import Layouts
import Modeling
import Postgres
import StoreErrors
import Stores

/// Writes the members of to-many relationships that are kept in tables of pairs.
struct PairWriter {
  private unowned let store: PostgresStore

  init(_ store: PostgresStore) { self.store = store }

  /// Adds a member to a to-many that is kept in pairs; nothing changes when it is one already.
  func link(_ relationship: Int, in entity: Entity, owner: Int64, member: Int64, order: Int64?) throws {
    try store.write(entity) {
      guard let (join, owners, members) = try ends(relationship, entity, owner, member) else { return }
      let (columns, values) = (join.ownerColumns + join.memberColumns, owners + members)
      let test = zip(columns, values).map { "\(name: $0) = \($1.sql)" as PostgresSQL }.joined(" AND ")
      var names = columns.map(quoted).joined(separator: ", ")
      var list = values.map(\.sql)
      if let column = join.order {
        names += ", \(quoted(column))"
        let behind = zip(join.ownerColumns, owners).map { "\(name: $0) = \($1.sql)" as PostgresSQL }.joined(" AND ")
        list.append(
          order.map { PostgresSQL(.int($0)) }
            ?? """
            coalesce((SELECT max(\(name: column)) FROM \(store.table(join.table)) WHERE \(behind)) + \
            \(.int(OrderKeys.step)), \(.int(OrderKeys.start)))
            """)
      }
      let result = try store.pool.run(
        """
        INSERT INTO \(store.table(join.table)) (\(raw: names)) SELECT \(list.joined(", ")) \
        WHERE NOT EXISTS (SELECT 1 FROM \(store.table(join.table)) WHERE \(test))
        """)
      if result.affectedRows > 0 {
        store.transactions.log.add(.pair(table: join.table, isNew: true, pair(columns, values)))
      }
    }
  }

  /// Adds many members, each behind those that its owner has.
  func link(_ relationship: Int, in entity: Entity, pairs: [(owner: Int64, member: Int64)]) throws {
    guard pairs.count > 1, store.profile.has(.joinsOfAnyColumns),
      case .join(let join) = store.layout(of: entity).properties[relationship]
    else {
      for (owner, member) in pairs { try link(relationship, in: entity, owner: owner, member: member, order: nil) }
      return
    }
    try store.write(entity) {
      for start in stride(from: 0, to: pairs.count, by: PendingWrites.most) {
        if store.isInterrupted() { throw StoreError(.interrupted, path: store.path) }
        try link(relationship, entity, join, Array(pairs[start..<min(start + PendingWrites.most, pairs.count)]))
      }
    }
  }

  private func link(
    _ relationship: Int, _ entity: Entity, _ join: JoinLayout, _ pairs: [(owner: Int64, member: Int64)]
  ) throws {
    let columns = join.ownerColumns + join.memberColumns
    let forms = columns.map { store.tables.form(join.table, $0) }
    var values: [[Value]] = []
    var seen: Set<[Value]> = []
    var elements = columns.map { _ in [PostgresArgument]() }
    for (owner, member) in pairs {
      guard let (_, owners, members) = try ends(relationship, entity, owner, member) else { return }
      let row = (owners + members).map(\.value)
      guard seen.insert(row).inserted else { continue }
      values.append(row)
      for (index, value) in row.enumerated() {
        guard let element = forms[index].keyElement(value) else {
          throw StoreError(
            .constraint("\(join.table).\(columns[index]) cannot hold \(value.displayText)"), path: store.path)
        }
        elements[index].append(element)
      }
    }
    let new = columns.indices.map { forms[$0].assigned("v.c\($0)") }
    func test(_ count: Int) -> String {
      columns.indices.prefix(count).map { "p.\(quoted(columns[$0])) = \(new[$0])" }.joined(separator: " AND ")
    }
    var (names, list) = (columns.map(quoted), new.map { PostgresSQL(raw: $0) })
    let target = store.table(join.table)
    if let order = join.order {
      names.append(quoted(order))
      let owners = new.prefix(join.ownerColumns.count).joined(separator: ", ")
      list.append(
        """
        coalesce((SELECT max(p.\(name: order)) FROM \(target) AS p WHERE \(raw: test(join.ownerColumns.count))) \
        + \(.int(OrderKeys.step)), \(.int(OrderKeys.start))) \
        + \(.int(OrderKeys.step)) * (row_number() OVER (PARTITION BY \(raw: owners) ORDER BY v.place) - 1)
        """)
    }
    let arrays = zip(forms, elements).map { "(SELECT \($0.array($1)))" as PostgresSQL }
    let aliases = columns.indices.map { "c\($0)" }.joined(separator: ", ")
    let answers = zip(columns, forms).map { $1.selected(quoted($0)) }.joined(separator: ", ")
    let source = PostgresRowSource(
      result: try store.pool.run(
        """
        INSERT INTO \(target) (\(raw: names.joined(separator: ", "))) SELECT \(list.joined(", ")) \
        FROM unnest(\(arrays.joined(", "))) WITH ORDINALITY AS v(\(raw: aliases), place) \
        WHERE NOT EXISTS (SELECT 1 FROM \(target) AS p WHERE \(raw: test(columns.count))) RETURNING \(raw: answers)
        """))
    while try source.step() {
      var scratch = ColumnReader.Scratch()
      var pair: [String: Value] = [:]
      for (index, form) in forms.enumerated() {
        pair[columns[index]] =
          source.bytes(index).map { Value(keyColumn: ColumnReader.read($0, form, &scratch)) } ?? .null
      }
      store.transactions.log.add(.pair(table: join.table, isNew: true, pair))
    }
  }

  /// Takes a member out of a to-many that is kept in pairs.
  func unlink(_ relationship: Int, in entity: Entity, owner: Int64, member: Int64) throws {
    try store.write(entity) {
      guard let (join, owners, members) = try ends(relationship, entity, owner, member) else { return }
      let (columns, values) = (join.ownerColumns + join.memberColumns, owners + members)
      let test = zip(columns, values).map { "\(name: $0) = \($1.sql)" as PostgresSQL }.joined(" AND ")
      let result = try store.pool.run("DELETE FROM \(store.table(join.table)) WHERE \(test)")
      if result.affectedRows > 0 {
        store.transactions.log.add(.pair(table: join.table, isNew: false, pair(columns, values)))
      }
    }
  }

  private typealias End = (value: Value, sql: PostgresSQL)

  /// What the columns of a pair hold for an owner and a member.
  private func ends(
    _ relationship: Int, _ entity: Entity, _ owner: Int64, _ member: Int64
  ) throws -> (join: JoinLayout, owners: [End], members: [End])? {
    guard case .join(let join) = store.layout(of: entity).properties[relationship] else { return nil }
    let destination = entity.destination(at: relationship)
    return (
      join, try end(join, join.ownerColumns, join.ownerTarget, entity, owner),
      try end(join, join.memberColumns, join.memberTarget, destination, member)
    )
  }

  private func end(
    _ join: JoinLayout, _ columns: [String], _ target: ReferenceTarget, _ entity: Entity, _ key: Int64
  ) throws -> [End] {
    var found = store.keyValues(of: entity, key: key)
    if case .columns(let names) = target { found = try store.values(of: names, entity, key) }
    return try zip(columns, found).map { name, value in
      guard
        let sql = store.argument(value, store.tables.form(join.table, name))
          ?? store.argument(value, ColumnForm(own: .integer64))
      else {
        throw StoreError(.constraint("\(join.table).\(name) cannot hold \(value.displayText)"), path: store.path)
      }
      return (value, sql)
    }
  }

  private func pair(_ columns: [String], _ values: [End]) -> [String: Value] {
    Dictionary(zip(columns, values.map(\.value)), uniquingKeysWith: { first, _ in first })
  }
}
