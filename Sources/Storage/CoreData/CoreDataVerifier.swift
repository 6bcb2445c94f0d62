import Modeling

/// Holds a Core Data store against what its framework takes for granted.
struct CoreDataVerifier {
  let store: SQLiteStore
  let coreData: CoreDataStore
  let limit: Int
  var problems: [StoreProblem] = []

  var connection: Connection { store.connection }

  init(_ store: SQLiteStore, _ coreData: CoreDataStore, limit: Int) {
    self.store = store
    self.coreData = coreData
    self.limit = limit
  }

  mutating func run() throws {
    try checkNumbers()
    for (root, table) in coreData.links.roots { try checkRows(root, table) }
    for entity in store.model.entities { try checkValues(entity) }
    for name in coreData.links.columns.keys.sorted() {
      for link in coreData.links.columns[name] ?? [] { try checkLink(link) }
    }
    for name in coreData.links.pairs.keys.sorted() {
      if let pairs = coreData.links.pairs[name] { try checkPairs(pairs) }
    }
    try checkFiles()
    try checkHistory()
  }

  /// Notes a problem for each row that a query gives: key, then what was expected and found, as far as it tells.
  mutating func report(
    _ rule: StoreProblem.Rule, _ table: String, subject: String? = nil, _ sql: String, _ values: [Value] = []
  ) throws {
    for row in try connection.all("\(sql) LIMIT \(limit)", values) {
      var problem = StoreProblem(rule: rule, table: table, subject: subject)
      if case .int(let key) = row[0] { problem.key = key }
      if row.count > 1 { problem.expected = row[1].isNull ? "nothing" : row[1].displayText }
      if row.count > 2 { problem.found = row[2].isNull ? "nothing" : row[2].displayText }
      problems.append(problem)
    }
  }

  /// The numbers of an entity and its descendants, as a list in SQL.
  func family(_ entity: Entity) -> String {
    "(" + entity.family.compactMap { coreData.numbers[$0] }.map(String.init).joined(separator: ", ") + ")"
  }

  // MARK: Bookkeeping

  private mutating func checkNumbers() throws {
    let stored = Set(coreData.metadata.versionHashes.keys)
    for name in stored.symmetricDifference(store.model.entities.map(\.name)).sorted() {
      let isStored = stored.contains(name)
      problems.append(
        StoreProblem(
          rule: .modelHash, table: "Z_METADATA", subject: name,
          expected: isStored ? "an entity of the model" : "a hash",
          found: "nothing"))
    }
    var next: Int64 = 0
    var expected: [(entity: Entity, number: Int64)] = []
    func walk(_ entities: [Entity]) {
      for entity in entities.sorted(by: { $0.name.lowercased() < $1.name.lowercased() }) {
        next += 1
        expected.append((entity, next))
        walk(entity.subentities)
      }
    }
    walk(store.model.entities.filter { $0.parent == nil })
    for (entity, number) in expected where coreData.numbers[entity] != number {
      problems.append(
        StoreProblem(
          rule: .entityNumber, table: "Z_PRIMARYKEY", subject: entity.name, expected: "\(number)",
          found: coreData.numbers[entity].map { "\($0)" } ?? "nothing"))
    }
    for (entity, number) in expected {
      let parent = entity.parent.flatMap { coreData.numbers[$0] } ?? 0
      try report(
        .entityNumber, "Z_PRIMARYKEY", subject: "\(entity.name).Z_SUPER",
        "SELECT Z_ENT, ?, Z_SUPER FROM Z_PRIMARYKEY WHERE Z_ENT = ? AND Z_SUPER IS NOT ?",
        [.int(parent), .int(coreData.numbers[entity] ?? number), .int(parent)])
    }
  }

  private mutating func checkRows(_ root: Entity, _ table: String) throws {
    let (name, number) = (quotedName(table), coreData.rootNumber(of: root))
    try report(
      .highestKey, "Z_PRIMARYKEY", subject: root.name,
      """
      SELECT k.highest, k.highest, (SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(number))
      FROM (SELECT max(Z_PK) AS highest FROM \(name)) AS k
      WHERE k.highest > coalesce((SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(number)), 0)
      """)
    let concrete = root.family.filter { !$0.isAbstract }.compactMap { coreData.numbers[$0] }.map(String.init)
    let list = concrete.joined(separator: ", ")
    try report(
      .entity, table, subject: "Z_ENT",
      "SELECT Z_PK, '\(list)', Z_ENT FROM \(name) WHERE Z_ENT IS NULL OR Z_ENT NOT IN (\(list))")
    try report(
      .version, table, subject: "Z_OPT",
      "SELECT Z_PK, '1 or more', Z_OPT FROM \(name) WHERE coalesce(Z_OPT, 0) < 1")
  }

  // MARK: Values

  private mutating func checkValues(_ entity: Entity) throws {
    let layout = store.layout(of: entity)
    let (table, family) = (quotedName(layout.table), family(entity))
    for index in (entity.parent?.properties.count ?? 0)..<entity.properties.count {
      let property = entity.properties[index]
      try checkMandatory(property, layout.properties[index], layout, family)
      if let attribute = property.attribute, attribute.derivation?.hasSuffix(".@count") == true {
        try checkCount(attribute, index, entity, layout)
      }
    }
    let inherited = entity.parent?.uniquenessConstraints.count ?? 0
    for names in entity.uniquenessConstraints.dropFirst(inherited) {
      let columns = names.compactMap { name -> String? in
        guard let index = entity.index(of: name), let place = layout.properties[index].ownColumns.first else {
          return nil
        }
        return quotedName(layout.columns[place].name)
      }
      guard columns.count == names.count else { continue }
      let (list, known) = (
        columns.joined(separator: ", "), columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
      )
      try report(
        .unique, layout.table, subject: names.joined(separator: ", "),
        """
        SELECT max(Z_PK), 1, count(*) FROM \(table) WHERE Z_ENT IN \(family) AND \(known)
        GROUP BY \(list) HAVING count(*) > 1
        """)
    }
  }

  private mutating func checkMandatory(
    _ property: Property, _ place: PropertyLayout, _ layout: EntityLayout, _ family: String
  ) throws {
    let isOptional = property.attribute?.isOptional ?? property.relationship?.isOptional ?? true
    guard !isOptional, property.attribute?.isTransient != true else { return }
    for column in place.ownColumns {
      if case .elements = layout.columns[column].encoding { continue }
      let name = quotedName(layout.columns[column].name)
      try report(
        .mandatory, layout.table, subject: property.name,
        """
        SELECT Z_PK, 'a value', NULL FROM \(quotedName(layout.table)) WHERE Z_ENT IN \(family) AND \(name) IS NULL
        """)
    }
  }

  private mutating func checkCount(
    _ attribute: Attribute, _ index: Int, _ entity: Entity, _ layout: EntityLayout
  ) throws {
    guard let derivation = attribute.derivation, case .column(let column) = layout.properties[index],
      let counted = entity.index(of: String(derivation.dropLast(".@count".count)))
    else { return }
    let members: String
    switch layout.properties[counted] {
    case .inverse(let back, _):
      let other = store.layout(of: entity.destination(at: counted))
      guard let place = other.properties[back].ownColumns.first else { return }
      members = "\(quotedName(other.table)) AS m WHERE m.\(quotedName(other.columns[place].name)) = o.Z_PK"
    case .join(let join):
      members = "\(quotedName(join.table)) AS m WHERE m.\(quotedName(join.ownerColumns[0])) = o.Z_PK"
    case .column, .reference, .none: return
    }
    let name = quotedName(layout.columns[column].name)
    try report(
      .count, layout.table, subject: attribute.name,
      """
      SELECT key, right, now FROM (SELECT o.Z_PK AS key, (SELECT count(*) FROM \(members)) AS right, o.\(name) AS now
        FROM \(quotedName(layout.table)) AS o WHERE o.Z_ENT IN \(family(entity))) WHERE right IS NOT coalesce(now, 0)
      """)
  }
}
