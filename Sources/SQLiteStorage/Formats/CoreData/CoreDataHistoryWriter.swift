import Foundation
import Modeling
import SQLite

/// Records a transaction in the app's history, if the app keeps one.
struct CoreDataHistoryWriter {
  /// The program's name in the history; also the author if the context names none.
  static let programName = "perilune"

  private let commit: CoreDataCommit
  private var store: SQLiteStore { commit.store }
  private var coreData: CoreDataStore { commit.coreData }
  private var connection: Connection { commit.connection }

  init(_ commit: CoreDataCommit) { self.commit = commit }

  /// A change to record.
  private struct Change {
    var kind: HistoryChange.Kind
    var entity: Int64
    var key: Int64
    var columns: Value
    var tombstone: [Value] = []
  }

  func write() throws {
    guard let tables = try CoreDataHistoryTables(connection) else { return }
    var changes: [Change] = []
    for (root, table) in coreData.links.roots {
      for (key, object) in (commit.touched[root] ?? [:]).sorted(by: { $0.key < $1.key }) {
        if let change = try change(key, object, root, table, tables) { changes.append(change) }
      }
    }
    guard !changes.isEmpty else { return }
    let transaction = try insertTransaction(tables)
    let first = try keys(changes.count, CoreDataHistoryTables.change, tables.numbers.change, "CHANGE")
    let tombstones = tables.tombstones.map { ", \($0)" }.joined()
    let marks = [String](repeating: ", ?", count: tables.tombstones.count).joined()
    let sql = """
      INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS\(tombstones))
      VALUES (?, ?, ?, ?, ?, ?, ?\(marks))
      """
    for (index, change) in changes.enumerated() {
      let values: [Value] = [
        .int(first + Int64(index)), .int(tables.numbers.change), .int(change.kind.coreDataNumber), .int(change.entity),
        .int(change.key), .int(transaction), change.columns,
      ]
      let missing = max(0, tables.tombstones.count - change.tombstone.count)
      let tombstone = change.tombstone.prefix(tables.tombstones.count) + [Value](repeating: .null, count: missing)
      try connection.run(sql, values + tombstone)
    }
    coreData.ownTransactions.numbers.insert(transaction)
  }

  /// The change to record for an object; nil if the history does not record it.
  private func change(
    _ key: Int64, _ object: CoreDataCommit.Touched, _ root: Entity, _ table: String, _ tables: CoreDataHistoryTables
  ) throws -> Change? {
    let number: Value
    if object.kind == .delete {
      number = object.row["z_ent"] ?? .null
    } else {
      number = try connection.first("SELECT Z_ENT FROM \(quotedName(table)) WHERE Z_PK = ?", [.int(key)]) ?? .null
    }
    guard case .int(let number) = number, let entity = coreData.entities[number] else { return nil }
    var change = Change(kind: object.kind, entity: number, key: key, columns: .null)
    switch object.kind {
    case .insert: break
    case .delete: change.tombstone = tombstone(of: object, entity)
    case .update:
      let names = coreData.recordedProperties[entity] ?? []
      let properties = properties(of: object, entity).intersection(names)
      if properties.isEmpty { return nil }
      change.columns = .data(PropertyBitmap.encode(properties, of: names))
    }
    return change
  }

  private func properties(of object: CoreDataCommit.Touched, _ entity: Entity) -> Set<String> {
    let layout = store.layout(of: entity)
    var names = object.relationships
    for (property, place) in zip(entity.properties, layout.properties) {
      let columns = place.ownColumns.flatMap { layout.columns[$0].storedNames.map(asciiLowercased) }
      if columns.contains(where: object.columns.contains) { names.insert(property.name) }
    }
    return names
  }

  /// The attribute values that the model preserves for a deleted object, ordered by attribute name.
  private func tombstone(of object: CoreDataCommit.Touched, _ entity: Entity) -> [Value] {
    let layout = store.layout(of: entity)
    return CoreDataHistoryReader.tombstoneAttributes(of: entity).map { index in
      guard case .column(let column) = layout.properties[index] else { return .null }
      return object.row[asciiLowercased(layout.columns[column].name)] ?? .null
    }
  }

  // MARK: Transactions

  private func insertTransaction(_ tables: CoreDataHistoryTables) throws -> Int64 {
    let info = store.transactionInfo
    let names = [
      ("ZAUTHOR", info.author ?? Self.programName), ("ZBUNDLEID", Self.programName), ("ZPROCESSID", Self.programName),
      ("ZCONTEXTNAME", info.contextName),
    ]
    let key = try keys(1, CoreDataHistoryTables.transaction, tables.numbers.transaction, "TRANSACTION")
    var columns = ["Z_PK", "Z_ENT", "ZTIMESTAMP"]
    var values: [Value] = [
      .int(key), .int(tables.numbers.transaction),
      .double(Timestamp.now.seconds - Date.timeIntervalBetween1970AndReferenceDate),
    ]
    for (column, name) in names where tables.has(tables.hasStrings ? column + "TS" : column) {
      guard let name else { continue }
      columns.append(tables.hasStrings ? column + "TS" : column)
      values.append(tables.hasStrings ? .int(try string(name, tables)) : .string(name))
    }
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    try connection.run(
      "INSERT INTO ATRANSACTION (\(columns.joined(separator: ", "))) VALUES (\(marks))", values)
    return key
  }

  /// Returns the key of a string in the string table; inserts it if it is new.
  private func string(_ name: String, _ tables: CoreDataHistoryTables) throws -> Int64 {
    let known = "SELECT Z_PK FROM ATRANSACTIONSTRING WHERE ZNAME = ?"
    if case .int(let key)? = try connection.first(known, [.string(name)]) { return key }
    let key = try keys(1, CoreDataHistoryTables.string, tables.numbers.string, "TRANSACTIONSTRING")
    try connection.run(
      "INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) VALUES (?, ?, ?)",
      [.int(key), .int(tables.numbers.string), .string(name)])
    return key
  }

  /// Returns the first of `count` new keys of one of the history's tables.
  private func keys(_ count: Int, _ table: String, _ number: Int64, _ name: String) throws -> Int64 {
    let sql = """
      INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX)
      VALUES (?1, ?2, 0, coalesce((SELECT max(Z_PK) FROM \(table)), 0) + ?3)
      ON CONFLICT (Z_ENT) DO UPDATE
      SET Z_MAX = max(CAST(coalesce(Z_MAX, 0) AS INTEGER), coalesce((SELECT max(Z_PK) FROM \(table)), 0)) + ?3 RETURNING Z_MAX
      """
    // SQLite turns a sum that is too large for a key into a floating point number.
    guard case .int(let last)? = try connection.first(sql, [.int(number), .string(name), .int(Int64(count))]) else {
      throw StoreError(.coreDataNotWritable(.noMoreKeys(of: table)), path: store.path)
    }
    return last - Int64(count) + 1
  }
}

extension HistoryChange.Kind {
  /// The number of the kind of change in Core Data's history.
  var coreDataNumber: Int64 {
    switch self {
    case .insert: 0
    case .update: 1
    case .delete: 2
    }
  }

  init?(coreDataNumber: Int64) {
    switch coreDataNumber {
    case 0: self = .insert
    case 1: self = .update
    case 2: self = .delete
    default: return nil
    }
  }
}
