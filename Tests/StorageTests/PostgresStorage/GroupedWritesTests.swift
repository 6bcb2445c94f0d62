import Foundation
import Modeling
import Postgres
import PostgresStorage
import Queries
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

/// Writes of a transaction that are sent together do what they do one by one: rows, references, refusals and reports.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct GroupedWritesTests {
  private let server: PostgresServer
  private let database: String
  init() throws {
    server = try PostgresServer.shared.get()
    database = try server.makeDatabase(for: "groups")
  }

  private func open(_ sql: String) throws -> PostgresStore {
    try server.open(database, after: sql)
  }

  /// Values for each column of the layout, by the columns' names.
  private func row(_ store: PostgresStore, _ entity: Entity, _ values: [String: Value]) -> [Value] {
    store.layout(of: entity).columns.map { values[$0.name] ?? .null }
  }

  private func column(_ store: PostgresStore, _ entity: Entity, _ name: String) -> Int {
    store.layout(of: entity).columns.firstIndex { $0.name == name }!
  }

  private func error(_ body: () throws -> Void) -> StoreError? {
    do {
      try body()
      return nil
    } catch { return error as? StoreError }
  }

  private static let people = "CREATE TABLE person (id bigint PRIMARY KEY, name text UNIQUE, age int, note text)"

  @Test func theRowThatIsRefusedAmongManyIsNamed() throws {
    let store = try open(Self.people)
    let person = store.model.entity(named: "Person")!
    let refused = StoreError.Fact.notUnique(entity: "Person", properties: ["name"], values: [.string("p7")])
    let inserted = error {
      try store.transaction {
        for number in 0..<900 {
          let name = number == 700 ? "p7" : "p\(number)"
          try store.insert(person, row(store, person, ["id": .int(Int64(number)), "name": .string(name)]))
        }
      }
    }
    #expect(inserted?.fact == refused && inserted?.key == 700)
    #expect(try store.count(FetchRequest(person)) == 0)
    try store.transaction {
      for number in 0..<900 {
        try store.insert(
          person, row(store, person, ["id": .int(Int64(number)), "name": .string("p\(number)")]))
      }
    }
    let updated = error {
      try store.transaction {
        for number in 0..<900 {
          let name = number == 300 ? "p7" : "q\(number)"
          // The name was given up by then, and is taken again.
          _ = try store.update(person, key: Int64(number), [(column(store, person, "name"), .string(name))])
          if number == 200 {
            _ = try store.update(person, key: 7, [(column(store, person, "name"), .string("p7"))])
          }
        }
      }
    }
    #expect(updated?.fact == refused && updated?.key == 300)
    #expect(try server.psql(database, "SELECT count(*) FROM person WHERE name = 'p' || id") == "900")
  }

  @Test func uniqueValuesWanderFromRowToRowAsTheyDoOneByOne() throws {
    let store = try open(Self.people + "; INSERT INTO person SELECT i, 'p' || i FROM generate_series(1, 300) i")
    let person = store.model.entity(named: "Person")!
    let name = column(store, person, "name")
    try store.transaction {
      _ = try store.update(person, key: 1, [(name, .string("free"))])
      // Each takes what the row before it has just given up.
      for key in 2...300 { _ = try store.update(person, key: Int64(key), [(name, .string("p\(key - 1)"))]) }
    }
    #expect(try server.psql(database, "SELECT count(*) FROM person WHERE name = 'p' || (id - 1)") == "299")
  }

  @Test func aRowThatIsGoneAmongManyIsNoticed() throws {
    let store = try open(Self.people + "; INSERT INTO person SELECT i, 'p' || i FROM generate_series(1, 50) i")
    let person = store.model.entity(named: "Person")!
    let missing = error {
      try store.transaction {
        for key in 1...60 {
          _ = try store.update(person, key: Int64(key), [(column(store, person, "age"), .int(Int64(key)))])
        }
      }
    }
    #expect(missing?.fact == .missingRow(entity: "Person", key: "51"))
    #expect(try server.psql(database, "SELECT count(age) FROM person") == "0")
  }

  @Test(.seeded) func whateverIsWrittenInATransactionIsThereAndIsTold() throws {
    let store = try open(
      Self.people + ";CREATE TABLE pair (a int, b text, value int, PRIMARY KEY (a, b))")
    let (person, pair) = (store.model.entity(named: "Person")!, store.model.entity(named: "Pair")!)
    var random = SplitMix(seed: 41)
    var people: [Int64: [String: Value]] = [:]
    var pairs: [Int64: [String: Value]] = [:]
    var next: Int64 = 1
    for _ in 0..<Effort.rounds(12) {
      var touched = TouchedRows()
      let subscription = store.onOwnCommit { touched.formUnion($0.touched) }
      let before = people
      try store.transaction {
        for _ in 0..<(1 + random.below(120)) {
          let keys = people.keys.sorted()
          switch random.below(6) {
          case 0, 1:
            var values: [String: Value] = ["id": .int(next), "age": .int(Int64(random.below(90)))]
            if random.chance(oneIn: 2) { values["name"] = .string("p\(next)") }
            people[try store.insert(person, row(store, person, values))] = values
            next += 1
          case 2, 3:
            guard !keys.isEmpty else { continue }
            let (key, name) = (random.pick(keys), random.pick(["age", "note"]))
            let value: Value = name == "age" ? .int(Int64(random.below(90))) : .string("n\(random.below(9))")
            people[key]?[name] = value
            #expect(try store.update(person, key: key, [(column(store, person, name), value)]))
          case 4:
            guard !keys.isEmpty, random.chance(oneIn: 3) else { continue }
            let key = random.pick(keys)
            people[key] = nil
            #expect(try store.delete(person, key: key))
          default:
            let known = pairs.keys.sorted()
            if known.isEmpty || random.chance(oneIn: 2) {
              let values: [String: Value] = ["a": .int(next), "b": .string("b"), "value": .int(0)]
              next += 1
              pairs[try store.insert(pair, row(store, pair, values))] = values
            } else {
              let key = random.pick(known)
              pairs[key]?["value"] = .int(next)
              #expect(try store.update(pair, key: key, [(column(store, pair, "value"), .int(next))]))
            }
          }
        }
      }
      subscription?.cancel()
      try expectRows(store, person, people)
      try expectRows(store, pair, pairs)
      let table = touched.tables["person"]
      #expect(Set(table?.inserted ?? []) == Set(people.keys).subtracting(before.keys))
      #expect(Set(table?.deleted ?? []) == Set(before.keys).subtracting(people.keys))
      let changed = before.filter { key, values in people[key].map { $0 != values } ?? false }
      #expect(Set(table?.updated ?? []) == Set(changed.keys))
    }
  }

  private func expectRows(_ store: PostgresStore, _ entity: Entity, _ expected: [Int64: [String: Value]]) throws {
    let layout = store.layout(of: entity)
    var count = 0
    let cursor = try store.cursor(FetchRequest(entity), keysOnly: false)
    while try cursor.step() {
      count += 1
      let packed = cursor.pack()
      defer { packed.free() }
      for (index, column) in layout.columns.enumerated() {
        let storage = packed.storageClass(index)
        let isText = storage == .text || storage == .blob
        let value = ValueCoding.decode(
          storage, integer: packed.integer(index), real: packed.real(index),
          bytes: isText ? packed.bytes(index) : UnsafeRawBufferPointer(start: nil, count: 0), as: column.type)
        #expect(value == expected[cursor.key]?[column.name] ?? .null, "\(entity.name) \(cursor.key).\(column.name)")
      }
    }
    #expect(count == expected.count)
  }

  @Test func rowsOfEveryTypeAreWrittenTogetherAsTheyAreAlone() throws {
    let store = try open(
      """
      CREATE TYPE mood AS ENUM ('sad', 'ok'); CREATE DOMAIN email AS text CHECK (value LIKE '%@%');
      CREATE DOMAIN small AS smallint;
      CREATE TABLE every (id bigint PRIMARY KEY, a smallint, b integer, c real, d double precision, e numeric(12,3),
        f text, g varchar(9), h char(4), i mood, j email, k date, l timestamp, m timestamptz, n json, o jsonb, p uuid,
        q bytea, r boolean, s small, t name)
      """)
    let every = store.model.entity(named: "Every")!
    let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q", "r", "s", "t"]
    func value(_ name: String, _ number: Int) -> Value {
      if number % 5 == 4 { return .null }
      return switch name {
      case "a", "b", "s": .int(Int64(number))
      case "c", "d": .double(Double(number) / 4)
      case "e": .decimal(Decimal(number) / 8)
      case "i": .string(number % 2 == 0 ? "sad" : "ok")
      case "j": .string("a\(number)@x")
      case "k": .date(Timestamp(Double(number) * 86_400))
      case "l", "m": .date(Timestamp(Double(number) * 1_000 + 0.25))
      case "n", "o": .json(.object(["n": .int(Int64(number))]))
      case "p": .uuid(UUID(lenient: "E621E1F8-C36C-495A-93FC-0C247A3E6\(String(500 + number))")!)
      case "q": .data([0, UInt8(number), 255])
      case "r": .bool(number % 3 == 0)
      default: .string("t'\(number)")
      }
    }
    func values(_ number: Int) -> [String: Value] {
      Dictionary(uniqueKeysWithValues: names.map { ($0, value($0, number)) })
    }
    for number in 0..<3 {
      try store.insert(every, row(store, every, values(number).merging(["id": .int(Int64(number))]) { $1 }))
    }
    try store.transaction {
      for number in 0..<40 {
        try store.insert(every, row(store, every, values(number).merging(["id": .int(Int64(100 + number))]) { $1 }))
      }
    }
    try store.transaction {
      // A few, which no COPY is made for.
      for number in 0..<3 {
        try store.insert(every, row(store, every, values(number).merging(["id": .int(Int64(200 + number))]) { $1 }))
      }
    }
    try server.psql(database, "INSERT INTO every (id) SELECT generate_series(300, 339)")
    try store.transaction {
      for number in 0..<40 {
        let changes = names.map { (column: column(store, every, $0), value: value($0, number)) }
        _ = try store.update(every, key: Int64(300 + number), changes)
      }
    }
    let same = try server.psql(
      database,
      """
      SELECT count(*) FROM every x JOIN every y ON y.id = x.id % 100 AND y.id < 3
        WHERE x.id >= 100 AND row(x.*)::text = replace(row(y.*)::text, '(' || y.id, '(' || x.id)
      """)
    #expect(same == "9")
    #expect(try server.psql(database, "SELECT count(*) FROM every WHERE e = (id % 100) / 8.0 AND a = id % 100") == "70")
  }

  @Test func rowsMayReferToRowsThatAreWrittenWithThem() throws {
    let store = try open(
      """
      CREATE TABLE house (id bigint PRIMARY KEY, owner bigint);
      CREATE TABLE person (id bigint PRIMARY KEY, house bigint REFERENCES house, mother bigint REFERENCES person);
      ALTER TABLE house ADD FOREIGN KEY (owner) REFERENCES person
      """)
    let (house, person) = (store.model.entity(named: "House")!, store.model.entity(named: "Person")!)
    try store.transaction {
      for number in 0..<100 as Range<Int64> {
        try store.insert(
          house, row(store, house, ["id": .int(number), "owner": number == 0 ? .null : .int(number - 1)]))
        try store.insert(
          person,
          row(
            store, person,
            ["id": .int(number), "house": .int(number), "mother": number == 0 ? .null : .int(number - 1)]))
      }
    }
    #expect(try store.count(FetchRequest(house)) == 100 && store.count(FetchRequest(person)) == 100)
  }

  @Test func rulesAndTriggersSeeEachRow() throws {
    let store = try open(
      """
      CREATE TABLE ruled (id bigint PRIMARY KEY, name text); CREATE TABLE seen (name text);
      CREATE RULE also AS ON INSERT TO ruled DO ALSO INSERT INTO seen VALUES (NEW.name);
      CREATE TABLE keyed (id bigserial PRIMARY KEY, name text);
      CREATE FUNCTION other() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.id := NEW.id + 1000; RETURN NEW; END';
      CREATE TRIGGER other BEFORE INSERT ON keyed FOR EACH ROW EXECUTE FUNCTION other();
      CREATE TABLE numbered (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text);
      """)
    let (ruled, keyed) = (store.model.entity(named: "Ruled")!, store.model.entity(named: "Keyed")!)
    let numbered = store.model.entity(named: "Numbered")!
    var (keys, numbers): ([Int64], [Int64]) = ([], [])
    try store.transaction {
      for number in 0..<100 as Range<Int64> {
        try store.insert(ruled, row(store, ruled, ["id": .int(number), "name": .string("r\(number)")]))
        keys.append(try store.insert(keyed, row(store, keyed, ["name": .string("k\(number)")])))
        numbers.append(try store.insert(numbered, row(store, numbered, ["name": .string("n\(number)")])))
      }
    }
    #expect(try server.psql(database, "SELECT count(*) FROM seen") == "100")
    #expect(try store.keys(FetchRequest(keyed)) == keys && keys.first == 1001)
    #expect(try store.keys(FetchRequest(numbered)) == numbers)
    #expect(try server.psql(database, "SELECT count(*) FROM numbered WHERE name = 'n' || (id - 1)") == "100")
  }
}
