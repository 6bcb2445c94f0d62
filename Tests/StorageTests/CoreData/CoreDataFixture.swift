import Foundation
import Modeling

@testable import Storage

/// A Core Data store as Apple's framework makes it for a model, with everything but the model cache.
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
  /// The names of entities that `Z_PRIMARYKEY` keeps from before a renaming, by their names now.
  var formerNames: [String: String] = [:]
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
    lines.append(extra)
    return (lines + ["COMMIT;"]).joined(separator: "\n")
  }

  var entities: [Entity] { model.entities.sorted { number($0) < number($1) } }

  func tableName(_ entity: Entity) -> String { "Z" + entity.root.name.uppercased() }

  /// The properties that an entity declares itself, with their indices.
  private func own(_ entity: Entity) -> [(index: Int, property: Property)] {
    let first = entity.parent?.properties.count ?? 0
    return (first..<entity.properties.count).map { ($0, entity.properties[$0]) }
  }

  private func table(of root: Entity) -> [String] {
    var columns = ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"]
    var names: Set<String> = ["Z_PK", "Z_ENT", "Z_OPT"]
    let table = tableName(root)
    var indexes: [String] = []
    @discardableResult func add(_ base: String, _ type: String) -> String {
      var (name, count) = (base, 0)
      while !names.insert(name).inserted {
        count += 1
        name = "\(base)\(count)"
      }
      columns.append("\(name) \(type)")
      return name
    }
    func add(_ attribute: Attribute) {
      if attribute.isTransient { return }
      if attribute.type == .composite { return attribute.elements.forEach(add) }
      add("Z" + attribute.name.uppercased(), attribute.type.coreDataDeclaration)
    }
    let family = entities.filter { $0.root === root }
    for entity in family {
      for (_, property) in own(entity) { if let attribute = property.attribute { add(attribute) } }
    }
    for entity in family {
      for (index, property) in own(entity) {
        guard let relationship = property.relationship, !relationship.isToMany else { continue }
        let name = add("Z" + relationship.name.uppercased(), "INTEGER")
        indexes.append("CREATE INDEX \(table)_\(name)_INDEX ON \(table) (\(name));")
        let destination = entity.destination(at: index)
        if !destination.subentities.isEmpty {
          add("Z\(number(destination))_\(relationship.name.uppercased())", "INTEGER")
        }
        if let back = entity.inverse(at: index), let inverse = destination.properties[back].relationship,
          inverse.isToMany, inverse.isOrdered
        {
          add("Z_FOK_" + relationship.name.uppercased(), "INTEGER")
        }
      }
    }
    for owner in entities {
      for (index, property) in own(owner) {
        guard let relationship = property.relationship, relationship.isToMany, owner.inverse(at: index) == nil,
          owner.destination(at: index).root === root
        else { continue }
        let name = add("Z\(number(owner))\(relationship.name.uppercased())", "INTEGER")
        indexes.append("CREATE INDEX \(table)_\(name)_INDEX ON \(table) (\(name));")
        if relationship.isOrdered { add("Z_FOK_\(number(owner))\(relationship.name.uppercased())", "INTEGER") }
      }
    }
    if family.count > 1 { indexes.append("CREATE INDEX \(table)_Z_ENT_INDEX ON \(table) (Z_ENT);") }
    for entity in family {
      let inherited = entity.parent?.uniquenessConstraints.count ?? 0
      for names in entity.uniquenessConstraints.dropFirst(inherited) {
        let list = names.map { "Z\($0.uppercased()) COLLATE BINARY ASC" }.joined(separator: ", ")
        indexes.append(
          "CREATE UNIQUE INDEX Z_\(entity.name)_UNIQUE_\(names.joined(separator: "_")) ON \(table) (\(list));")
      }
    }
    return ["CREATE TABLE \(table) ( \(columns.joined(separator: ", ")) );"] + indexes
  }

  private func pairTables() -> [String] {
    var lines: [String] = []
    for entity in entities {
      for (index, property) in own(entity) {
        guard let relationship = property.relationship, relationship.isToMany, let back = entity.inverse(at: index),
          case let destination = entity.destination(at: index),
          let inverse = destination.properties[back].relationship, inverse.isToMany
        else { continue }
        let (here, there) = (number(entity), number(destination))
        guard here < there || (here == there && relationship.name > inverse.name) else { continue }
        let (ours, theirs) = (relationship.name.uppercased(), inverse.name.uppercased())
        let (owner, member) = ("Z_\(here)\(theirs)", "Z_\(there)\(ours)")
        var columns = ["\(owner) INTEGER", "\(member) INTEGER"]
        if relationship.isOrdered { columns.append("Z_FOK_\(there)\(ours) INTEGER") }
        if inverse.isOrdered { columns.append("Z_FOK_\(here)\(theirs) INTEGER") }
        let table = "Z_\(here)\(ours)"
        lines.append("CREATE TABLE \(table) ( \(columns.joined(separator: ", ")), PRIMARY KEY (\(owner), \(member)) );")
        lines.append("CREATE INDEX \(table)_\(member)_INDEX ON \(table) (\(member), \(owner));")
      }
    }
    return lines
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
    var list: [String: Any] = ["NSStoreType": "SQLite", "NSStoreModelVersionHashesVersion": 3]
    list["NSPersistenceFrameworkVersion"] = frameworkVersion
    list["NSStoreModelVersionHashes"] = Dictionary(
      uniqueKeysWithValues: model.entities.map { ($0.name, Data($0.name.utf8)) })
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

  /// Triggers that count the members of a one-to-many relationship.
  private func triggers() -> [String] {
    var lines: [String] = []
    for entity in entities {
      for (_, property) in own(entity) {
        guard let attribute = property.attribute, let derivation = attribute.derivation,
          derivation.hasSuffix(".@count"), let index = entity.index(of: String(derivation.dropLast(7))),
          let back = entity.inverse(at: index)
        else { continue }
        let destination = entity.destination(at: index)
        lines += counting(
          attribute.name, entity, tableName(destination), "Z" + destination.properties[back].name.uppercased())
      }
    }
    return lines
  }

  private func counting(_ name: String, _ entity: Entity, _ source: String, _ column: String) -> [String] {
    let (target, count) = (tableName(entity), "Z" + name.uppercased())
    func tell(_ row: String, _ function: String = "NSCoreDataDATriggerUpdatedAffectedObjectValue") -> String {
      "SELECT \(function)('\(target)', Z_ENT, Z_PK, '\(name)', \(count)) FROM \(target) WHERE Z_PK = \(row);"
    }
    func add(_ sign: String, _ row: String, _ event: String, _ kind: String) -> String {
      """
      CREATE TRIGGER Z_DA_\(source)_\(entity.name)_\(name)_PARAMETER_\(kind) AFTER \(event) ON \(source) FOR EACH ROW
      WHEN (\(row) NOT NULL) BEGIN UPDATE \(target) SET \(count) = IFNULL(\(count), 0) \(sign) 1 WHERE Z_PK = \(row); \(tell(row)) END;
      """
    }
    return [
      add("+", "NEW.\(column)", "INSERT", "INSERT"),
      add("+", "NEW.\(column)", "UPDATE OF \(column)", "UPDATE_INCREMENT"),
      add("-", "OLD.\(column)", "UPDATE OF \(column)", "UPDATE_DECREMENT"),
      add("-", "OLD.\(column)", "DELETE", "DELETE"),
      """
      CREATE TRIGGER Z_DA_\(target)_\(entity.name)_\(name)_SOURCE_INSERT AFTER INSERT ON \(target) FOR EACH ROW
      BEGIN UPDATE \(target) SET \(count) = (SELECT IFNULL(COUNT(\(column)), 0) FROM \(source) WHERE \(column) = NEW.Z_PK)
      WHERE Z_PK = NEW.Z_PK; \(tell("NEW.Z_PK", "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue")) END;
      """,
    ]
  }
}

extension AttributeType {
  /// How Core Data declares a column of the type.
  fileprivate var coreDataDeclaration: String {
    switch self {
    case .integer16, .integer32, .integer64, .boolean: "INTEGER"
    case .double, .float: "FLOAT"
    case .decimal: "DECIMAL"
    case .date: "TIMESTAMP"
    case .string, .url: "VARCHAR"
    case .uuid, .data, .transformable, .composite, .any: "BLOB"
    }
  }
}
