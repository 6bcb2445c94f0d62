import Modeling
import Queries
import TestSupport
import Testing

@testable import LiveQueries
@testable import SQLiteStorage
@testable import Stores

@Suite struct DependenciesTests {
  let sample: QuakeSample
  var store: SQLiteStore { sample.store }

  init() throws {
    sample = try QuakeSample()
    _ = try store.sql("INSERT INTO network(name) VALUES ('us'), ('jp')")
    _ = try store.sql(
      """
      INSERT INTO quake(code, magnitude, network_pk) VALUES ('a', 1, 1), ('b', 2, 1), ('c', 3, 2), ('d', 4, NULL);
      INSERT INTO report(quake_pk, score) VALUES (1, 5), (2, 6), (NULL, 7);
      INSERT INTO tag(label) VALUES ('t'), ('u'); INSERT INTO quake_tags(quake_pk, tag_pk) VALUES (1, 1), (3, 1);
      """)
  }

  private func dependencies(_ entity: String, _ format: String?, order: [String] = []) throws -> Dependencies {
    var request = try sample.request(entity, format)
    request.sortDescriptors = order.map { SortDescriptor($0) }
    return try Dependencies(request, store: store)
  }

  private func touched(_ sql: String) throws -> TouchedRows {
    var touched = TouchedRows()
    let subscription = store.onCommit { touched.formUnion(TouchedRows($0, of: store)) }
    defer { subscription?.cancel() }
    _ = try store.sql(sql)
    return touched
  }

  private func affected(_ dependencies: Dependencies, _ sql: String) throws -> Dependencies.Affected {
    try dependencies.affected(by: touched(sql))
  }

  @Test func tablesAreThoseThatPathsLeadThrough() throws {
    #expect(try dependencies("Quake", nil).tables == ["quake"])
    #expect(try dependencies("Quake", "ANY tags.label == 't'").tables == ["quake", "quake_tags", "tag"])
    #expect(try dependencies("Report", nil, order: ["quake.network.name"]).tables == ["report", "quake", "network"])
    let other = try dependencies("Tag", nil)
    #expect(try !other.isTouched(by: touched("UPDATE quake SET place = 'x'")))
    #expect(try other.isTouched(by: touched("UPDATE tag SET label = 'x'")))
  }

  @Test func anUpdateOfOtherColumnsMovesNothing() throws {
    let dependencies = try dependencies("Quake", "magnitude > 1", order: ["code"])
    #expect(dependencies.ownColumns == ["magnitude", "code"])
    #expect(
      try affected(dependencies, "UPDATE quake SET place = 'x' WHERE _pk = 2")
        == .keys(own: [], related: [], unmoved: [2]))
    #expect(
      try affected(dependencies, "UPDATE quake SET code = 'x' WHERE _pk = 2")
        == .keys(own: [2], related: [], unmoved: []))
  }

  @Test func aRowThatOnlyAPathLeadsToIsNotUnmoved() throws {
    let dependencies = try dependencies("Quake", "network.name == 'us'")
    let both = "UPDATE quake SET place = 'x' WHERE _pk IN (2, 3); UPDATE network SET name = 'x' WHERE _pk = 1"
    #expect(try affected(dependencies, both) == .keys(own: [2], related: [1], unmoved: [3]))
  }

  @Test func toOnesAreFollowedBackwards() throws {
    let dependencies = try dependencies("Report", nil, order: ["quake.network.name"])
    #expect(
      try affected(dependencies, "UPDATE network SET name = 'x' WHERE _pk = 1")
        == .keys(own: [], related: [1, 2], unmoved: []))
    #expect(
      try affected(dependencies, "UPDATE quake SET network_pk = 2 WHERE _pk = 2")
        == .keys(own: [], related: [2], unmoved: []))
    #expect(try affected(dependencies, "UPDATE quake SET place = 'y'") == .keys(own: [], related: [], unmoved: []))
  }

  @Test func toManysAreFollowedToFormerAndPresentOwners() throws {
    let dependencies = try dependencies("Quake", "ANY reports.score > 5")
    #expect(
      try affected(dependencies, "UPDATE report SET score = 9 WHERE _pk = 1")
        == .keys(own: [], related: [1], unmoved: []))
    #expect(
      try affected(dependencies, "UPDATE report SET quake_pk = 3 WHERE _pk = 1")
        == .keys(own: [], related: [1, 3], unmoved: []))
    #expect(try affected(dependencies, "DELETE FROM report WHERE _pk = 2") == .keys(own: [], related: [2], unmoved: []))
    #expect(
      try affected(dependencies, "INSERT INTO report(quake_pk) VALUES (4)") == .keys(own: [], related: [4], unmoved: [])
    )
    #expect(try affected(dependencies, "UPDATE report SET text = 'x'") == .keys(own: [], related: [], unmoved: []))
  }

  @Test func pairsAreFollowedInBothDirections() throws {
    let (quakes, tags) = (
      try dependencies("Quake", "ANY tags.label == 't'"), try dependencies("Tag", "quakes.@count > 1")
    )
    #expect(
      try affected(quakes, "UPDATE tag SET label = 'x' WHERE _pk = 1") == .keys(own: [], related: [1, 3], unmoved: []))
    let linked = try touched("INSERT INTO quake_tags(quake_pk, tag_pk) VALUES (2, 2)")
    #expect(try quakes.affected(by: linked) == .keys(own: [], related: [2], unmoved: []))
    #expect(try tags.affected(by: linked) == .keys(own: [], related: [2], unmoved: []))
    let unlinked = try touched("DELETE FROM quake_tags WHERE quake_pk = 3")
    #expect(try quakes.affected(by: unlinked) == .keys(own: [], related: [3], unmoved: []))
    #expect(try tags.affected(by: unlinked) == .keys(own: [], related: [1], unmoved: []))
  }

  @Test func aComputedAttributeDependsOnItsSources() throws {
    var quake = EntityDescription("Quake")
    var day = Attribute("day", .string)
    day.derivation = "lowercase(place)"
    quake.properties = [
      .attribute(Attribute("place", .string)), .attribute(Attribute("n", .integer64)), .attribute(day),
    ]
    let sample = try QuakeSample(Model([quake]))
    var request = try sample.request("Quake")
    request.sortDescriptors = [SortDescriptor("day")]
    #expect(try Dependencies(request, store: sample.store).ownColumns == ["place"])
  }

  @Test func withoutFormerReferencesEverythingIsAffected() throws {
    var table = TouchedRows.Table(name: "report", entity: sample.entity("Report"))
    table.formerReferences = nil
    table.inserted = [1]
    var foreign = TouchedRows()
    foreign.tables["report"] = table
    let quakes = try dependencies("Quake", "ANY reports.score > 5")
    #expect(try quakes.affected(by: foreign) == .keys(own: [], related: [1], unmoved: []))
    foreign.tables["report"]?.updated = [2]
    #expect(try quakes.affected(by: foreign) == .everything(.unknownReferences(table: "report")))
    foreign.tables["report"]?.updatedColumns = ["score"]
    #expect(try quakes.affected(by: foreign) == .keys(own: [], related: [1, 2], unmoved: []))
    foreign.tables["report"]?.deleted = [8]
    #expect(try quakes.affected(by: foreign) == .everything(.unknownReferences(table: "report")))
    // A to-one needs none.
    let reports = try dependencies("Report", "quake.magnitude > 1")
    #expect(try reports.affected(by: foreign) == .keys(own: [1, 2, 8], related: [], unmoved: []))
  }

  @Test func whatIsNotCompleteAffectsEverything() throws {
    var lost = TouchedRows()
    lost.isComplete = false
    #expect(try dependencies("Quake", nil).affected(by: lost) == .everything(.incomplete))
    #expect(try dependencies("Quake", nil).isTouched(by: lost))
  }

  @Test func moreRowsThanTheLimitAreEverything() throws {
    let dependencies = try dependencies("Quake", "network.name == 'us'")
    let touched = try touched("UPDATE network SET name = name || 'x'")
    #expect(try dependencies.affected(by: touched, limit: 2) == .everything(.tooMany))
    #expect(try dependencies.affected(by: touched, limit: 3) == .keys(own: [], related: [1, 2, 3], unmoved: []))
  }

  @Test func aViewTellsOfNoChanges() throws {
    let folder = try TemporaryFolder()
    let path = try folder.database(
      "v.sqlite", "CREATE TABLE t(id INTEGER PRIMARY KEY, x); CREATE VIEW v AS SELECT id, x FROM t WHERE x > 1")
    let store = try SQLiteStore(StoreOptions(path: path))
    let entity = try #require(store.model.entities.first { store.layout(of: $0).table == "v" })
    let dependencies = try Dependencies(FetchRequest(entity), store: store)
    var touched = TouchedRows()
    #expect(!dependencies.isTouched(by: touched))
    touched.tables["t"] = TouchedRows.Table(name: "t", entity: nil)
    #expect(dependencies.isTouched(by: touched))
    #expect(try dependencies.affected(by: touched) == .everything(.computedTable("v")))
  }

  @Test func columnsThatCompareOtherwiseAreNotLookedUpIn() throws {
    let folder = try TemporaryFolder()
    let path = try folder.database(
      "n.sqlite",
      """
      CREATE TABLE network(code TEXT COLLATE NOCASE UNIQUE, id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE quake(id INTEGER PRIMARY KEY, network TEXT REFERENCES network(code), size REAL);
      INSERT INTO network VALUES ('us', 1, 'U'); INSERT INTO quake VALUES (1, 'US', 2), (2, NULL, 3);
      """)
    let store = try SQLiteStore(StoreOptions(path: path))
    let quake = try #require(store.model.entity(named: "Quake"))
    let toOne = try #require(quake.relationships.first).name
    var request = FetchRequest(quake)
    request.predicate = try Predicate.parse("\(toOne).name == 'U'")
    let dependencies = try Dependencies(request, store: store)
    var touched = TouchedRows()
    let subscription = store.onCommit { touched.formUnion(TouchedRows($0, of: store)) }
    defer { subscription?.cancel() }
    _ = try store.sql("UPDATE quake SET size = 4 WHERE id = 2")
    #expect(try dependencies.affected(by: touched) == .keys(own: [], related: [], unmoved: [2]))
    _ = try store.sql("UPDATE network SET name = 'V'")
    #expect(try dependencies.affected(by: touched) == .everything(.unlikeColumns(relationship: toOne)))
  }

  @Test func pathsTellHowTheyAreFollowed() throws {
    let paths = try dependencies("Network", "ANY quakes.tags.label == 't'", order: ["name"]).explanation()
    #expect(paths.map(\.path.text) == ["quakes.tags.label"])
    #expect(paths[0].steps.map(\.relationship) == ["quakes", "tags"])
    #expect(paths[0].steps.map(\.kind) == [.inverse, .pairs(table: "quake_tags")])
    #expect(paths[0].steps.map(\.scans) == [false, false])
    let back = try dependencies("Report", "quake.magnitude > 1").explanation()
    #expect(back[0].steps.map(\.kind) == [.reference])
    #expect(back[0].steps.map(\.scans) == [false])
  }

  @Test func aPathThatDoesNotFitTheModelIsAnError() {
    #expect(throws: PredicateError.self) { try dependencies("Quake", "netwrk.name == 'us'") }
  }
}
