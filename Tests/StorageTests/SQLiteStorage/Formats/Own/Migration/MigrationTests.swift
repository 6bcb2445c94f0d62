import Modeling
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLite
@testable import SQLiteStorage
@testable import Stores

@Suite struct MigrationTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// Makes a store of the old model with rows, then opens it with the new one.
  func migrate(
    _ old: [EntityDescription], _ rows: String, to new: [EntityDescription], readOnly: Bool = false,
    permitsLosses: Bool = false, _ migrate: ((Migration) throws -> Void)? = nil
  ) throws -> SQLiteStore {
    var options = StoreOptions(path: folder.file("store.sqlite"))
    options.create = true
    options.model = try Model(old)
    let store = try SQLiteStore(options)
    try store.connection.execute(rows)
    store.close()
    options.model = try Model(new)
    options.permitsLosses = permitsLosses
    options.migrate = migrate
    options.readOnly = readOnly
    let migrated = try SQLiteStore(options)
    try #require(try migrated.connection.first("PRAGMA foreign_keys") == (readOnly ? .int(0) : .int(1)))
    #expect(try migrated.connection.all("PRAGMA foreign_key_check").isEmpty)
    let left = try migrated.connection.all(
      "SELECT name FROM sqlite_schema WHERE name LIKE '!_old%' ESCAPE '!' OR name LIKE '!_new%' ESCAPE '!'")
    #expect(left.isEmpty)
    let kept = try Model(encoded: StoreMetadata(migrated.connection).model).descriptions
    if !readOnly { #expect(kept == options.model?.descriptions) }
    return migrated
  }

  func rows(_ store: SQLiteStore, _ sql: String) throws -> [[Value]] { try store.connection.all(sql) }

  @Test func attributesAreAddedWithTheirDefaults() throws {
    let store = try migrate(
      [EntityDescription("Quake", properties: [Declare.attribute("code", .string)])],
      "INSERT INTO quake VALUES (7, 'x')",
      to: [
        EntityDescription(
          "Quake",
          properties: [
            Declare.attribute("depth", .double) { $0.defaultValue = .double(5) }, Declare.attribute("code", .string),
            Declare.attribute("place", .string),
          ])
      ])
    #expect(
      try rows(store, "SELECT _pk, code, depth, place FROM quake") == [[.int(7), .string("x"), .double(5), .null]])
  }

  @Test func entitiesAndPropertiesAreRenamed() throws {
    var shock = EntityDescription(
      "Shock",
      properties: [
        Declare.attribute("id", .string) {
          $0.renamingIdentifier = "code"
          $0.isUnique = true
        }, Declare.toMany("notes", "Report") { $0.renamingIdentifier = "reports" },
      ])
    shock.renamingIdentifier = "Quake"
    let report = EntityDescription(
      "Report", properties: [Declare.toOne("shock", "Shock") { $0.renamingIdentifier = "quake" }])
    let old = [
      EntityDescription(
        "Quake",
        properties: [Declare.attribute("code", .string) { $0.isUnique = true }, Declare.toMany("reports", "Report")]),
      EntityDescription("Report", properties: [Declare.toOne("quake", "Quake")]),
    ]
    let store = try migrate(
      old, "INSERT INTO quake VALUES (7, 'x'); INSERT INTO report VALUES (3, 7)", to: [shock, report])
    #expect(try rows(store, "SELECT _pk, id FROM shock") == [[.int(7), .string("x")]])
    #expect(try rows(store, "SELECT _pk, shock_pk FROM report") == [[.int(3), .int(7)]])
    #expect(try rows(store, "SELECT name FROM sqlite_schema WHERE name LIKE 'quake%'") == [])
    // The same model again finds nothing to do.
    #expect(MigrationPlan(from: store.model, to: try Model([shock, report])).steps == [])
  }

  @Test func namesMayBeSwapped() throws {
    let store = try migrate(
      [
        EntityDescription("A", properties: [Declare.attribute("x", .integer64), Declare.attribute("y", .integer64)]),
        EntityDescription("B", properties: [Declare.attribute("z", .integer64)]),
      ], "INSERT INTO a VALUES (1, 2, 3); INSERT INTO b VALUES (4, 5)",
      to: [
        {
          var entity = EntityDescription("A", properties: [Declare.attribute("z", .integer64)])
          entity.renamingIdentifier = "B"
          return entity
        }(),
        {
          let properties = [
            Declare.attribute("x", .integer64) { $0.renamingIdentifier = "y" },
            Declare.attribute("y", .integer64) { $0.renamingIdentifier = "x" },
          ]
          var entity = EntityDescription("B", properties: properties)
          entity.renamingIdentifier = "A"
          return entity
        }(),
      ])
    #expect(try rows(store, "SELECT _pk, z FROM a") == [[.int(4), .int(5)]])
    #expect(try rows(store, "SELECT _pk, x, y FROM b") == [[.int(1), .int(3), .int(2)]])
  }

  @Test func removedThingsAreGone() throws {
    let store = try migrate(
      [
        EntityDescription(
          "Quake",
          properties: [
            Declare.attribute("code", .string), Declare.toOne("place", "Place"), Declare.toMany("tags", "Tag"),
          ]),
        EntityDescription("Place"), EntityDescription("Tag"),
      ], "INSERT INTO place VALUES (1); INSERT INTO quake VALUES (1, 'x', 1)",
      to: [EntityDescription("Quake")], permitsLosses: true)
    #expect(try rows(store, "SELECT * FROM quake") == [[.int(1)]])
    #expect(
      try rows(store, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1") == [
        [.string("_perilune")], [.string("quake")],
      ])
  }

  @Test(
    arguments: [
      (AttributeType.integer16, AttributeType.integer64, Value.int(5), Value.int(5)),
      (.integer64, .integer16, .int(5), .int(5)), (.integer64, .double, .int(5), .double(5)),
      (.double, .integer32, .double(5), .int(5)), (.double, .string, .double(0.1), .string("0.1")),
      (.boolean, .string, .int(1), .string("true")), (.string, .boolean, .string("false"), .int(0)),
      (.date, .string, .double(0), .string("1970-01-01T00:00:00Z")),
      (.string, .date, .string("1970-01-01T00:00:01Z"), .double(1)), (.string, .double, .string("2.5"), .double(2.5)),
      (.double, .decimal, .double(0.1), .string("0.1")), (.decimal, .double, .string("0.1"), .double(0.1)),
      (.integer64, .string, .int(.max), .string("9223372036854775807")),
      (.string, .transformable, .string("[1, 2]"), .string("[1,2]")), (.string, .data, .string("a"), .data([0x61])),
      (.string, .url, .string("http://a"), .string("http://a")), (.date, .double, .double(2.5), .double(2.5)),
    ])
  func typesChangeWhereNothingIsLost(_ old: AttributeType, _ new: AttributeType, _ stored: Value, _ converted: Value)
    throws
  {
    let literal =
      switch stored {
      case .int(let number): "\(number)"
      case .double(let number): "\(number)"
      case .string(let text): quoteText(text)
      default: "NULL"
      }
    let store = try migrate(
      [EntityDescription("Quake", properties: [Declare.attribute("x", old)])],
      "INSERT INTO quake VALUES (1, \(literal)), (2, NULL)",
      to: [EntityDescription("Quake", properties: [Declare.attribute("x", new)])])
    #expect(try rows(store, "SELECT x FROM quake ORDER BY _pk") == [[converted], [.null]])
  }

  @Test func requiredPropertiesAreFilled() throws {
    let store = try migrate(
      [EntityDescription("Quake", properties: [Declare.attribute("x", .string)])],
      "INSERT INTO quake VALUES (1, NULL), (2, 'a')",
      to: [
        EntityDescription(
          "Quake",
          properties: [
            Declare.attribute("x", .string) {
              $0.isOptional = false
              $0.defaultValue = .string("none")
            }
          ])
      ])
    #expect(try rows(store, "SELECT x FROM quake ORDER BY _pk") == [[.string("none")], [.string("a")]])
  }

  @Test func indexesAndUniquenessFollowTheModel() throws {
    var quake = EntityDescription(
      "Quake",
      properties: [
        Declare.attribute("a", .string) { $0.isUnique = true }, Declare.attribute("b", .string) { $0.isIndexed = true },
      ])
    let old = quake
    quake.properties = [Declare.attribute("a", .string) { $0.isIndexed = true }, Declare.attribute("b", .string)]
    quake.uniquenessConstraints = [["a", "b"]]
    let store = try migrate([old], "INSERT INTO quake VALUES (1, 'a', 'b')", to: [quake])
    #expect(
      try rows(store, "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'quake'") == [
        [.string("quake_a_b_unique")]
      ])
  }

  @Test func aToOneBecomesAToMany() throws {
    let store = try migrate(
      [EntityDescription("Report", properties: [Declare.toOne("quake", "Quake")]), EntityDescription("Quake")],
      "INSERT INTO quake VALUES (5); INSERT INTO report VALUES (1, 5), (2, NULL)",
      to: [
        EntityDescription(
          "Report", properties: [Declare.toMany("quakes", "Quake") { $0.renamingIdentifier = "quake" }]),
        EntityDescription("Quake"),
      ])
    #expect(try rows(store, "SELECT report_pk, quake_pk FROM report_quakes") == [[.int(1), .int(5)]])
  }

  @Test func aToManyMayGetAnInverseThatIsOne() throws {
    let store = try migrate(
      [
        EntityDescription("Quake", properties: [Declare.toMany("reports", "Report")]),
        EntityDescription("Report", properties: [Declare.toOne("quake", "Quake")]),
      ], "INSERT INTO quake VALUES (5); INSERT INTO report VALUES (1, 5)",
      to: [
        EntityDescription("Quake", properties: [Declare.toMany("reports", "Report") { $0.inverse = "quakes" }]),
        EntityDescription(
          "Report",
          properties: [
            Declare.toMany("quakes", "Quake") {
              $0.inverse = "reports"
              $0.renamingIdentifier = "quake"
            }
          ]),
      ])
    #expect(try rows(store, "SELECT quake_pk, report_pk FROM quake_reports") == [[.int(5), .int(1)]])
  }

  @Test func tablesOfPairsFollowTheirEntities() throws {
    let names = ["Song", "Tag"].map { name in
      { (new: String) in
        var entity = EntityDescription(new)
        entity.renamingIdentifier = name
        return entity
      }
    }
    var (track, label) = (names[0]("Track"), names[1]("Label"))
    track.properties = [
      Declare.toMany("labels", "Label") {
        $0.renamingIdentifier = "tags"
        $0.isOrdered = true
        $0.inverse = "tracks"
      }
    ]
    label.properties = [
      Declare.toMany("tracks", "Track") {
        $0.renamingIdentifier = "songs"
        $0.inverse = "labels"
      }
    ]
    let old = [
      EntityDescription("Song", properties: [Declare.toMany("tags", "Tag") { $0.isOrdered = true }]),
      EntityDescription("Tag", properties: [Declare.toMany("songs", "Song")]),
    ]
    let store = try migrate(
      old, "INSERT INTO song VALUES (1); INSERT INTO tag VALUES (2); INSERT INTO song_tags VALUES (1, 2, 30)",
      to: [track, label])
    #expect(
      try rows(store, "SELECT label_pk, track_pk, labels_order FROM label_tracks") == [[.int(2), .int(1), .int(30)]])
  }

  @Test func anEntityMayGetAParentAndChildren() throws {
    let store = try migrate(
      [EntityDescription("Car", properties: [Declare.attribute("plate", .string)])], "INSERT INTO car VALUES (3, 'x')",
      to: [
        EntityDescription("Vehicle", properties: [Declare.attribute("plate", .string)]),
        EntityDescription("Car", parent: "Vehicle"),
        EntityDescription("Taxi", parent: "Car"),
      ])
    #expect(try rows(store, "SELECT _pk, _entity, plate FROM vehicle") == [[.int(3), .string("Car"), .string("x")]])
  }

  @Test func aSubentityThatGoesTakesItsObjectsAndWhatPointsAtThem() throws {
    let owner = EntityDescription(
      "Owner", properties: [Declare.toOne("vehicle", "Vehicle"), Declare.toMany("all", "Vehicle")])
    let vehicle = EntityDescription("Vehicle", properties: [Declare.attribute("plate", .string)])
    let store = try migrate(
      [owner, vehicle, EntityDescription("Car", parent: "Vehicle"), EntityDescription("Boat", parent: "Vehicle")],
      """
      INSERT INTO vehicle VALUES (1, 'Car', 'a'), (2, 'Boat', 'b'); INSERT INTO owner VALUES (1, 1), (2, 2);
      INSERT INTO owner_all VALUES (1, 1), (1, 2)
      """, to: [owner, vehicle, EntityDescription("Car", parent: "Vehicle")], permitsLosses: true)
    #expect(try rows(store, "SELECT plate FROM vehicle") == [[.string("a")]])
    #expect(try rows(store, "SELECT vehicle_pk FROM owner ORDER BY _pk") == [[.int(1)], [.null]])
    #expect(try rows(store, "SELECT * FROM owner_all") == [[.int(1), .int(1)]])
  }

  @Test func whatOthersAddedStays() throws {
    let added = """
      CREATE INDEX mine ON quake(a); CREATE VIEW seen AS SELECT a FROM quake;
      CREATE TRIGGER t AFTER INSERT ON quake BEGIN SELECT 1; END;
      """
    let store = try migrate(
      [EntityDescription("Quake", properties: [Declare.attribute("a", .string), Declare.attribute("b", .string)])],
      added,
      to: [
        EntityDescription("Quake", properties: [Declare.attribute("a", .string), Declare.attribute("b", .integer64)])
      ])
    #expect(
      try rows(store, "SELECT name FROM sqlite_schema WHERE name IN ('mine', 'seen', 't') ORDER BY 1").map { $0[0] }
        == [
          .string("mine"), .string("seen"), .string("t"),
        ])
  }
}

// MARK: What hangs together

extension MigrationTests {
  @Test func tablesThatReferToOneAnotherKeepTheirReferencesAndPlaces() throws {
    func entities(_ type: AttributeType) -> [EntityDescription] {
      [
        EntityDescription(
          "Person",
          properties: [
            Declare.attribute("age", type), Declare.toOne("boss", "Person") { $0.inverse = "staff" },
            Declare.toMany("staff", "Person") {
              $0.isOrdered = true
              $0.inverse = "boss"
            }, Declare.toMany("pets", "Pet") { $0.deleteRule = .cascade },
          ]), EntityDescription("Pet", properties: [Declare.toOne("owner", "Person")]),
      ]
    }
    let store = try migrate(
      entities(.integer64),
      """
      INSERT INTO person (_pk, age, boss_pk, boss_order) VALUES (1, 50, NULL, NULL), (2, 20, 1, 7);
      INSERT INTO pet VALUES (1, 2)
      """, to: entities(.string))
    #expect(
      try rows(store, "SELECT _pk, age, boss_pk, boss_order FROM person ORDER BY 1") == [
        [.int(1), .string("50"), .null, .null], [.int(2), .string("20"), .int(1), .int(7)],
      ])
    let targets = try rows(store, "SELECT f.\"table\" FROM sqlite_schema s, pragma_foreign_key_list(s.name) f")
    #expect(Set(targets.map { $0[0] }) == [.string("person")])
    try store.connection.run("DELETE FROM person WHERE _pk = 2")
    #expect(try rows(store, "SELECT count(*) FROM pet") == [[.int(0)]])
  }

  @Test func derivedAttributesAreComputedForRowsThatAreThere() throws {
    func entities(_ derivations: [String]) -> [EntityDescription] {
      let derived = derivations.enumerated().map { index, text in
        Declare.attribute("d\(index)", .integer64) { $0.derivation = text }
      }
      return [
        EntityDescription(
          "Quake", properties: [Declare.attribute("n", .integer64), Declare.toMany("reports", "Report")] + derived),
        EntityDescription(
          "Report", properties: [Declare.attribute("score", .integer64), Declare.toOne("quake", "Quake")]),
      ]
    }
    let rows = "INSERT INTO quake (_pk, n) VALUES (1, 5); INSERT INTO report VALUES (1, 3, 1), (2, 4, 1)"
    let first = try migrate(entities([]), rows, to: entities(["reports.@count", "n * 2"]))
    #expect(try self.rows(first, "SELECT d0, d1 FROM quake") == [[.int(2), .int(10)]])
    first.close()
    var options = StoreOptions(path: folder.file("store.sqlite"))
    options.model = try Model(entities(["reports.@sum.score", "n * 3"]))
    let second = try SQLiteStore(options)
    #expect(try self.rows(second, "SELECT d0, d1 FROM quake") == [[.int(7), .int(15)]])
    try second.connection.run("INSERT INTO report VALUES (3, 10, 1)")
    #expect(try self.rows(second, "SELECT d0 FROM quake") == [[.int(17)]])
  }
}
