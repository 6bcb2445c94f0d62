import Foundation
import Modeling
import TestSupport

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

/// A Core Data store as Apple's framework makes it for a model; without the copy of the model, unless it `keepsModel`.
///
///     let fixture = CoreDataFixture(model)
///     let path = try fixture.make(in: folder)
///     let store = try fixture.open(path)
struct CoreDataFixture {
  /// Whether the app keeps a history, and in which layout.
  enum History {
    case none
    /// Names stand in the transactions themselves, as in older versions.
    case plain
    /// Names stand in a table of their own.
    case strings
  }

  let model: Model
  var history = History.none
  var frameworkVersion: Int? = 1344
  /// The version of the form of hashes.
  var hashesVersion = 3
  /// The names of entities that `Z_PRIMARYKEY` keeps from before a renaming, by their names now.
  var formerNames: [String: String] = [:]
  /// Whether the store has a copy of its model.
  var keepsModel = false
  /// Statements of the app's own, run last.
  var extra = ""

  let numbers: [Entity: Int]

  init(_ model: Model, history: History = .none) {
    self.model = model
    self.history = history
    numbers = Self.numbers(of: model)
  }

  /// The entities depth first, siblings by name without case.
  private static func numbers(of model: Model) -> [Entity: Int] {
    var numbers: [Entity: Int] = [:]
    func walk(_ entities: [Entity]) {
      for entity in entities.sorted(by: { $0.name.lowercased() < $1.name.lowercased() }) {
        numbers[entity] = numbers.count + 1
        walk(entity.subentities)
      }
    }
    walk(model.entities.filter { $0.parent == nil })
    return numbers
  }

  func number(_ entity: Entity) -> Int { numbers[entity] ?? 0 }

  /// Makes the file; returns its path.
  func make(in folder: TemporaryFolder, _ name: String = "App.sqlite") throws -> String {
    try folder.database(name, try sql())
  }

  func options(_ path: String, readOnly: Bool = false) -> StoreOptions {
    var options = StoreOptions(path: path)
    options.model = model
    options.writesCoreData = !readOnly
    return options
  }

  func open(_ path: String, readOnly: Bool = false) throws -> SQLiteStore {
    try SQLiteStore(options(path, readOnly: readOnly))
  }

  // MARK: Statements

  private func sql() throws -> String {
    var lines = ["PRAGMA auto_vacuum = 2;", "BEGIN;"]
    for root in entities where root.parent == nil { lines += table(of: root) }
    lines += pairTables()
    lines += try bookkeeping()
    lines += triggers()
    if keepsModel { lines += modelCache() }
    lines.append(extra)
    return (lines + ["COMMIT;"]).joined(separator: "\n")
  }

  var entities: [Entity] { model.entities.sorted { number($0) < number($1) } }

  func tableName(_ entity: Entity) -> String { "Z" + entity.root.name.uppercased() }

  /// The properties that an entity declares itself, with their indices.
  func own(_ entity: Entity) -> [(index: Int, property: Property)] {
    let first = entity.parent?.properties.count ?? 0
    return (first..<entity.properties.count).map { ($0, entity.properties[$0]) }
  }

  private func bookkeeping() throws -> [String] {
    var lines = [
      "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);",
      "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);",
    ]
    for entity in entities {
      let parent = entity.parent.map(number) ?? 0
      let name = formerNames[entity.name] ?? entity.name
      lines.append("INSERT INTO Z_PRIMARYKEY VALUES (\(number(entity)), '\(name)', \(parent), 0);")
    }
    var list: [String: Any] = ["NSStoreType": "SQLite", "NSStoreModelVersionHashesVersion": hashesVersion]
    list["NSPersistenceFrameworkVersion"] = frameworkVersion
    list["NSStoreModelVersionHashes"] = Dictionary(
      uniqueKeysWithValues: model.entities.map { entity in
        (entity.name, Data((0..<32).map { Array(entity.name.utf8)[$0 % entity.name.utf8.count] }))
      })
    let data = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
    let hex = data.map { String(format: "%02X", $0) }.joined()
    lines.append("INSERT INTO Z_METADATA VALUES (1, 'C0FFEE00-0000-4000-8000-000000000001', X'\(hex)');")
    return lines + historyTables()
  }

  private func historyTables() -> [String] {
    if history == .none { return [] }
    let most = model.entities.map { $0.attributes.count { $0.preservesValueInHistoryOnDeletion } }.max() ?? 0
    let tombstones = (0..<most).map { ", ZTOMBSTONE\($0) BLOB" }.joined()
    let names =
      history == .strings
      ? "ZAUTHORTS INTEGER, ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, " : ""
    var lines = [
      """
      CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER,
        ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB\(tombstones) );
      CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \(names)ZTIMESTAMP FLOAT,
        ZAUTHOR VARCHAR, ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB );
      CREATE INDEX ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID);
      INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 0), (16002, 'TRANSACTION', 0, 0);
      """
    ]
    if history == .strings {
      lines.append(
        """
        CREATE TABLE ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR );
        CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME ON ATRANSACTIONSTRING (ZNAME COLLATE BINARY ASC);
        INSERT INTO Z_PRIMARYKEY VALUES (16003, 'TRANSACTIONSTRING', 0, 0);
        """)
    }
    return lines
  }
}
