import Modeling
import Queries
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

/// Which predicates find their objects by an index, as SQLite's own plan tells; and that they still find the same.
@Suite struct IndexUseTests {
  private let twins: Twins

  private static func model() throws -> Model {
    func indexed(_ name: String, _ type: AttributeType) -> Property {
      var attribute = Attribute(name, type)
      attribute.isIndexed = true
      return .attribute(attribute)
    }
    var lowered = Attribute("lowered", .string)
    lowered.derivation = "lowercase(name)"
    lowered.isIndexed = true
    let thing = EntityDescription(
      "Thing",
      properties: [
        indexed("name", .string), indexed("number", .integer64), indexed("time", .date), .attribute(lowered),
        .relationship(Relationship(toOne: "owner", "Owner", inverse: "things")),
      ])
    let owner = EntityDescription(
      "Owner",
      properties: [
        indexed("title", .string), .relationship(Relationship(toMany: "things", "Thing", inverse: "owner")),
      ])
    return try Model([thing, owner])
  }

  private static let names: [String] = [
    "", "kim", "Kim", "KIM", "\u{212A}im", "\u{212A}IM", "kím", "ab", "abc", "abcd", "abd", "ab\u{10FFFF}",
    "ab\u{D7FF}x",
    "ab\u{E000}x", "AB", "a*c", "a[c", "a\\c", "a?c", "fix", "\u{FB01}x", "FIX", "stress", "\u{FB06}ress", "ſtreß",
    "straße", "STRASSE", "Stra\u{1E9E}e", "é", "e\u{301}", "\u{10FFFF}", "\u{10FFFF}\u{10FFFF}z", "zebra", "x\u{0}y",
  ]

  private static let times: [Double] = [
    -62_135_596_800, -62_135_596_800.5, -62_167_219_200, -0.25, 0, 1_704_067_199.999, 1_704_067_200, 1_705_881_600,
    1_705_967_999.5, 1_705_968_000, 1_706_745_600, 1_735_689_599.9999, 1_735_689_600, 253_402_300_799.5,
    253_402_300_800,
  ]

  init() throws {
    var twins = try Twins(Self.model())
    let owners = try ["us", "ak"].map { try twins.insert("Owner", ["title": .string($0)]) }
    for (index, name) in (Self.names + Array(repeating: "other", count: 30)).enumerated() {
      var values: [String: Value] = ["number": .int(Int64(index)), "name": .string(name)]
      if index % 11 == 10 { values["name"] = nil }
      if index < Self.times.count { values["time"] = .date(Timestamp(Self.times[index])) }
      try twins.insert("Thing", values, toOnes: index % 3 == 0 ? [:] : ["owner": owners[index % 2]])
    }
    self.twins = twins
  }

  private func plan(_ predicate: Queries.Predicate) throws -> String {
    var request = FetchRequest(twins.sample.entity("Thing"))
    request.predicate = predicate
    let sql = try RequestSQL(request, twins.sample.store.schema).keys()
    let rows = try twins.sample.store.connection.all(
      "EXPLAIN QUERY PLAN \(sql.text)", sql.arguments.map(ValueCoding.stored))
    return rows.map { $0[3].displayText }.joined(separator: "; ")
  }

  private func expectIndexed(_ predicate: Queries.Predicate, _ place: String) throws {
    let (memory, stored) = (try twins.memory("Thing", predicate), try twins.stored("Thing", predicate))
    #expect(memory.yes == stored.yes, "\(predicate)")
    #expect(memory.no == stored.no, "NOT \(predicate)")
    let plan = try plan(predicate)
    #expect(plan.contains("SEARCH t0") && plan.contains(place), "\(predicate): \(plan)")
  }

  @Test(arguments: [
    ("name == 'kim'", "name="), ("name IN {'kim', 'ab'}", "name="), ("name BETWEEN {'a', 'b'}", "name>"),
    ("name BEGINSWITH 'ab'", "name>"), ("name BEGINSWITH 'é'", "name>"), ("name BEGINSWITH '\\u10FFFF'", "name>"),
    ("name BEGINSWITH 'ab\\uD7FF'", "name>"), ("name LIKE 'ab*'", "name>"), ("name LIKE 'a\\\\*c*'", "name>"),
    ("name LIKE 'a[*'", "name>"), ("name LIKE 'a?c'", "name>"), ("name MATCHES '^ab.*'", "name>"),
    ("name MATCHES 'abc?d*'", "name>"), ("name MATCHES 'ab+[cd]'", "name>"), ("name MATCHES 'ab{0,1}.*'", "name>"),
    ("number == 5", "number="), ("number > 3 AND number <= 5", "number>"), ("number IN {1, 2, 3}", "number="),
    ("year(time) == 2024", "time>"), ("month(time) == '2024-01'", "time>"), ("day(time) == '2024-01-22'", "time>"),
    ("year(time) < 2024", "time>"), ("year(time) >= 2024", "time>"), ("year(time) == 9999", "time>"),
    ("year(time) == 1", "time>"), ("2024 == year(time)", "time>"), ("day(time) > '2024-01-22'", "time>"),
    ("month(time) <= '2024-01'", "time>"), ("year(time) BETWEEN {2023, 2024}", "time>"),
    ("month(time) == '9999-12'", "time>"),
    ("name ==[c] 'KIM'", "lowered="), ("name ==[c] 'fix'", "lowered="), ("name ==[c] 'stress'", "lowered="),
    ("name ==[c] 'strasse'", "lowered="), ("'ab' ==[c] name", "lowered="), ("owner == nil", "owner"),
  ])
  func anIndexFinds(_ format: String, _ place: String) throws {
    try expectIndexed(try Predicate.parse(format), place)
  }

  @Test func givenValuesAreFoundByAnIndexToo() throws {
    try expectIndexed(try Predicate.parse("name BEGINSWITH %@", arguments: [.value(.string("ab"))]), "name>")
    try expectIndexed(try Predicate.parse("name LIKE $pattern").bind(["pattern": .string("ab*")]), "name>")
    try expectIndexed(try Predicate.parse("year(time) == %@", arguments: [.value(.int(2024))]), "time>")
    try expectIndexed(try Predicate.parse("name ==[c] %@", arguments: [.value(.string("Kim"))]), "lowered=")
    let owner = try #require(twins.objects["Owner"]?.first)
    try expectIndexed(try Predicate.parse("owner == %@", arguments: [.value(.object(owner.objectID))]), "owner")
  }

  @Test(arguments: [
    "year(time) == 0", "year(time) == 10000", "year(time) == 2024.0", "year(time) == 2024.5", "year(time) != 2024",
    "day(time) == '2024-1-22'", "day(time) < '2024'", "day(time) == 'x'", "month(time) == '2024-13'", "year(time) < 1",
    "name ==[cd] 'kim'", "name ==[d] 'kim'", "name ==[cl] 'KIM'", "name !=[c] 'kim'", "name ==[c] 'é'",
    "name ==[c] 'ssssssssssssss'", "name MATCHES 'ab|zebra'", "name MATCHES '(?i)AB.*'", "name LIKE '*b'",
    "name LIKE[c] 'AB*'", "name MATCHES[c] 'AB.*'", "NOT name LIKE 'ab*'", "name LIKE 'a\\\\'",
    "name MATCHES 'a\\\\[c'",
    "name MATCHES 'é?.*'", "name BEGINSWITH ''", "name BEGINSWITH[n] 'ab'", "name ==[cn] 'KIM'",
    "month(time) ==[c] '2024-01'",
  ])
  func whatIsNoRangeIsStillRight(_ format: String) throws {
    let predicate = try Predicate.parse(format)
    let (memory, stored) = (try twins.memory("Thing", predicate), try twins.stored("Thing", predicate))
    #expect(memory.yes == stored.yes, "\(predicate)")
    #expect(memory.no == stored.no, "NOT \(predicate)")
  }

  @Test func sixtyFourSpellingsAreLookedUpAndMoreAreNot() {
    #expect(LoweredSpellings.all(of: "kkkkkk").map { Set($0).count } == 64)
    #expect(LoweredSpellings.all(of: "kkkkkkk") == nil)
  }

  /// The list of characters beyond ASCII that fold to ASCII without case is complete.
  @Test func everySpellingInLowerCaseIsKnown() {
    let known = Dictionary(
      uniqueKeysWithValues: LoweredSpellings.foreign.flatMap { entry in entry.spellings.map { ($0, entry.letters) } })
    for value in UInt32(0x80)...0x1FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let folded = folded(String(Character(scalar)), .caseInsensitive)
      guard folded.utf8.allSatisfy({ $0 < 0x80 }) else { continue }
      #expect(known[String(Character(scalar))] == folded, "U+\(String(value, radix: 16)) folds to \(folded)")
    }
  }
}
