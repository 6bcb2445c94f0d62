import Modeling
import Queries
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

/// References of files made elsewhere that lead to other columns than the key, or to keys of several columns.
@Suite struct NonKeyReferenceTests {
  let folder: TemporaryFolder
  let store: SQLiteStore

  init() throws {
    folder = try TemporaryFolder()
    let path = try folder.database(
      "r.sqlite",
      """
      CREATE TABLE station(id INTEGER PRIMARY KEY, net TEXT, code TEXT, name TEXT, UNIQUE (net, code));
      CREATE TABLE pick(id INTEGER PRIMARY KEY, net TEXT, code TEXT, phase TEXT, \
      FOREIGN KEY (net, code) REFERENCES station(net, code));
      CREATE TABLE visit(id INTEGER PRIMARY KEY, station_id INTEGER REFERENCES station(id), \
      pick_id INTEGER REFERENCES pick(id));
      CREATE TABLE word(text TEXT, language TEXT, weight INTEGER, PRIMARY KEY (text, language)) WITHOUT ROWID;
      CREATE TABLE mark(page INTEGER, line INTEGER, text TEXT, language TEXT, PRIMARY KEY (page, line), \
      FOREIGN KEY (text, language) REFERENCES word(text, language)) WITHOUT ROWID;
      CREATE TABLE label(id INTEGER PRIMARY KEY, name TEXT UNIQUE);
      CREATE TABLE song(id INTEGER PRIMARY KEY, label_name TEXT REFERENCES label(name));
      INSERT INTO label VALUES (1, 'x'), (2, 'y');
      INSERT INTO song VALUES (1, 'x'), (2, 'y'), (3, NULL), (4, 'x');
      INSERT INTO station VALUES (1, 'us', 'a', 'A'), (2, 'us', 'b', 'B'), (3, 'nn', 'a', 'C'), (4, NULL, 'z', 'D');
      INSERT INTO pick VALUES (1, 'us', 'a', 'P'), (2, 'us', 'b', 'S'), (3, 'nn', 'a', 'P'), (4, NULL, NULL, 'P'), (5, 'xx', 'a', 'P');
      INSERT INTO visit VALUES (1, 1, 1), (2, 1, 2), (3, 3, 3), (4, NULL, 1), (5, 2, NULL), (6, 4, 4);
      INSERT INTO word VALUES ('see', 'de', 1), ('see', 'en', 2), ('sea', 'en', 3);
      INSERT INTO mark VALUES (1, 1, 'see', 'de'), (1, 2, 'see', 'en'), (2, 1, 'see', 'en'), (2, 2, NULL, 'en');
      """)
    store = try SQLiteStore(StoreOptions(path: path))
  }

  private func entity(_ name: String) -> Entity { store.model.entity(named: name)! }

  /// The relationship from one entity to another.
  private func relationship(_ name: String, to other: String) throws -> Int {
    let entity = entity(name)
    return try #require(
      entity.properties.indices.first {
        entity.properties[$0].relationship != nil && entity.destination(at: $0).name == other
      })
  }

  private func keys(_ name: String, _ format: String, _ arguments: PredicateArgument...) throws -> [Int64] {
    var request = FetchRequest(entity(name))
    request.predicate = try Predicate.parse(format, arguments: arguments)
    return try store.keys(request).sorted()
  }

  @Test func objectsAreTheSameWhateverColumnsLeadToThem() throws {
    let toStation = entity("Pick").properties[try relationship("Pick", to: "Station")].name
    let (station, pick) = (
      entity("Visit").properties[try relationship("Visit", to: "Station")].name,
      entity("Visit").properties[try relationship("Visit", to: "Pick")].name
    )
    #expect(try keys("Visit", "\(pick).\(toStation) == \(station)") == [1, 3])
    #expect(try keys("Visit", "\(station) == \(pick).\(toStation)") == [1, 3])
    #expect(try keys("Visit", "\(station) != \(pick).\(toStation)") == [2])
    #expect(try keys("Visit", "\(pick).\(toStation) != \(station)") == [2])
    #expect(try keys("Visit", "NOT \(station) == \(pick).\(toStation)") == [2])
    for (key, expected) in [(1, [1]), (2, [2]), (3, [3]), (4, [])] as [(Int64, [Int64])] {
      let object = PredicateArgument.value(.object(ObjectID(entity: entity("Station"), key: key)))
      #expect(try keys("Pick", "\(toStation) == %@", object) == expected)
      #expect(try keys("Pick", "%@ == \(toStation)", object) == expected)
      #expect(try keys("Pick", "\(toStation) IN {%@}", object) == expected)
    }
    let other = PredicateArgument.value(.object(ObjectID(entity: entity("Visit"), key: 1)))
    #expect(try keys("Pick", "\(toStation) == %@", other) == [])
    #expect(try keys("Pick", "\(toStation) == nil") == [4])
  }

  @Test func anObjectIsAnotherByTheColumnThatLeadsToIt() throws {
    let label = entity("Song").properties[try relationship("Song", to: "Label")].name
    let object = PredicateArgument.value(.object(ObjectID(entity: entity("Label"), key: 1)))
    #expect(try keys("Song", "\(label) == %@", object) == [1, 4])
    #expect(try keys("Song", "\(label) != %@", object) == [2])
    #expect(try keys("Song", "%@ != \(label)", object) == [2])
    #expect(try keys("Song", "NOT \(label) == %@", object) == [2])
  }

  @Test func referencesAreFollowedByTheColumnsTheyHold() throws {
    let toStation = try relationship("Pick", to: "Station")
    #expect(try store.destinations(of: toStation, in: entity("Pick"), owners: [1, 2, 4, 5]) == [1, 2])
    #expect(try store.destinations(of: 0, in: entity("Pick"), owners: [1]) == [])
    #expect(try store.referenceValues(to: 3, of: toStation, in: entity("Pick")) == ["nn".value, "a".value])
    #expect(try store.referenceValues(to: 99, of: toStation, in: entity("Pick")) == [.null, .null])
    #expect(try store.resolveAll(["us".value], of: toStation, in: entity("Pick")).isEmpty)
    let toPick = try relationship("Visit", to: "Pick")
    let found = try store.resolveAll((1...70).map { .int($0) }, of: toPick, in: entity("Visit"))
    #expect(found.map(\.key).sorted() == [1, 2, 3, 4, 5])
  }

  @Test func rowsThatReferAreVisitedWhateverColumnsTheyHold() throws {
    func holders(_ name: String, to other: String, _ keys: [Int64]) throws -> [[Int64]] {
      let reference = LooseReference(
        entity: entity(name), property: try relationship(name, to: other), effect: .emptied)
      var found: [[Int64]] = []
      try store.visitReferrers(of: reference, to: entity(other), keys: keys) { found.append([$0, $1]) }
      return found.sorted { $0.lexicographicallyPrecedes($1) }
    }
    #expect(try holders("Pick", to: "Station", [1, 3, 4]) == [[1, 1], [3, 3]])
    #expect(try holders("Visit", to: "Pick", [1, 2]) == [[1, 1], [2, 2], [4, 1]])
    #expect(try holders("Visit", to: "Pick", []) == [])
    let words = entity("Word")
    let see = try #require(try store.key(of: words, fromKeyValues: ["see".value, "en".value]))
    let marks = try holders("Mark", to: "Word", [see])
    #expect(
      marks.map { store.keyValues(of: entity("Mark"), key: $0[0]) } == [[.int(1), .int(2)], [.int(2), .int(1)]])
    #expect(marks.map { $0[1] } == [see, see])
  }

  @Test func membersOfKeysOfSeveralColumnsAreCounted() throws {
    let words = entity("Word")
    let all = try store.keys(FetchRequest(words))
    let counts = try store.memberCounts(of: try relationship("Word", to: "Mark"), in: words, owners: all)
    let told = Dictionary(uniqueKeysWithValues: counts.map { (store.keyValues(of: words, key: $0.key), $0.value) })
    #expect(told == [["see".value, "de".value]: 1, ["see".value, "en".value]: 2])
    #expect(try store.memberCounts(of: try relationship("Word", to: "Mark"), in: words, owners: []).isEmpty)
  }
}
