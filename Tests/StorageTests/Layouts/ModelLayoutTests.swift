import Modeling
import Testing

@testable import RelationalStorage
@testable import SQLite
@testable import SQLiteStorage
@testable import Stores

@Suite struct ModelLayoutTests {
  @Test func namesAreReadable() throws {
    var item = EntityDescription("OrderItem")
    item.properties = [
      .attribute(Attribute("unitPrice", .decimal)), .attribute(Attribute("isGift", .boolean)),
      .attribute(Attribute("shipped", .date)), .relationship(Relationship(toOne: "order", "Order", inverse: "items")),
    ]
    let order = EntityDescription("Order", properties: [.relationship(Relationship(toMany: "items", "OrderItem"))])
    let schema = try ModelLayout(Model([item, order])).schema
    #expect(
      schema.table("order_item")?.createStatement == """
        CREATE TABLE "order_item" (
          "_pk" INTEGER PRIMARY KEY,
          "unitPrice" TEXT,
          "isGift" INTEGER,
          "shipped" REAL,
          "order_pk" INTEGER REFERENCES "order"("_pk") ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED
        )
        """)
    #expect(schema.table("order_item")?.indexes.map(\.name) == ["order_item_order_pk_index"])
  }

  @Test func aFamilySharesOneTable() throws {
    var car = EntityDescription("Car", parent: "Vehicle", properties: [.attribute(Attribute("weight", .double))])
    car.uniquenessConstraints = [["plate"]]
    let boat = EntityDescription("Boat", parent: "Vehicle", properties: [.attribute(Attribute("weight", .string))])
    let vehicle = EntityDescription("Vehicle", properties: [.attribute(Attribute("plate", .string))])
    let model = try Model([car, boat, vehicle])
    let layout = try ModelLayout(model)
    #expect(layout.schema.tables.map(\.name) == ["vehicle"])
    #expect(layout.schema.tables[0].columns.map(\.name) == ["_pk", "_entity", "plate", "weight", "weight_2"])
    let boatLayout = layout.layouts[model.entity(named: "Boat")!]!
    #expect(boatLayout.columns.map(\.name) == ["plate", "weight_2"])
    #expect(boatLayout.discriminator?.value == .string("Boat"))
    #expect(layout.schema.tables[0].indexes.map(\.condition) == [nil, "\"_entity\" IN ('Car')"])
  }

  @Test func namesThatSQLiteTakesForEqualGetNumbers() throws {
    let properties = ["name", "Name", "_pk", "_entity", "order_pk"].map { Property.attribute(Attribute($0, .string)) }
    let relationship = Property.relationship(Relationship(toOne: "order", "Thing"))
    let thing = EntityDescription("Thing", properties: properties + [relationship])
    let others = ["thing", "Sqlite_thing", "_Perilune", "Perilune_", "__"].map { EntityDescription($0) }
    let schema = try ModelLayout(Model([thing] + others)).schema
    #expect(
      schema.tables[0].columns.map(\.name) == ["_pk", "name", "Name_2", "_pk_2", "_entity_2", "order_pk", "order_pk_2"])
    #expect(
      schema.tables.map(\.name) == ["thing", "thing_2", "_sqlite_thing", "perilune", "perilune_2", "entity"])
    let connection = try Connection(":memory:")
    defer { connection.close() }
    for statement in schema.statements { try connection.execute(statement) }
  }

  @Test func toManyRelationshipsAreKeptWhereTheirInversesAre() throws {
    var reports = Relationship(toMany: "reports", "Report", inverse: "quake")
    reports.isOrdered = true
    var stations = Relationship(toMany: "stations", "Station", inverse: "quakes")
    stations.isOrdered = true
    let similar = Relationship(toMany: "similar", "Quake", inverse: "similar")
    let model = try Model([
      EntityDescription("Quake", properties: [reports, stations, similar].map(Property.relationship)),
      EntityDescription(
        "Report", properties: [.relationship(Relationship(toOne: "quake", "Quake", inverse: "reports"))]),
      EntityDescription(
        "Station", properties: [.relationship(Relationship(toMany: "quakes", "Quake", inverse: "stations"))]),
    ])
    let layout = try ModelLayout(model)
    let quake = layout.layouts[model.entity(named: "Quake")!]!
    let station = layout.layouts[model.entity(named: "Station")!]!
    #expect(quake.properties[0] == .inverse(0, order: "quake_order"))
    let pairs = JoinLayout(
      table: "quake_stations", ownerColumns: ["quake_pk"], ownerTarget: .key, memberColumns: ["station_pk"],
      memberTarget: .key, order: "stations_order")
    #expect(quake.properties[1] == .join(pairs))
    let back = JoinLayout(
      table: "quake_stations", ownerColumns: ["station_pk"], ownerTarget: .key, memberColumns: ["quake_pk"],
      memberTarget: .key)
    #expect(station.properties[0] == .join(back))
    guard case .join(let own) = quake.properties[2] else { return #expect(Bool(false)) }
    #expect(own.isSymmetric && own.ownerColumns == ["quake_pk"] && own.memberColumns == ["similar_pk"])
    #expect(layout.schema.table("report")?.columns.map(\.name) == ["_pk", "quake_pk", "quake_order"])
    #expect(layout.schema.table("report")?.indexes.map(\.columns) == [["quake_pk", "quake_order"]])
    #expect(layout.schema.table("quake_stations")?.indexes.map(\.columns) == [["station_pk", "quake_pk"]])
  }

  @Test func deleteRulesAreDeclaredForOthersWhoDelete() throws {
    for (rule, action) in [
      (DeleteRule.cascade, "ON DELETE CASCADE"), (.deny, "ON DELETE NO ACTION"), (.nullify, "ON DELETE SET NULL"),
    ] {
      var reports = Relationship(toMany: "reports", "Report", inverse: "quake")
      reports.deleteRule = rule
      let schema = try ModelLayout(
        Model([
          EntityDescription("Quake", properties: [.relationship(reports)]),
          EntityDescription("Report", properties: [.relationship(Relationship(toOne: "quake", "Quake"))]),
        ])
      ).schema
      #expect(schema.table("report")!.createStatement.contains(action))
    }
  }
}
