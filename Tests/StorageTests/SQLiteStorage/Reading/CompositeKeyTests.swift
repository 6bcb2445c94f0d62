import Modeling
import Queries
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

@Suite struct CompositeKeyTests {
  let folder: TemporaryFolder
  let store: SQLiteStore

  init() throws {
    folder = try TemporaryFolder()
    let path = try folder.database(
      "c.sqlite",
      """
      CREATE TABLE station(net TEXT, code TEXT, name TEXT, PRIMARY KEY (net, code)) WITHOUT ROWID;
      CREATE TABLE pick(id INTEGER PRIMARY KEY, net TEXT, code TEXT, phase TEXT, \
      FOREIGN KEY (net, code) REFERENCES station(net, code));
      INSERT INTO station VALUES ('us', 'a', 'A'), ('us', 'b', 'B'), ('nn', 'a', 'C');
      INSERT INTO pick(net, code, phase) VALUES ('us', 'a', 'P'), ('us', 'a', 'S'), ('nn', 'a', 'P'), (NULL, NULL, 'P'), ('xx', 'a', 'P');
      """)
    store = try SQLiteStore(StoreOptions(path: path))
  }

  private func entity(_ name: String) -> Entity { store.model.entity(named: name)! }

  private func keys(_ name: String, _ format: String, _ arguments: PredicateArgument...) throws -> [Int64] {
    var request = FetchRequest(entity(name))
    request.predicate = try Predicate.parse(format, arguments: arguments)
    return try store.keys(request).sorted()
  }

  private func station(_ net: String, _ code: String) throws -> Int64 {
    try #require(try store.key(of: entity("Station"), fromKeyValues: [net.value, code.value]))
  }

  @Test func pathsAndCollectionsUseAllColumns() throws {
    let pick = entity("Pick")
    let toStation = try #require(pick.relationships.first { !$0.isToMany }).name
    #expect(try keys("Pick", "\(toStation).name == 'A'") == [1, 2])
    // A key to a missing row is no nil, but what it leads to is.
    #expect(try keys("Pick", "\(toStation) == nil") == [4])
    #expect(try keys("Pick", "\(toStation).name == nil") == [4, 5])
    let us = ObjectID(entity: entity("Station"), key: try station("us", "a"))
    #expect(try keys("Pick", "\(toStation) == %@", .value(.object(us))) == [1, 2])
    #expect(try keys("Pick", "\(toStation) != %@", .value(.object(us))) == [3, 5])
    #expect(try keys("Station", "SELF == %@", .value(.object(us))) == [us.key])
    #expect(try keys("Station", "picks.@count == 2") == [us.key])
    #expect(try keys("Station", "NONE picks.phase == 'P'") == [try station("us", "b")])
  }

  @Test func rowsMembersAndReferencesAreFound() throws {
    let (stations, picks) = (entity("Station"), entity("Pick"))
    let all = try store.keys(FetchRequest(stations))
    #expect(all.count == 3)
    let cursor = try store.rows(of: stations, keys: all + [999])
    var names: Set<String> = []
    while try cursor.step() { names.insert(String(decoding: cursor.bytes(2), as: UTF8.self)) }
    #expect(names == ["A", "B", "C"])
    let toMany = try #require(stations.properties.firstIndex { $0.relationship?.isToMany == true })
    let members = try store.members(of: toMany, in: stations, owners: [station("us", "a"), station("nn", "a")])
    #expect(members.map(\.member) == [1, 2, 3])
    #expect(try store.memberCount(of: toMany, in: stations, owner: station("us", "a")) == 2)
    let toOne = try #require(picks.properties.firstIndex { $0.relationship?.isToMany == false })
    #expect(try store.resolve(["nn".value, "a".value], of: toOne, in: picks) == station("nn", "a"))
    #expect(try store.resolve(["xx".value, "a".value], of: toOne, in: picks) == nil)
    #expect(try store.referenceValues(to: station("us", "b"), of: toOne, in: picks) == ["us".value, "b".value])
  }

  @Test func rowsAreWrittenByTheirKeys() throws {
    let stations = entity("Station")
    let key = try store.insert(stations, ["zz".value, "q".value, "Q".value])
    #expect(store.keyValues(of: stations, key: key) == ["zz".value, "q".value])
    #expect(try store.update(stations, key: key, [(1, "r".value)]))
    #expect(store.keyValues(of: stations, key: key) == ["zz".value, "r".value])
    #expect(try keys("Station", "code == 'r'") == [key])
    #expect(
      fact { try store.insert(stations, ["us".value, "a".value, .null]) }
        == .notUnique(entity: "Station", properties: ["net", "code"], values: ["us".value, "a".value]))
    #expect(try store.delete(stations, key: key))
    var request = FetchRequest(stations)
    request.predicate = try Predicate.parse("name == 'A'")
    // What the foreign key does, the relationship does: nothing means no.
    #expect(
      fact { try store.batchDelete(request) } == .deleteDenied(entity: "Station", relationship: "picks", count: 2))
    request.predicate = try Predicate.parse("name == 'B'")
    #expect(try store.batchDelete(request) == 1)
    #expect(try store.aggregate(FetchRequest(stations), [.call(.count, .object)]) == [.int(2)])
  }
}
