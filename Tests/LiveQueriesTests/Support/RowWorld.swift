import Foundation
import Modeling
import Queries
import TestSupport

@testable import SQLiteStorage
@testable import Stores

/// A store with every kind of relationship, whose rows are written at random by SQL, and random requests over it; the
/// same seed makes the same ones.
final class RowWorld {
  let store: SQLiteStore
  private(set) var random: SplitMix
  private let folder: TemporaryFolder?
  private let tables: [Table]
  /// What the transactions since the last `takeTouched` touched.
  private var touched = TouchedRows()
  private var subscription: CommitSubscription?

  struct Table {
    var name: String
    var key: [String]
    var columns: [Column]
  }

  struct Column {
    var name: String
    /// What it holds if it refers to nothing.
    var values: [Value]
    var target: (table: String, column: String)?
  }

  init(seed: UInt64, _ store: SQLiteStore, _ folder: TemporaryFolder? = nil) throws {
    self.store = store
    self.folder = folder
    random = SplitMix(seed: seed)
    tables = try Self.tables(of: store)
    try store.connection.execute("PRAGMA foreign_keys = \(seed % 3 == 0 ? 0 : 1)")
    for _ in 0..<4 { for table in tables { insert(into: table) } }
    subscription = store.onCommit { [weak self, store] in self?.touched.formUnion(TouchedRows($0, of: store)) }
  }

  deinit { subscription?.cancel() }

  func takeTouched() -> TouchedRows {
    defer { touched = TouchedRows() }
    return touched
  }

  func chance(_ percent: Int) -> Bool { random.below(100) < percent }
  func pick<Element>(_ elements: [Element]) -> Element { elements[random.below(elements.count)] }

  // MARK: Stores

  static func own() throws -> SQLiteStore {
    func attribute(_ name: String, _ type: AttributeType, derived: String? = nil) -> Property {
      var attribute = Attribute(name, type)
      attribute.derivation = derived
      return .attribute(attribute)
    }
    func toMany(_ name: String, _ entity: String, _ inverse: String, ordered: Bool = false) -> Property {
      var relationship = Relationship(toMany: name, entity, inverse: inverse)
      relationship.isOrdered = ordered
      if name == "members" { relationship.deleteRule = .cascade }
      return .relationship(relationship)
    }
    func toOne(_ name: String, _ entity: String, _ inverse: String) -> Property {
      .relationship(Relationship(toOne: name, entity, inverse: inverse))
    }
    let team = EntityDescription(
      "Team",
      properties: [
        attribute("name", .string), attribute("rank", .integer64),
        attribute("size", .integer64, derived: "members.@count"),
        toMany("members", "Person", "team", ordered: true), toOne("captain", "Person", "captainOf"),
        toMany("sponsors", "Sponsor", "teams", ordered: true),
      ])
    let person = EntityDescription(
      "Person",
      properties: [
        attribute("name", .string), attribute("age", .integer64), attribute("weight", .double),
        attribute("born", .date),
        attribute("initial", .string, derived: "lowercase(name)"), toOne("team", "Team", "members"),
        toOne("captainOf", "Team", "captain"), toOne("boss", "Person", "reports"), toMany("reports", "Person", "boss"),
        toMany("friends", "Person", "friends"),
      ])
    let employee = EntityDescription(
      "Employee", parent: "Person", properties: [attribute("salary", .integer64), toOne("office", "Office", "staff")])
    let office = EntityDescription(
      "Office", properties: [attribute("name", .string), toMany("staff", "Employee", "office")])
    let sponsor = EntityDescription(
      "Sponsor",
      properties: [
        attribute("name", .string), attribute("weight", .double), toMany("teams", "Team", "sponsors"),
      ])
    var options = StoreOptions(path: ":memory:")
    options.model = try Model([team, person, employee, office, sponsor])
    return try SQLiteStore(options)
  }

  static let foreignSchema = """
    CREATE TABLE network(code TEXT PRIMARY KEY, name TEXT UNIQUE, rank INTEGER) WITHOUT ROWID;
    CREATE TABLE station(net TEXT REFERENCES network(code) ON UPDATE CASCADE ON DELETE CASCADE, code TEXT, name TEXT,
      height REAL, PRIMARY KEY (net, code)) WITHOUT ROWID;
    CREATE TABLE pick(id INTEGER PRIMARY KEY, net TEXT, code TEXT, phase TEXT, weight REAL,
      FOREIGN KEY (net, code) REFERENCES station(net, code) ON DELETE SET NULL ON UPDATE CASCADE);
    CREATE TABLE person(id INTEGER PRIMARY KEY, badge TEXT UNIQUE, name TEXT, age INTEGER,
      twice INTEGER GENERATED ALWAYS AS (age * 2) VIRTUAL, boss INTEGER REFERENCES person(id) ON DELETE SET NULL,
      network TEXT REFERENCES network(name) ON UPDATE CASCADE);
    CREATE TABLE visit(id INTEGER PRIMARY KEY, badge TEXT REFERENCES person(badge) ON UPDATE CASCADE, kind TEXT,
      score INTEGER);
    CREATE TABLE tag(id INTEGER PRIMARY KEY, label TEXT);
    CREATE TABLE person_tag(person_id INTEGER REFERENCES person(id) ON DELETE CASCADE,
      tag_id INTEGER REFERENCES tag(id) ON DELETE CASCADE);
    CREATE TABLE badge_tag(badge TEXT REFERENCES person(badge), tag_id INTEGER REFERENCES tag(id),
      PRIMARY KEY (badge, tag_id)) WITHOUT ROWID;
    CREATE TABLE station_tag(net TEXT, code TEXT, tag_id INTEGER REFERENCES tag(id) ON DELETE CASCADE,
      FOREIGN KEY (net, code) REFERENCES station(net, code) ON DELETE CASCADE, PRIMARY KEY (net, code, tag_id));
    CREATE TRIGGER older AFTER UPDATE OF age ON person BEGIN UPDATE person SET name = 'c' WHERE boss = new.id; END;
    CREATE TRIGGER untag AFTER DELETE ON visit BEGIN DELETE FROM tag WHERE id = old.id; END;
    """

  static func foreign() throws -> (store: SQLiteStore, folder: TemporaryFolder) {
    let folder = try TemporaryFolder()
    let path = try folder.database("f.sqlite", foreignSchema)
    return (try SQLiteStore(StoreOptions(path: path)), folder)
  }

  private static func tables(of store: SQLiteStore) throws -> [Table] {
    let connection = store.connection
    let names = try connection.all(
      """
      SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
        AND name NOT LIKE 'sqlite%' AND name NOT LIKE '\\_perilune%' ESCAPE '\\' ORDER BY name
      """)
    return try names.map { row in
      let references = try connection.all("SELECT \"from\", \"table\", \"to\" FROM pragma_foreign_key_list(?)", row)
      let columns = try connection.all("SELECT name, type, pk FROM pragma_table_xinfo(?) WHERE hidden = 0", row)
      let name = row[0].text
      var table = Table(name: name, key: columns.filter { $0[2] != .int(0) }.map { $0[0].text }, columns: [])
      if table.key.isEmpty { table.key = ["rowid"] }
      for column in columns {
        let reference = references.first { $0[0] == column[0] }
        let values: [Value] =
          switch (column[0].text, column[1].text) {
          case ("_entity", _):
            store.model.entities.filter { store.layout(of: $0).table == name }.map { .string($0.name) }
          case (_, "TEXT"): ["a", "b", "c"].map(Value.string) + [.null]
          case (_, "REAL"): [0.5, 1, 2.5, 4].map(Value.double) + [.null]
          default: (0..<6).map { .int(Int64($0)) } + [.null]
          }
        table.columns.append(
          Column(name: column[0].text, values: values, target: reference.map { ($0[1].text, $0[2].text) }))
      }
      return table
    }
  }
}

// MARK: Writes

extension RowWorld {
  /// Writes something, in one transaction or several; what fails is undone or left half done, as SQLite has it.
  func write() {
    guard chance(60) else {
      change()
      return
    }
    run("BEGIN")
    for _ in 0..<1 + random.below(4) {
      if chance(20) {
        run("SAVEPOINT s")
        change()
        run(chance(50) ? "ROLLBACK TO s" : "RELEASE s")
      }
      change()
    }
    if chance(8) || !run("COMMIT") { run("ROLLBACK") }
  }

  private func change() {
    let table = pick(tables)
    switch random.below(100) {
    case 0..<35: update(table)
    case 35..<65: insert(into: table)
    case 65..<90: row(of: table).map { _ = run("DELETE FROM \(table.name) WHERE \($0)") }
    case 90..<94: run("DELETE FROM \(table.name)")
    default:
      let column = pick(table.columns)
      run("UPDATE \(table.name) SET \(column.name) = \(literal(value(for: column)))")
    }
  }

  private func insert(into table: Table) {
    let isReplacing = chance(30)
    let columns = table.columns.filter { column in
      let isRowID = table.key == [column.name] && column.target == nil && column.values.contains(.int(5))
      return !isRowID || isReplacing || chance(20)
    }
    let values = columns.map { literal(value(for: $0)) }.joined(separator: ", ")
    let names = columns.map(\.name).joined(separator: ", ")
    run("INSERT \(isReplacing ? "OR REPLACE " : "")INTO \(table.name)(\(names)) VALUES (\(values))")
  }

  private func update(_ table: Table) {
    guard let row = row(of: table) else { return }
    let columns = (0..<1 + random.below(2)).map { _ in pick(table.columns) }
    let changes = columns.map { "\($0.name) = \(literal(value(for: $0)))" }.joined(separator: ", ")
    run("UPDATE \(chance(30) ? "OR REPLACE " : "")\(table.name) SET \(changes) WHERE \(row)")
  }

  private func row(of table: Table) -> String? {
    let keys = table.key.joined(separator: ", ")
    guard let rows = try? store.connection.all("SELECT \(keys) FROM \(table.name) ORDER BY 1"), !rows.isEmpty else {
      return nil
    }
    return zip(table.key, pick(rows)).map { "\($0) IS \(literal($1))" }.joined(separator: " AND ")
  }

  private func value(for column: Column) -> Value {
    guard let target = column.target, chance(85) else { return pick(column.values) }
    let found = (try? store.connection.all("SELECT \(target.column) FROM \(target.table) ORDER BY 1")) ?? []
    return found.isEmpty ? pick(column.values) : pick(found)[0]
  }

  private func literal(_ value: Value) -> String {
    switch value {
    case .int(let number): "\(number)"
    case .double(let number): "\(number)"
    case .string(let text): "'\(text)'"
    default: "NULL"
    }
  }

  @discardableResult
  private func run(_ sql: String) -> Bool {
    do {
      _ = try store.sql(sql)
      return true
    } catch { return false }
  }
}

// MARK: Requests

extension RowWorld {
  /// A request of any entity; nil where what was made is none.
  func request() -> FetchRequest? {
    var request = FetchRequest(pick(store.model.entities))
    request.includesSubentities = !chance(15)
    if chance(85) {
      guard let predicate = try? Predicate.parse(condition(request.entity, depth: 2)) else { return nil }
      request.predicate = predicate
    }
    for _ in 0..<random.below(3) {
      guard let expression = try? Queries.Expression.parse(single(request.entity)) else { return nil }
      request.sortDescriptors.append(
        SortDescriptor(
          expression, ascending: chance(60), comparator: pick(SortDescriptor.StringComparator.allCases)))
    }
    if chance(30) { request.sectionIdentifier = try? Queries.Expression.parse(single(request.entity)) }
    do { try request.validate(for: .fetch) } catch { return nil }
    return request
  }

  /// An expression with one value for each object.
  private func single(_ entity: Entity) -> String {
    if chance(25), let many = path(entity, toManys: 1...1, toAttribute: false) { return "\(many.text).@count" }
    return path(entity, toManys: 0...0, toAttribute: true)?.text ?? "SELF"
  }

  private func condition(_ entity: Entity, depth: Int) -> String {
    if depth > 0, chance(30) {
      let (one, other) = (condition(entity, depth: depth - 1), condition(entity, depth: depth - 1))
      return pick(["(\(one)) AND (\(other))", "(\(one)) OR (\(other))", "NOT (\(one))"])
    }
    switch random.below(8) {
    case 0, 1:
      guard let path = path(entity, toManys: 0...0, toAttribute: true) else { return "TRUEPREDICATE" }
      return path.text + test(path.type)
    case 2: return path(entity, toManys: 0...0, toAttribute: false).map { "\($0.text) == nil" } ?? "TRUEPREDICATE"
    case 3, 4:
      guard let path = path(entity, toManys: 1...2, toAttribute: true) else { return "TRUEPREDICATE" }
      return "\(pick(["ANY", "ALL", "NONE"])) \(path.text)\(test(path.type))"
    case 5:
      return path(entity, toManys: 1...2, toAttribute: false).map { "\($0.text).@count > \(random.below(3))" }
        ?? "TRUEPREDICATE"
    case 6:
      guard let path = path(entity, toManys: 1...1, toAttribute: false) else { return "TRUEPREDICATE" }
      guard let inner = self.path(path.end, toManys: 0...0, toAttribute: true) else { return "TRUEPREDICATE" }
      return "SUBQUERY(\(path.text), $x, $x.\(inner.text)\(test(inner.type))).@count > \(random.below(2))"
    default:
      guard let path = path(entity, toManys: 1...1, toAttribute: false),
        let name = path.end.attributes.first(where: { $0.type == .integer64 || $0.type == .double })?.name
      else { return "TRUEPREDICATE" }
      return pick(["\(path.text).@sum.\(name) > 3", "\(path.text).@max.\(name) > 2", "\(path.text)[FIRST].\(name) < 3"])
    }
  }

  private func test(_ type: AttributeType) -> String {
    if chance(15) { return pick([" == nil", " != nil"]) }
    return type == .string ? pick([" == 'a'", " > 'a'", " IN {'b', 'c'}"]) : pick([" > 2", " == 1", " < 4"])
  }

  private func path(
    _ entity: Entity, toManys: ClosedRange<Int>, toAttribute: Bool
  ) -> (text: String, type: AttributeType, end: Entity)? {
    for _ in 0..<12 {
      var (names, current, count): ([String], Entity, Int) = ([], entity, 0)
      let length = random.below(4) + (toManys.lowerBound > 0 || !toAttribute ? 1 : 0)
      for _ in 0..<length {
        let indices = current.properties.indices.filter { current.properties[$0].relationship != nil }
        guard !indices.isEmpty else { break }
        let index = pick(indices)
        names.append(current.properties[index].name)
        if current.properties[index].relationship?.isToMany == true { count += 1 }
        current = current.destination(at: index)
      }
      guard toManys.contains(count), toAttribute || !names.isEmpty else { continue }
      guard toAttribute else { return (names.joined(separator: "."), .any, current) }
      guard !current.attributes.isEmpty else { continue }
      let attribute = pick(current.attributes)
      if attribute.type == .date { continue }
      return ((names + [attribute.name]).joined(separator: "."), attribute.type, current)
    }
    return nil
  }
}

extension Value {
  fileprivate var text: String { if case .string(let text) = self { text } else { "" } }
}
