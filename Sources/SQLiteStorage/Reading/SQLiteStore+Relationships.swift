public import Modeling
import SQLite

/// The destinations of relationships, for many objects at once.
extension SQLiteStore {
  /// Returns the members of a to-many relationship for each owner, in its order, as (owner, member) grouped by owner.
  public func members(
    of relationship: Int, in entity: Entity, owners: some Collection<Int64>
  ) throws -> [(owner: Int64, member: Int64)] {
    let (ownerKeys, memberKeys) = (interner(of: entity), interner(of: entity.destination(at: relationship)))
    let group = ownerKeys != nil || owners.count == 1 ? 1 : owners.count <= 16 ? 16 : 256
    let text = try texts.text(entity, .members(relationship: relationship, owners: group)) {
      try membersSQL(relationship, entity, group).statement.sql
    }
    let statement = try connection.checkOut(text)
    defer { connection.checkIn(statement) }
    let width = layout(of: entity).key.columns.count
    let columns = statement.columnCount
    var found: [(owner: Int64, member: Int64)] = []
    var rest = owners.makeIterator()
    while try bindOwners(&rest, group, ownerKeys, statement) {
      while try statement.step() {
        let owner = ownerKeys.map { $0.number(of: (0..<width).map(statement.value)) } ?? statement.integer(0)
        let member =
          memberKeys.map { $0.number(of: (width..<columns).map(statement.value)) } ?? statement.integer(width)
        found.append((owner, member))
      }
    }
    return found
  }

  /// Returns the member counts of a to-many relationship for each owner; owners without members are omitted.
  public func memberCounts(
    of relationship: Int, in entity: Entity, owners: some Collection<Int64>
  ) throws -> [Int64: Int] {
    guard let first = owners.first else { return [:] }
    let ownerKeys = interner(of: entity)
    if owners.count == 1 { return [first: try memberCount(of: relationship, in: entity, owner: first)] }
    let group = ownerKeys != nil ? 1 : owners.count <= 16 ? 16 : 256
    let text = try texts.text(entity, .memberCounts(relationship: relationship, owners: group)) {
      let (statement, owner) = try membersSQL(relationship, entity, group)
      var counting = statement
      counting.columns = owner + ["count(*)"]
      counting.groups = owner
      counting.order = []
      return counting.sql
    }
    let statement = try connection.checkOut(text)
    defer { connection.checkIn(statement) }
    let width = layout(of: entity).key.columns.count
    var found: [Int64: Int] = [:]
    var rest = owners.makeIterator()
    while try bindOwners(&rest, group, ownerKeys, statement) {
      while try statement.step() {
        let owner = ownerKeys.map { $0.number(of: (0..<width).map(statement.value)) } ?? statement.integer(0)
        found[owner] = Int(statement.integer(width))
      }
    }
    return found
  }

  /// Binds the next owners; returns false if there are none.
  private func bindOwners(
    _ owners: inout some IteratorProtocol<Int64>, _ group: Int, _ interner: KeyInterner?, _ statement: Statement
  ) throws -> Bool {
    var count = 0
    while count < group, let owner = owners.next() {
      if let interner {
        guard let key = interner.key(owner) else { continue }
        for (index, value) in key.enumerated() { try statement.bind(value, at: index + 1) }
      } else {
        try statement.bind(owner, at: count + 1)
      }
      count += 1
    }
    if count > 0, count < group { for index in count..<group { try statement.bindNull(at: index + 1) } }
    return count > 0
  }

  /// A SELECT of owner and member keys. It omits the owner's table if the members hold the owner's key.
  private func membersSQL(
    _ relationship: Int, _ entity: Entity, _ group: Int
  ) throws -> (statement: SelectStatement, owner: [SQLFragment]) {
    let compiler = SQLCompiler(schema)
    var statement = SelectStatement()
    var owner: [SQLFragment]
    let destination = entity.destination(at: relationship)
    let back = layout(of: destination)
    if case .inverse(let index, let order) = layout(of: entity).properties[relationship],
      case .reference(let columns, .key) = back.properties[index]
    {
      let member = compiler.place(destination)
      owner = columns.map { member.column(back.columns[$0].name) }
      let keys = back.key.columns.map(member.column)
      statement.columns = owner + keys
      statement.order = owner + (order.map { [member.column($0)] } ?? []) + keys
      if let family = compiler.familyCondition(destination, alias: member.alias, includesSubentities: true) {
        statement.conditions.append(SQLCondition(family.inlined))
      }
      statement.from = member.source.sql
    } else {
      let place = compiler.place(entity)
      owner = layout(of: entity).key.columns.map(place.column)
      let (member, condition, order) = try compiler.enter(relationship, from: place, into: place.source)
      let keys = back.key.columns.map(member.column)
      statement.columns = owner + keys
      statement.order = owner + (order.map { [$0] } ?? []) + keys
      statement.conditions = [SQLCondition(condition.sql.inlined, condition.level)]
      statement.from = place.source.sql
    }
    if group == 1 {
      statement.conditions.insert(contentsOf: owner.map { SQLCondition("\($0) = \(value: .null)") }, at: 0)
    } else {
      let marks = [SQLFragment](repeating: SQLFragment(value: .null), count: group).joined(separator: ", ")
      statement.conditions.insert(SQLCondition("\(owner[0]) IN (\(marks))"), at: 0)
    }
    return (statement, owner)
  }

  /// Returns the destinations of a to-one relationship that the owners' rows store; deleted rows are omitted.
  package func destinations(of relationship: Int, in entity: Entity, owners: [Int64]) throws -> [Int64] {
    guard case .reference(let columns, _) = layout(of: entity).properties[relationship] else { return [] }
    let layout = layout(of: entity)
    let cursor = try rows(of: entity, keys: owners)
    var found: [Int64] = []
    while try cursor.step() {
      let values = columns.map { column in
        ValueCoding.decode(
          cursor.storageClass(column), integer: cursor.integer(column), real: cursor.real(column),
          bytes: cursor.bytes(column), as: layout.columns[column].type)
      }
      if let key = try resolve(values, of: relationship, in: entity) { found.append(key) }
    }
    return found
  }

  /// Returns the member count of a to-many relationship of the owner.
  public func memberCount(of relationship: Int, in entity: Entity, owner: Int64) throws -> Int {
    let text = try texts.text(entity, .memberCount(relationship: relationship)) {
      let compiler = SQLCompiler(schema)
      let place = compiler.place(entity)
      let (_, condition, _) = try compiler.enter(relationship, from: place, into: place.source)
      var statement = SelectStatement()
      statement.columns = ["count(*)"]
      statement.conditions = layout(of: entity).key.columns.map {
        SQLCondition("\(place.column($0)) = \(value: .null)")
      }
      statement.conditions.append(SQLCondition(condition.sql.inlined, condition.level))
      statement.from = place.source.sql
      return statement.sql
    }
    return try connection.with(text, keyValues(of: entity, key: owner)) { statement throws(StoreError) in
      try statement.step() ? Int(statement.integer(0)) : 0
    }
  }

  /// Returns the key of the row that a reference's column values identify; nil if there is no such row.
  public func resolve(_ reference: [Value], of relationship: Int, in entity: Entity) throws -> Int64? {
    guard case .reference(_, let target) = layout(of: entity).properties[relationship],
      !reference.contains(where: \.isNull)
    else { return nil }
    let destination = entity.destination(at: relationship)
    let layout = layout(of: destination)
    let names = target.columns(layout)
    let text = texts.text(destination, .find(["->"] + names)) {
      let condition = names.map { "\(name: $0) = \(value: .null)" as SQLFragment }.joined(separator: " AND ")
      let keys = layout.key.columns.map { SQLFragment(name: $0) }.joined(separator: ", ")
      return "SELECT \(keys) FROM \(name: layout.table) WHERE \(condition) LIMIT 1"
    }
    let interner = interner(of: destination)
    return try connection.with(text, reference.map(ValueCoding.stored)) { statement throws(StoreError) in
      guard try statement.step() else { return nil }
      return interner.map { $0.number(of: (0..<statement.columnCount).map(statement.value)) } ?? statement.integer(0)
    }
  }

  /// Returns the keys of the rows that values of a reference's only column identify. Values without a row are omitted,
  /// and so are values that only a collation treats as equal to the row's.
  public func resolveAll(
    _ values: some Collection<Value>, of relationship: Int, in entity: Entity
  ) throws -> [(value: Value, key: Int64)] {
    let properties = layout(of: entity).properties
    guard case .reference(let columns, let target) = properties[relationship], columns.count == 1 else { return [] }
    let type = layout(of: entity).columns[columns[0]].type
    let destination = entity.destination(at: relationship)
    let layout = layout(of: destination)
    let name = target.columns(layout)[0]
    let group = 64
    let text = texts.text(destination, .find(["=>", name])) {
      let marks = [SQLFragment](repeating: SQLFragment(value: .null), count: group).joined(separator: ", ")
      let keys = layout.key.columns.map { SQLFragment(name: $0) }.joined(separator: ", ")
      return "SELECT \(name: name), \(keys) FROM \(name: layout.table) WHERE \(name: name) IN (\(marks))"
    }
    let interner = interner(of: destination)
    let statement = try connection.checkOut(text)
    defer { connection.checkIn(statement) }
    var found: [(value: Value, key: Int64)] = []
    var rest = values.makeIterator()
    while true {
      var count = 0
      while count < group, let value = rest.next() {
        count += 1
        try statement.bind(ValueCoding.stored(value), at: count)
      }
      guard count > 0 else { return found }
      if count < group { for index in count..<group { try statement.bindNull(at: index + 1) } }
      while try statement.step() {
        let key =
          interner.map { $0.number(of: (1..<statement.columnCount).map(statement.value)) } ?? statement.integer(1)
        let value = ValueCoding.decode(
          statement.storageClass(0), integer: statement.integer(0), real: statement.real(0),
          bytes: statement.bytes(0), as: type)
        found.append((value, key))
      }
    }
  }

  /// Returns the column values of a reference to `key`; nulls if the row does not exist.
  public func referenceValues(to key: Int64, of relationship: Int, in entity: Entity) throws -> [Value] {
    let destination = entity.destination(at: relationship)
    let values = keyValues(of: destination, key: key)
    guard case .reference(_, .columns(let names)) = layout(of: entity).properties[relationship] else { return values }
    let layout = layout(of: destination)
    let text = texts.text(destination, .referenceValues(names)) {
      let columns = names.map { SQLFragment(name: $0) }.joined(separator: ", ")
      let condition = layout.key.columns.map { "\(name: $0) = \(value: .null)" as SQLFragment }.joined(
        separator: " AND ")
      return "SELECT \(columns) FROM \(name: layout.table) WHERE \(condition)"
    }
    return try connection.with(text, values) { statement throws(StoreError) in
      try statement.step() ? names.indices.map(statement.value) : names.map { _ in .null }
    }
  }
}
