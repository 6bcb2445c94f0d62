import Foundation
import Modeling
import Queries
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

/// Stores in which something is missing or wrong.
@Suite(.seeded) struct CoreDataDamageTests {
  let app: AppStore
  init() throws { app = try AppStore() }

  @Test(arguments: [
    ("x''", "keeps no model"), ("NULL", "keeps no model"), ("x'0102030405'", "is damaged"),
    ("substr(Z_CONTENT, 1, 400)", "is damaged"), ("zeroblob(100000)", "is damaged"),
    // A property list, {}, that is no archive.
    ("x'4b2ac8c92c2e3130b8c0c100068c8c0c5006032ae00400'", "is damaged"),
  ])
  func withoutTheModelNamesAreReadOffTheTables(cache: String, told: String) throws {
    _ = try sqlite3(app.path, "UPDATE Z_MODELCACHE SET Z_CONTENT = \(cache)")
    let store = try app.open()
    #expect(store.notes.contains { $0.contains(told) }, "\(store.notes)")
    #expect(try store.values("title", of: "Recipe").first == "Crêpes".value)
    #expect(try store.values("createdat", of: "Recipe").first == .date(Timestamp(1_706_832_000)))
    #expect(try store.keys("Step", "recipe.title == 'Tacos'").count == 2)
    #expect(try store.keys("Recipe", "ANY steps.minutes == 30") == [1])
    #expect(try store.keys("Recipe", "cuisine.name == 'Mexican'") == [3, 4])
  }

  @Test func whatTheFileDoesNotHaveIsNamedAndTheRestStandsToUse() throws {
    _ = try sqlite3(app.path, "DROP INDEX ZRECIPE_ZCUISINE_INDEX; ALTER TABLE ZRECIPE DROP COLUMN ZCUISINE;")
    _ = try sqlite3(app.path, "ALTER TABLE ZRECIPE DROP COLUMN ZRATING; DROP TABLE Z_2RECIPES; DROP TABLE ZINGREDIENT;")
    let store = try app.open()
    #expect(
      store.notes.contains { $0.contains("Recipe.cuisine") } && store.notes.contains { $0.contains("Ingredient") })
    #expect(store.notes.contains { $0.contains("Recipe.rating") })
    #expect(store.model.entity(named: "Ingredient") == nil)
    #expect(store.model.entity(named: "Recipe")?.index(of: "rating") == nil)
    #expect(try store.values("title", of: "Recipe").count == 5)
  }

  @Test(arguments: [
    "UPDATE Z_METADATA SET Z_PLIST = NULL", "UPDATE Z_METADATA SET Z_PLIST = x'62706C697374'", "DELETE FROM Z_METADATA",
    "UPDATE ZRECIPE SET ZCUISINE = 999", "UPDATE ZRECIPE SET Z_ENT = 77", "UPDATE ZSTEP SET Z_FOK_RECIPE = NULL",
    "UPDATE ZRECIPE SET ZTAGS = x'62706C69737430303030', ZID = x'01', ZCREATEDAT = 'soon'",
  ])
  func whatIsWrongInTheFileLosesNothingElse(damage: String) throws {
    _ = try sqlite3(app.path, damage)
    let store = try app.open()
    #expect(try store.values("title", of: "Recipe").count == 5)
    for name in ["tags", "id", "createdAt", "photo", "cost"] { _ = try store.values(name, of: "Recipe") }
    _ = try store.keys("Recipe", "cuisine.name == 'French' OR ANY steps.minutes > 3 OR tags CONTAINS 'quick'")
  }

  @Test func aFileWithoutZTablesIsNoCoreDataStore() throws {
    for (name, sql) in [
      ("a", "CREATE TABLE Z_METADATA (a)"), ("b", "CREATE TABLE Z_METADATA (a); CREATE TABLE Z_PRIMARYKEY (a)"),
    ] {
      let path = try app.folder.database(name + ".sqlite", sql)
      #expect(try SQLiteStore(StoreOptions(path: path)).kind == .sqlite)
    }
  }

  @Test func bookkeepingWithoutTablesIsRefusedInWords() throws {
    let path = try app.folder.database(
      "bare.sqlite",
      """
      CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR, Z_PLIST BLOB);
      CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
      INSERT INTO Z_PRIMARYKEY VALUES (1, 'Gone', 0, 3), (2, 'Loop', 2, 0), (3, 'Orphan', 9, 0);
      """)
    let store = try SQLiteStore(StoreOptions(path: path))
    #expect(store.model.entities.isEmpty)
  }

  @Test(arguments: [
    // Parents that lead in a circle, names that are there twice or not at all, numbers that are none.
    "UPDATE Z_PRIMARYKEY SET Z_SUPER = CASE Z_ENT WHEN 1 THEN 2 ELSE 1 END WHERE Z_ENT < 3",
    "UPDATE Z_PRIMARYKEY SET Z_SUPER = Z_ENT", "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Recipe'",
    "UPDATE Z_PRIMARYKEY SET Z_NAME = ''", "INSERT INTO Z_PRIMARYKEY VALUES (-5, 'X', 0, 0), (15999, 'Y', 15999, 0)",
    "ALTER TABLE ZRECIPE ADD COLUMN ZSTEPS INTEGER",
    // Two entities of one hierarchy whose to-manys would be called the same.
    "ALTER TABLE ZSTEP ADD COLUMN ZOTHER INTEGER; ALTER TABLE ZSTEP ADD COLUMN Z4_OTHER INTEGER",
    "ALTER TABLE Z_2RECIPES RENAME COLUMN Z_2INGREDIENTS TO Z_3INGREDIENTS",
  ])
  func aStoreWithoutAModelOpensWhateverItsBookkeepingSays(damage: String) throws {
    _ = try sqlite3(app.path, "DROP TABLE Z_MODELCACHE; \(damage)")
    let store = try app.open()
    for entity in store.model.entities { _ = try store.keys(entity.name, "TRUEPREDICATE") }
    _ = try store.verify()
  }

  @Test func metadataThatRepeatWithoutEndAreRead() throws {
    // An array of twice the next one, a hundred times: 2 to the power of 100 values in 400 bytes.
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    for index in 0..<100 {
      offsets.append(bytes.count)
      bytes += [0xA2, UInt8(index + 1), UInt8(index + 1)]
    }
    offsets.append(bytes.count)
    bytes += [0x51, 0x61]
    let table = bytes.count
    for offset in offsets { bytes += [UInt8(offset >> 8), UInt8(offset & 0xFF)] }
    bytes += [0, 0, 0, 0, 0, 0, 2, 1] + [0, 0, 0, 0, 0, 0, 0, 101] + [UInt8](repeating: 0, count: 8)
    bytes += [0, 0, 0, 0, 0, 0, UInt8(table >> 8), UInt8(table & 0xFF)]
    let hex = bytes.map { String(format: "%02X", $0) }.joined()
    _ = try sqlite3(app.path, "UPDATE Z_METADATA SET Z_PLIST = X'\(hex)'")
    #expect(try app.open().values("title", of: "Recipe").count == 5)
    var options = StoreOptions(path: app.path)
    options.writesCoreData = true
    #expect(fact { try SQLiteStore(options) } == .coreDataNotWritable(.unknownFramework(nil, nil)))
  }

  @Test func aModelOfAnotherStoreIsToldWhatThereIs() throws {
    var options = StoreOptions(path: app.path)
    options.model = try CoreDataShapes.library()
    #expect(
      fact { try SQLiteStore(options) }
        == .modelOfOtherStore(known: ["Cuisine", "Ingredient", "Recipe", "PartyRecipe", "Step"]))
  }

  @Test func aHistoryWithOtherColumnsIsReadAsFarAsItGoes() throws {
    _ = try sqlite3(
      app.path,
      """
      ALTER TABLE ATRANSACTION DROP COLUMN ZPROCESSID; ALTER TABLE ATRANSACTION DROP COLUMN ZPROCESSIDTS;
      ALTER TABLE ATRANSACTION DROP COLUMN ZAUTHOR; ALTER TABLE ACHANGE ADD COLUMN ZTOMBSTONE5 BLOB;
      """)
    var options = StoreOptions(path: app.path)
    options.writesCoreData = true
    let store = try SQLiteStore(options)
    let transaction = try #require(try store.history().first)
    #expect(transaction.author == "app" && transaction.processName == nil && transaction.changes.count == 25)
    _ = try store.sql("UPDATE ZSTEP SET ZMINUTES = 9 WHERE Z_PK = 1")
    #expect(try store.history().last?.changes.count == 1)
  }

  @Test func keysThatHaveRunOutAreSaidToHave() throws {
    _ = try sqlite3(app.path, "UPDATE Z_PRIMARYKEY SET Z_MAX = \(Int64.max) WHERE Z_NAME IN ('Step', 'CHANGE')")
    var options = StoreOptions(path: app.path)
    options.writesCoreData = true
    let store = try SQLiteStore(options)
    let step = try #require(store.model.entity(named: "Step"))
    let blank = [Value](repeating: .null, count: store.layout(of: step).columns.count)
    #expect(fact { try store.insert(step, blank) } == .coreDataNotWritable(.noMoreKeys(of: "Step")))
    #expect(
      fact { try store.sql("UPDATE ZSTEP SET ZMINUTES = 9 WHERE Z_PK = 1") }
        == .coreDataNotWritable(.noMoreKeys(of: "ACHANGE")))
    #expect(try sqlite3(app.path, "SELECT ZMINUTES FROM ZSTEP WHERE Z_PK = 1") == "5")
  }

  @Test func aHighestKeyThatIsNoNumberIsCountedAnew() throws {
    _ = try sqlite3(app.path, "UPDATE Z_PRIMARYKEY SET Z_MAX = 'many'")
    var options = StoreOptions(path: app.path)
    options.writesCoreData = true
    let store = try SQLiteStore(options)
    let step = try #require(store.model.entity(named: "Step"))
    let blank = [Value](repeating: .null, count: store.layout(of: step).columns.count)
    #expect(try store.insert(step, blank) == 11)
    #expect(try store.history().count == 2)
  }

  /// Columns that the framework writes and reads by its own rules.
  private static let columns = [
    "ZRECIPE": ["ZCOST", "ZTAGS", "ZCREATEDAT", "ZID", "ZPHOTO", "ZCUISINE", "Z_ENT", "Z_OPT", "ZISFAVORITE"],
    "ZSTEP": ["ZMINUTES", "ZRECIPE", "Z3_RECIPE", "Z_FOK_RECIPE", "ZTEXT"],
    "ACHANGE": ["ZCOLUMNS", "ZENTITY", "ZENTITYPK", "ZCHANGETYPE", "ZTRANSACTIONID"],
    "ATRANSACTION": ["ZTIMESTAMP", "ZAUTHORTS", "ZAUTHOR"], "Z_PRIMARYKEY": ["Z_MAX", "Z_SUPER"],
  ]
  private static let values = [
    "NULL", "0", "-1", "2", "9223372036854775807", "-9223372036854775808", "1e300", "9e999", "'x'", "''", "x''",
    "x'02'", "x'01'", "x'FF'", "'bplist00'", "x'62706C6973743030'",
  ]

  @Test(arguments: 0..<(Effort.isLong ? 1000 : 24))
  func whateverStandsInTheColumnsNothingEndsTheProgram(number: Int) throws {
    var generator = SplitMix(seed: UInt64(number))
    var sql = ""
    for (table, columns) in Self.columns.sorted(by: { $0.key < $1.key }) {
      let (column, value) = (columns.randomElement(using: &generator), Self.values.randomElement(using: &generator))
      sql += "UPDATE \(table) SET \(column ?? "") = \(value ?? "");"
    }
    #expect(try sqlite3(app.path, sql) == "")
    var options = StoreOptions(path: app.path)
    options.writesCoreData = number % 2 == 1
    let store = try SQLiteStore(options)
    for entity in store.model.entities {
      for attribute in entity.attributes { _ = try store.values(attribute.name, of: entity.name) }
    }
    _ = try? store.keys("Recipe", "createdAt > 3 OR cost > 3 OR ANY steps.minutes > 5 OR cuisine.name == 'x'")
    _ = try store.history()
    _ = try store.verify()
    if options.writesCoreData { _ = fact { try store.sql("UPDATE ZSTEP SET ZTEXT = 'y'; DELETE FROM ZRECIPE") } }
  }
}
