import Modeling
import Queries
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLite
@testable import SQLiteStorage
@testable import Stores

/// Dates that are kept as text compare in SQL as they do in memory, beside any other values of their columns.
@Suite(.seeded) struct DateTextAgreementTests {
  let folder: TemporaryFolder
  let store: SQLiteStore
  let objects: [MemoryObject]
  let entity: Entity

  /// What stands in the middle of each column, where opening does not look.
  static let middle = [
    "NULL", "'soon'", "''", "5", "1700000000", "5.5", "x'61'", "'2024-03-01'", "'2024-03-01 00:00:00'",
    "'2024-03-01T00:00:00Z'",
    "'2024-02-29 23:00:00-02:00'", "'2024-03-01 01:59:59.5+02:00'", "'2024-03-01 12:30:00.123456'", "'0001-01-01'",
    "'9999-12-31 23:59:59'", "'2024-02-30'", "'2023-12-31 23:59:59.999999'", "' 2024-03-01'", "'2024-03-01 '",
  ]
  static let forms = [
    "day DATE": "2024-03-01", "time DATETIME": "2024-03-01 12:30:00", "zulu TEXT": "2024-03-01T12:30:00Z",
    "exact TIMESTAMP": "2024-03-01 12:30:00.123456", "east_at": "2024-03-01T12:30:00+02:00",
    "fuzzy_at TEXT COLLATE NOCASE": "2024-03-01 12:30",
  ]

  init() throws {
    folder = try TemporaryFolder()
    let columns = Self.forms.keys.sorted()
    var sql =
      "CREATE TABLE thing(id INTEGER PRIMARY KEY, \(columns.map { $0.hasPrefix("zulu") ? "zulu_at TEXT" : $0 }.joined(separator: ", ")));"
    func add(_ values: [String]) { sql += "INSERT INTO thing VALUES (NULL, \(values.joined(separator: ", ")));" }
    var random = SplitMix(seed: 3)
    func usual() throws -> [String] {
      try columns.map { column in
        let form = try #require(DateForm(of: Self.forms[column] ?? ""))
        let seconds =
          1_709_164_800 + Double(random.below(4 * 1440)) * 60 + (form.hasSeconds ? Double(random.below(60)) : 0)
        let date = Timestamp(form == .day ? (seconds / 86400).rounded(.down) * 86400 : seconds)
        return quoteText(form.text(of: date) ?? "")
      }
    }
    for _ in 0..<25 { add(try usual()) }
    for value in Self.middle { add(columns.map { _ in value }) }
    for _ in 0..<25 { add(try usual()) }
    store = try SQLiteStore(StoreOptions(path: folder.database("a.sqlite", sql)))
    entity = store.model.entities[0]
    let layout = store.layout(of: entity)
    let cursor = try store.cursor(FetchRequest(entity))
    var objects: [MemoryObject] = []
    while try cursor.step() {
      var values: [String: Value] = [:]
      for (index, property) in entity.properties.enumerated() {
        guard case .column(let column) = layout.properties[index] else { continue }
        values[property.name] = ValueCoding.decode(
          cursor.storageClass(column), integer: cursor.integer(column), real: cursor.real(column),
          bytes: cursor.bytes(column), as: layout.columns[column].type)
      }
      objects.append(MemoryObject(entity, cursor.key, values))
    }
    self.objects = objects
  }

  private var dates: [String] { entity.attributes.filter { $0.type == .date }.map(\.name) }

  @Test func allColumnsAreOfDates() { #expect(dates.count == Self.forms.count) }

  @Test func whatIsNoDateIsReadAsTheTextOrDataThatItIs() {
    let found = objects[25..<25 + Self.middle.count].map { $0.values["time"] }
    #expect(found[1] == .string("soon") && found[3] == .string("5") && found[5] == .string("5.5"))
    #expect(found[4] == .string("1700000000") && found[6] == .data([0x61]) && found[0] == .null)
    #expect(found[7] == .date(Timestamp(1_709_251_200)) && found[10] == .date(Timestamp(1_709_254_800)))
  }

  @Test func dictionariesReadTheSame() throws {
    var request = FetchRequest(entity)
    request.resultType = .dictionaries
    let rows = try store.dictionaries(request)
    for object in objects {
      #expect(try rows.step())
      for (index, name) in rows.columns.enumerated() where dates.contains(name) {
        #expect(rows.value(index) == object.values[name], "\(name)")
      }
    }
  }

  private func answers(_ predicate: Queries.Predicate) throws -> [String] {
    let compiled = try CompiledPredicate(predicate, entity: entity)
    var mismatches: [String] = []
    for (opposite, wanted) in [(predicate, true), (.not(predicate), false)] {
      var request = FetchRequest(entity)
      request.predicate = opposite
      let stored = try store.keys(request).sorted()
      let memory = try objects.filter { try compiled.evaluate($0) == wanted }.map(\.key)
      if stored != memory { mismatches.append("\(opposite): memory \(memory), store \(stored)") }
    }
    return mismatches
  }

  static let constants: [Value] =
    [
      1_709_251_200, 1_709_251_199.5, 1_709_296_200, 1_709_296_200.123456, 1_704_067_200, -62_135_596_800,
      253_402_300_799, 1e300,
    ]
    .map { .date(Timestamp($0)) } + [.null]

  @Test func comparisonsAgree() throws {
    var mismatches: [String] = []
    for name in dates {
      let path = Expression.path(PropertyPath([name]))
      for value in Self.constants {
        for comparator in [Comparator.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual] {
          mismatches += try answers(.comparison(Comparison(path, comparator, .constant(value))))
          mismatches += try answers(.comparison(Comparison(.constant(value), comparator, path)))
        }
        mismatches += try answers(.comparison(Comparison(path, .in, .constant(.list([value, Self.constants[0]])))))
        mismatches += try answers(
          .comparison(Comparison(path, .between, .constant(.list([Self.constants[4], value])))))
      }
      for other in dates {
        mismatches += try answers(.comparison(Comparison(path, .equal, .path(PropertyPath([other])))))
      }
    }
    #expect(mismatches.isEmpty, "\(mismatches.prefix(20).joined(separator: "\n"))")
  }

  @Test func functionsAgree() throws {
    var mismatches: [String] = []
    for name in dates {
      for text in [
        "year(\(name)) == 2024", "year(\(name)) > 2023", "month(\(name)) == '2024-03'", "day(\(name)) <= '2024-02-29'",
        "day(\(name)) != '2024-03-01'", "hour(\(name)) >= 12", "weekday(\(name)) IN {6, 7}",
        "\(name) + 60 > CAST('2024-03-01', 'NSDate')",
        "\(name) == nil", "CAST(\(name), 'NSString') BEGINSWITH '2024-03'", "year(\(name)) == nil",
      ] { mismatches += try answers(try Queries.Predicate.parse(text)) }
    }
    #expect(mismatches.isEmpty, "\(mismatches.prefix(20).joined(separator: "\n"))")
  }

  @Test func randomPeriodsAgree() throws {
    var random = SplitMix(seed: 8)
    var mismatches: [String] = []
    for _ in 0..<200 {
      let start = Timestamp(1_709_000_000 + Double(random.below(600_000)) + [0, 0.5, 0.123456][random.below(3)])
      let end = Timestamp(start.seconds + Double(random.below(200_000)))
      let path = Expression.path(PropertyPath([dates[random.below(dates.count)]]))
      mismatches += try answers(
        .and([
          .comparison(Comparison(path, .greaterOrEqual, .constant(.date(start)))),
          .comparison(Comparison(path, .less, .constant(.date(end)))),
        ]))
    }
    #expect(mismatches.isEmpty, "\(mismatches.prefix(20).joined(separator: "\n"))")
  }

  @Test func placementsAreInTheOrderOfTheRows() throws {
    for name in dates {
      var request = FetchRequest(entity)
      request.sortDescriptors = [SortDescriptor(.path(PropertyPath([name])), ascending: true)]
      let keys = try store.keys(request)
      let dated = keys.compactMap { key in objects.first { $0.key == key }?.values[name] }.compactMap {
        value -> Double? in
        if case .date(let date) = value { date.seconds } else { nil }
      }
      #expect(dated == dated.sorted() && dated.count > 55, "\(name)")
    }
  }
}
