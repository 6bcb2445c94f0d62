import Foundation
import Modeling
import Postgres
import PostgresStorage
import TestSupport
import Testing

@testable import Queries
@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

/// What the server makes of many rows - groups, sums, distinct rows, counts - has the same bytes as what is computed in memory, row by
/// row.
@Suite(.seeded, .enabled(if: PostgresServer.isInstalled)) struct ValueCombinationsTests {
  private typealias Expression = Queries.Expression
  private static let functions: [ExpressionFunction] = [.count, .sum, .average, .min, .max, .median, .mode, .stddev]

  /// A value with its type and all its bits.
  private static func text(_ value: Value) -> String {
    switch value {
    case .double(let number): "double \(String(number.bitPattern, radix: 16))"
    case .date(let date): "date \(String(date.seconds.bitPattern, radix: 16))"
    case .string(let text): "text \(Array(text.utf8))"
    default: "\(value)"
    }
  }

  /// A request of groups with each function of some expressions.
  private static func request(
    _ world: PostgresWorld, _ predicate: Queries.Predicate?, by keys: [Expression], _ arguments: [Expression],
    _ functions: [ExpressionFunction] = functions
  ) -> FetchRequest {
    var request = FetchRequest(world.entity("Thing"))
    request.resultType = .dictionaries
    request.predicate = predicate
    request.propertiesToGroupBy = keys
    let aggregates =
      [Expression.call(.count, .object)] + arguments.flatMap { argument in functions.map { .call($0, argument) } }
    request.propertiesToFetch = (keys + aggregates).enumerated().map { FetchedColumn("c\($0)", $1) }
    return request
  }

  private static func rows(_ cursor: ValueCursor) throws -> [String] {
    var rows: [String] = []
    while try cursor.step() {
      rows.append(cursor.columns.indices.map { text(cursor.value($0)) }.joined(separator: " | "))
    }
    return rows
  }

  /// The same groups made of the objects in memory.
  private static func memory(_ world: PostgresWorld, _ request: FetchRequest) throws -> [String] {
    let entity = world.twins.sample.entity("Thing")
    let keys = try request.propertiesToGroupBy.map { try CompiledExpression($0, entity: entity) }
    let calls = request.propertiesToFetch.compactMap(\.expression.aggregateCall)
    let arguments = try calls.map { try $0.argument == .object ? nil : CompiledExpression($0.argument, entity: entity) }
    let predicate = try request.predicate.map { try CompiledPredicate($0, entity: entity) }
    var groups: [[ValueKey]: (keys: [Value], values: [[Value]])] = [:]
    if keys.isEmpty { groups[[]] = ([], calls.map { _ in [] }) }
    for object in world.twins.family("Thing") where try predicate.map({ try $0.evaluate(object) == true }) ?? true {
      let values = try keys.map { try $0.value(of: object) }
      var group = groups[values.map(ValueKey.init)] ?? (values, calls.map { _ in [] })
      for (index, argument) in arguments.enumerated() {
        let value = try argument.map { try $0.value(of: object) } ?? .bool(true)
        if !value.isNull { group.values[index].append(value) }
      }
      groups[values.map(ValueKey.init)] = group
    }
    return groups.values.map { group in
      (group.keys + zip(calls, group.values).map { $0.function.aggregate($1) }).map(text).joined(separator: " | ")
    }.sorted()
  }

  /// In what the store and memory differ; nil where they agree, and for what the check refuses.
  private func difference(_ world: PostgresWorld, _ request: FetchRequest) -> String? {
    let entity = world.twins.sample.entity("Thing")
    do {
      try request.predicate?.check(in: entity, for: .evaluation)
      for column in request.propertiesToFetch { try column.expression.check(in: entity, for: .evaluation) }
      for key in request.propertiesToGroupBy { try key.check(in: entity, for: .evaluation) }
    } catch { return nil }
    do {
      let (memory, stored) = (
        try Self.memory(world, request), try Self.rows(world.store.dictionaries(request, tiesByKey: true)).sorted()
      )
      guard memory != stored else { return nil }
      let name = "\(request.propertiesToFetch.map(\.expression)) WHERE \(request.predicate.map { "\($0)" } ?? "")"
      return "\(name)\n  memory \(memory)\n  stored \(stored)"
    } catch { return "\(request.propertiesToFetch.map(\.expression)): \(error)" }
  }

  @Test func aggregatesOfEveryTypeAreTheSame() throws {
    let world = try PostgresWorld(seed: 21, count: 80)
    let keys: [[String]] = [
      [], ["aBool"], ["parent"], ["parent.aString"], ["month(aDate)"], ["year(aDate)", "aBool"], ["weekday(aDate)"],
      ["length(aString)"], ["aInteger16 + 1"], ["aDate"], ["aDecimal"], ["aUUID"], ["aData"], ["aString"], ["aDouble"],
    ]
    let predicates = [nil, "aString CONTAINS[cd] 'e'", "aDouble > 0.15 AND aURL MATCHES '.*[a-z].*'"]
    var differences: [String] = []
    for (number, names) in keys.enumerated() {
      let keys = try names.map { try Expression.parse($0) }
      let predicate = try predicates[number % 3].map { try Queries.Predicate.parse($0) }
      for type in AgreementWorld.types {
        let argument = Expression.path(PropertyPath([AgreementWorld.name(type)]))
        differences += difference(world, Self.request(world, predicate, by: keys, [argument])).map { [$0] } ?? []
      }
    }
    #expect(differences.isEmpty, "\(differences.prefix(4).joined(separator: "\n"))")
  }

  /// Where nothing else tells rows of a group apart, the server finds the medians.
  @Test(arguments: [80, 81]) func mediansOfEveryTypeAreTheSame(_ count: Int) throws {
    let world = try PostgresWorld(seed: UInt64(count), count: count)
    var differences: [String] = []
    for keys in [[], ["aBool"], ["parent"], ["parent.aString"], ["aBool", "aInteger16"], ["month(aDate)"]] {
      let keys = try keys.map { try Expression.parse($0) }
      for (number, type) in AgreementWorld.types.enumerated() {
        let predicate = number % 2 == 0 ? nil : try Queries.Predicate.parse("aDouble > 0.15")
        let argument = Expression.path(PropertyPath([AgreementWorld.name(type)]))
        let request = Self.request(world, predicate, by: keys, [argument], [.median, .sum, .max])
        differences += difference(world, request).map { [$0] } ?? []
      }
    }
    #expect(differences.isEmpty, "\(differences.prefix(4).joined(separator: "\n"))")
  }

  @Test(arguments: 0..<(Effort.isLong ? 200 : 3))
  func randomGroupsAreTheSame(_ number: Int) throws {
    let world = try PostgresWorld(seed: UInt64(number) + 30, count: 30)
    let differences = (0..<40).compactMap { index -> String? in
      var random = RandomPredicates(number: number * 40 + index)
      let keys = (0..<index % 3).map { random.expression([.text, .number, .date, .bool][($0 + index) % 4], 2) }
      let predicate = index % 4 == 0 ? nil : random.predicate(2)
      return difference(world, Self.request(world, predicate, by: keys, [random.expression(.number, 2)]))
    }
    #expect(differences.isEmpty, "\(differences.prefix(4).joined(separator: "\n"))")
  }

  @Test func distinctRowsAreTheSameInTheirOrder() throws {
    let world = try PostgresWorld(seed: 22, count: 60)
    var differences: [String] = []
    for columns in [
      ["aString", "aBool"], ["aInteger16"], ["parent"], ["month(aDate)"], ["aDecimal", "aDouble"], ["parent.aString"],
    ] {
      for order in [[], [columns[0]], ["-\(columns[columns.count - 1])"]]
      where !columns.contains("parent") || order.isEmpty {
        for limit in [0, 3] {
          func request(_ entity: Entity) throws -> FetchRequest {
            var request = FetchRequest(entity)
            (request.resultType, request.returnsDistinctResults) = (.dictionaries, true)
            request.predicate = try Queries.Predicate.parse("aString !=[c] 'chile'")
            request.propertiesToFetch = try columns.enumerated().map {
              FetchedColumn("c\($0)", try Expression.parse($1))
            }
            request.sortDescriptors = try order.map { name in
              let isDescending = name.hasPrefix("-")
              return Queries.SortDescriptor(
                try Expression.parse(isDescending ? String(name.dropFirst()) : name), ascending: !isDescending)
            }
            (request.fetchLimit, request.fetchOffset) = (limit, limit == 0 ? 0 : 1)
            return request
          }
          let file = try Self.rows(
            world.twins.sample.store.dictionaries(request(world.twins.sample.entity("Thing")), tiesByKey: true))
          let stored = try Self.rows(world.store.dictionaries(request(world.entity("Thing")), tiesByKey: true))
          // Without an order a file has none.
          if order.isEmpty && limit == 0
            ? file.sorted() != stored.sorted() : !order.isEmpty && columns.count == 1 && file != stored
          {
            differences.append("\(columns) \(order) \(limit)\n  file \(file)\n  stored \(stored)")
          }
        }
      }
    }
    #expect(differences.isEmpty, "\(differences.prefix(3).joined(separator: "\n"))")
  }

  /// Doubles of all sizes, and what tables of others hold besides.
  /// Rows with several columns in their key have no least key that the server knows.
  @Test func distinctRowsOfTablesWithSeveralKeysAreFound() throws {
    let server = try PostgresServer.shared.get()
    let store = try server.open(
      try server.makeDatabase(for: "pairs"),
      after: """
        CREATE TABLE pair (a text, b int, c int, d text, PRIMARY KEY (a, b));
        INSERT INTO pair SELECT 'k' || n % 7, n, NULLIF(n % 3, 0), 'd' || n % 2 FROM generate_series(1, 200) AS n
        """)
    var request = FetchRequest(store.model.entity(named: "Pair")!)
    (request.resultType, request.returnsDistinctResults) = (.dictionaries, true)
    request.propertiesToFetch = ["c", "d"].map { FetchedColumn($0, .path(PropertyPath([$0]))) }
    let all = ["1 d0", "1 d1", "2 d0", "2 d1", "nil d0", "nil d1"]
    func found(tiesByKey: Bool) throws -> [String] {
      let cursor = try store.dictionaries(request, tiesByKey: tiesByKey)
      var rows: [String] = []
      while try cursor.step() {
        rows.append(
          (0..<2).map { cursor.value($0).isNull ? "nil" : cursor.value($0).displayText }.joined(separator: " "))
      }
      return rows
    }
    #expect(try found(tiesByKey: true).sorted() == all)
    #expect(try found(tiesByKey: false) == ["nil d0", "nil d1", "1 d0", "1 d1", "2 d0", "2 d1"])
    #expect(try store.count(request) == 6)
    (request.fetchLimit, request.fetchOffset) = (2, 1)
    // In the order of the keys, k0 comes with the numbers 7, 14 and 21 first.
    #expect(try found(tiesByKey: true) == ["2 d0", "nil d1"])
    request.sortDescriptors = [Queries.SortDescriptor(.path(PropertyPath(["d"])), ascending: false)]
    #expect(try found(tiesByKey: false) == ["1 d1", "2 d1"])
  }

  @Test func sumsOfTablesOfOthersAreExact() throws {
    let server = try PostgresServer.shared.get()
    let columns = "id bigint PRIMARY KEY, kind int, d float8, f float4, s int2, i int4, l int8, n numeric"
    let values = """
      SELECT id, id % 7, CASE id % 7 WHEN 0 THEN 0.1 * id WHEN 1 THEN power(10::float8, id % 40 - 20) WHEN 2 THEN -1e300 + id
        WHEN 3 THEN 5e-324 * id WHEN 4 THEN 4.6e18 WHEN 5 THEN '-0' ELSE CASE WHEN id % 2 = 0 THEN 'NaN'::float8 ELSE 'Infinity' END END,
      CASE id % 7 WHEN 6 THEN 'NaN'::float4 ELSE (0.1 * id)::float4 END, id % 100, id * 1000, 9223372036854775000 + id,
      CASE id % 7 WHEN 0 THEN 0.01 * id WHEN 1 THEN 1e30 WHEN 2 THEN 1e-20 * id WHEN 3 THEN NULL ELSE -id END
      FROM generate_series(1, 500) AS id
      """
    let store = try server.open(
      try server.makeDatabase(for: "sums"), after: "CREATE TABLE number (\(columns)); INSERT INTO number \(values)")
    let entity = store.model.entity(named: "Number")!
    let cursor = try store.cursor(FetchRequest(entity), keysOnly: false)
    var read: [String: [[String: Value]]] = [:]
    while try cursor.step() {
      let row = KeptRowValues(cursor, store.layout(of: entity), entity)
      read[Self.text(row.values["kind"]!), default: []].append(row.values)
    }
    for name in ["d", "f", "s", "i", "l", "n"] {
      var request = FetchRequest(entity)
      request.resultType = .dictionaries
      request.propertiesToGroupBy = [.path(PropertyPath(["kind"]))]
      let columns =
        [Expression.path(PropertyPath(["kind"]))] + Self.functions.map { .call($0, .path(PropertyPath([name]))) }
      request.propertiesToFetch = columns.enumerated().map { FetchedColumn("c\($0)", $1) }
      let found = try Self.rows(store.dictionaries(request, tiesByKey: true)).sorted()
      let expected = read.map { kind, rows in
        ([kind]
          + Self.functions.map { function in Self.text(function.aggregate(rows.map { $0[name]! }.filter { !$0.isNull }))
          })
          .joined(separator: " | ")
      }.sorted()
      #expect(found == expected, "\(name)")
    }
  }

  /// Where arithmetic of SQL would fail or round otherwise.
  @Test func arithmeticIsTheSameAtTheEdgesOfItsNumbers() throws {
    let server = try PostgresServer.shared.get()
    let store = try server.open(
      try server.makeDatabase(for: "edges"),
      after: """
        CREATE TABLE number (id serial PRIMARY KEY, l int8, m int8, d float8, e float8);
        INSERT INTO number (l, m, d, e) SELECT l, m, d, e
        FROM unnest('{4611686018427387903,4611686018427387904,-4611686018427387904,-9223372036854775808,
          9223372036854775807,0,3,NULL}'::int8[]) AS l, unnest('{4611686018427387904,-1,0,7,NULL}'::int8[]) AS m,
          unnest('{1e75,1.1e75,9e-76,1.1e150,1e-160,5e-324,0,-0,Infinity,-Infinity,NaN,2.5,NULL}'::float8[]) AS d,
          unnest('{1e200,-1e-200,1e-74,0,4,NULL}'::float8[]) AS e
        """)
    let entity = store.model.entity(named: "Number")!
    let cursor = try store.cursor(FetchRequest(entity), keysOnly: false)
    var rows: [KeptRowValues] = []
    while try cursor.step() { rows.append(KeptRowValues(cursor, store.layout(of: entity), entity)) }
    for text in [
      "l + l > 0", "l + m < 5", "l - m >= l", "l * m != 0", "l / m == 1", "modulus(l, m) > 0", "-l > 0", "abs(l) > 5",
      "d + e > 0",
      "d * e == 0", "d / e > 1", "NOT (d * e > 1)", "sqrt(d) > 1", "abs(d) >= 2.5", "floor(d) == 2", "d * l + e > 0",
      "l * d == nil",
      "d * d * d * d > 1", "d * e * d * e * d == 0", "d / e / e / e / e > 1", "(d + e) * (d - e) > 0",
      "(d - 2.5) * 1e-140 * 1e-140 == 0", "sqrt(d * d) == abs(d)", "floor(d * 1e140) * d > 1", "(d + l) * m / e > 1",
      "abs(d) IN {2.5, 0}", "d + e BETWEEN {0, 10}", "l + 1 > m AND d * 2 < e", "l + m > 3 OR d - e > 1",
    ] {
      var request = FetchRequest(entity)
      request.predicate = try Queries.Predicate.parse(text)
      let compiled = try CompiledPredicate(request.predicate!, entity: entity)
      let expected = try rows.filter { try compiled.evaluate($0) == true }.map(\.objectID.key).sorted()
      #expect(try store.keys(request) == expected, "\(text)")
      #expect(try store.count(request) == expected.count, "\(text)")
    }
    // The server orders every row of the second condition.
    for condition in ["TRUEPREDICATE", "d IN {1e75, 2.5, 0} AND e IN {4, 0} AND l IN {0, 3}"] {
      let predicate = try Queries.Predicate.parse(condition)
      let compiled = try CompiledPredicate(predicate, entity: entity)
      let found = try rows.filter { try compiled.evaluate($0) == true }
      for text in ["d * e", "-(l + m)", "abs(d)", "sqrt(abs(e))"] {
        var request = FetchRequest(entity)
        request.predicate = predicate
        request.sortDescriptors = [Queries.SortDescriptor(try Expression.parse(text), ascending: false)]
        let order = try SortOrder(request.sortDescriptors, entity: entity)
        let expected = try found.sorted {
          let comparison = order.compare(try order.keys(of: $0), try order.keys(of: $1))
          return comparison < 0 || comparison == 0 && $0.objectID.key < $1.objectID.key
        }.map(\.objectID.key)
        (request.fetchOffset, request.fetchLimit) = (2, 40)
        #expect(try store.keys(request) == Array(expected[2..<42]), "\(condition) \(text)")
      }
    }
  }
}

/// The values of a row by the names of the properties.
struct KeptRowValues: PredicateSubject {
  let entity: Entity
  let objectID: ObjectID
  private(set) var values: [String: Value]
  /// The rows to which to-ones lead, by their keys.
  var destinations: [Int64: KeptRowValues] = [:]

  func attribute(at index: Int) -> Value { values[entity.properties[index].name] ?? .null }

  func toOne(at index: Int) -> (any PredicateSubject)? {
    guard case .object(let id) = attribute(at: index) else { return nil }
    return destinations[id.key]
  }

  func toMany(at index: Int) -> [any PredicateSubject] { [] }

  init(_ cursor: RowCursor, _ layout: EntityLayout, _ entity: Entity) {
    var values: [String: Value] = [:]
    for (index, property) in entity.properties.enumerated() {
      if case .reference(let columns, _) = layout.properties[index], cursor.storageClass(columns[0]) == .integer {
        let destination = entity.destination(at: index)
        values[property.name] = .object(ObjectID(entity: destination, key: cursor.integer(columns[0])))
      }
      guard case .column(let column) = layout.properties[index] else { continue }
      values[property.name] = ValueCoding.decode(
        cursor.storageClass(column), integer: cursor.integer(column), real: cursor.real(column),
        bytes: cursor.bytes(column),
        as: layout.columns[column].type)
    }
    (self.entity, self.values) = (entity, values)
    objectID = ObjectID(entity: entity, key: cursor.key)
  }
}
