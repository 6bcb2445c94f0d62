import Modeling
import SQLite

/// Writes the members of to-many relationships in join tables, and the order of members.
struct PairWriter {
  let store: SQLiteStore

  /// Adds a member to a to-many relationship in a join table; does nothing if it is a member already.
  ///
  /// If the relationship is ordered and `order` is nil, the member becomes the last one.
  func link(_ relationship: Int, in entity: Entity, owner: Int64, member: Int64, order: Int64?) throws {
    guard case .join(let join) = store.layout(of: entity).properties[relationship] else {
      preconditionFailure("\(entity.properties[relationship].name) is not kept in pairs")
    }
    try store.checkWritable(entity)
    try store.write {
      let (owners, members) = try ends(join, relationship, entity, owner, member)
      if join.isInMembers { return try enter(join, owner: owners[0], member: members[0]) }
      if try isLinked(join, owners, members) { return }
      var columns = join.ownerColumns + join.memberColumns
      var values = owners + members
      if let column = join.order {
        columns.append(column)
        values.append(.int(try order ?? placeBehind(join, column, owners)))
      }
      let list = columns.map(quotedName).joined(separator: ", ")
      let marks = columns.map { _ in "?" }.joined(separator: ", ")
      try store.connection.run("INSERT INTO \(quotedName(join.table)) (\(list)) VALUES (\(marks))", values)
    }
  }

  /// Removes a member from a to-many relationship in a join table.
  func unlink(_ relationship: Int, in entity: Entity, owner: Int64, member: Int64) throws {
    guard case .join(let join) = store.layout(of: entity).properties[relationship] else {
      preconditionFailure("\(entity.properties[relationship].name) is not kept in pairs")
    }
    try store.checkWritable(entity)
    try store.write {
      let (owners, members) = try ends(join, relationship, entity, owner, member)
      if join.isInMembers { return try leave(join, owner: owners[0], member: members[0]) }
      try store.connection.run("DELETE FROM \(quotedName(join.table)) WHERE \(join.pairCondition)", owners + members)
    }
  }

  /// The column values of a pair for an owner and a member.
  private func ends(
    _ join: JoinLayout, _ relationship: Int, _ entity: Entity, _ owner: Int64, _ member: Int64
  ) throws -> (owners: [Value], members: [Value]) {
    let destination = entity.destination(at: relationship)
    return (
      try store.values(of: join.ownerTarget, entity, owner),
      try store.values(of: join.memberTarget, destination, member)
    )
  }

  private func isLinked(_ join: JoinLayout, _ owners: [Value], _ members: [Value]) throws -> Bool {
    let text = "SELECT 1 FROM \(quotedName(join.table)) WHERE \(join.pairCondition)"
    return try store.connection.first(text, owners + members) != nil
  }

  /// A place after those of all the owner's members.
  private func placeBehind(_ join: JoinLayout, _ column: String, _ owners: [Value]) throws -> Int64 {
    let text = "SELECT max(\(quotedName(column))) FROM \(quotedName(join.table)) WHERE \(join.ownerCondition)"
    guard case .int(let last) = try store.connection.first(text, owners) else { return OrderKeys.start }
    let (place, isBeyond) = last.addingReportingOverflow(OrderKeys.step)
    if isBeyond { throw StoreError(.constraint("the places of \(join.table) have no room"), path: store.path) }
    return place
  }

  /// Adds a member to a to-many relationship without an inverse, which is stored in the member's row: the member leaves
  /// its former owner.
  private func enter(_ join: JoinLayout, owner: Value, member: Value) throws {
    let order = join.order.map { ", \(quotedName($0)) = NULL" } ?? ""
    let column = quotedName(join.ownerColumns[0])
    try store.connection.run(
      "UPDATE \(quotedName(join.table)) SET \(column) = ?\(order) WHERE Z_PK = ? AND \(column) IS NOT ?",
      [owner, member, owner])
  }

  /// Removes a member from such a to-many relationship.
  private func leave(_ join: JoinLayout, owner: Value, member: Value) throws {
    let order = join.order.map { ", \(quotedName($0)) = NULL" } ?? ""
    let column = quotedName(join.ownerColumns[0])
    try store.connection.run(
      "UPDATE \(quotedName(join.table)) SET \(column) = NULL\(order) WHERE Z_PK = ? AND \(column) = ?",
      [member, owner])
  }

  // MARK: Order

  /// Sets the order of the members of an ordered to-many relationship (in the members' rows or in the join table).
  ///
  /// Places are sparse numbers, so that a move rewrites as few of them as possible. Members that others have added come
  /// last; members that they have moved to another owner are left alone.
  func setOrder(_ relationship: Int, in entity: Entity, owner: Int64, members: [Int64]) throws {
    try store.checkWritable(entity)
    let members = OrderKeys.arranged(members, among: try places(of: relationship, entity, owner))
    let changes = OrderKeys.changes(members.map(\.place))
    guard !changes.isEmpty else { return }
    try store.write {
      for (index, place) in changes { try setPlace(relationship, entity, owner, members[index].member, place) }
    }
  }

  /// The current members of an owner, with their places.
  private func places(of relationship: Int, _ entity: Entity, _ owner: Int64) throws -> [OrderKeys.Member] {
    let destination = entity.destination(at: relationship)
    let compiler = SQLCompiler(store.schema)
    let place = compiler.place(entity)
    let (member, condition, order) = try compiler.enter(relationship, from: place, into: place.source)
    guard let order else { preconditionFailure("\(entity.properties[relationship].name) keeps no order") }
    let keys = store.layout(of: destination).key.columns.map(member.column)
    var statement = SelectStatement()
    statement.columns = [order] + keys
    statement.conditions =
      zip(store.layout(of: entity).key.columns, store.keyValues(of: entity, key: owner)).map {
        SQLCondition("\(place.column($0)) = \(value: $1)")
      } + [condition]
    statement.from = place.source.sql
    let interner = store.interner(of: destination)
    let sql = statement.sql
    return try store.connection.all(sql.text, sql.arguments.map(ValueCoding.stored)).map { row in
      let place: Int64? = if case .int(let number) = row[0] { number } else { nil }
      let key = Array(row.dropFirst())
      if let interner { return (interner.number(of: key), place) }
      guard case .int(let number) = key[0] else { return (0, place) }
      return (number, place)
    }
  }

  private func setPlace(
    _ relationship: Int, _ entity: Entity, _ owner: Int64, _ member: Int64, _ place: Int64
  ) throws {
    let destination = entity.destination(at: relationship)
    switch store.layout(of: entity).properties[relationship] {
    case .inverse(_, let column?):
      let layout = store.layout(of: destination)
      let text = "UPDATE \(quotedName(layout.table)) SET \(quotedName(column)) = ? WHERE \(layout.key.condition)"
      try store.connection.run(text, [.int(place)] + store.keyValues(of: destination, key: member))
    case .join(let join):
      guard let column = join.order else { return }
      let (owners, members) = try ends(join, relationship, entity, owner, member)
      let text = "UPDATE \(quotedName(join.table)) SET \(quotedName(column)) = ? WHERE \(join.pairCondition)"
      try store.connection.run(text, [.int(place)] + owners + members)
    case .inverse, .column, .reference, .none: break
    }
  }
}

extension JoinLayout {
  /// `owner = ?`
  var ownerCondition: String { ownerColumns.map { "\(quotedName($0)) = ?" }.joined(separator: " AND ") }
  /// `owner = ? AND member = ?`
  var pairCondition: String {
    (ownerColumns + memberColumns).map { "\(quotedName($0)) = ?" }.joined(separator: " AND ")
  }
}
