import Modeling
import SQLite

/// Checks a Core Data store against the rules that its framework relies on.
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

  /// Adds a problem for each row of a query: its key, then the expected and the found value, if the query selects them.
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

  /// The numbers of an entity and its descendants, as an SQL list.
  func family(_ entity: Entity) -> String {
    "(" + entity.family.compactMap { coreData.numbers[$0] }.map(String.init).joined(separator: ", ") + ")"
  }

  // MARK: Bookkeeping

  private mutating func checkNumbers() throws {
    let wanted = Set(store.model.entities.map(\.name))
    let stored = coreData.metadata.entityNames ?? wanted
    for name in stored.symmetricDifference(wanted).sorted() {
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
}
