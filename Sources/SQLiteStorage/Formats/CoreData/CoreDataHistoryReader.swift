import Modeling
import SQLite

/// Reads the history that an app keeps in its Core Data store.
struct CoreDataHistoryReader {
  private let store: SQLiteStore
  private let coreData: CoreDataStore
  private let tables: CoreDataHistoryTables
  private var connection: Connection { store.connection }

  /// - Throws: StoreError, `.historyUnsupported` if the app keeps no history.
  init(_ store: SQLiteStore, _ coreData: CoreDataStore) throws(StoreError) {
    guard let tables = try CoreDataHistoryTables(store.connection) else {
      throw StoreError(.historyUnsupported(.coreData), path: store.path)
    }
    self.store = store
    self.coreData = coreData
    self.tables = tables
  }

  /// The attributes whose values the history preserves for deleted objects, by index, in the history's order.
  static func tombstoneAttributes(of entity: Entity) -> [Int] {
    entity.properties.indices.filter { entity.properties[$0].attribute?.preservesValueInHistoryOnDeletion == true }
      .sorted { entity.properties[$0].name < entity.properties[$1].name }
  }

  /// Returns the transactions that a request selects, oldest first.
  func transactions(_ request: HistoryRequest) throws -> [HistoryTransaction] {
    if let token = request.since { try check(token) }
    var (conditions, values) = (["t.Z_PK > ?"], [Value.int(request.since?.number ?? -1)])
    func require(_ condition: String, _ value: Value) {
      conditions.append(condition)
      values.append(value)
    }
    if let token = request.before { require("t.Z_PK < ?", .int(token.number)) }
    if let date = request.beforeDate { require("t.ZTIMESTAMP < ?", .double(date.seconds - secondsToReferenceDate)) }
    if let name = request.author { require(tables.condition(isAuthor: true), .string(name)) }
    if let name = request.contextName { require(tables.condition(isAuthor: false), .string(name)) }
    if let entity = request.entity {
      conditions.append(
        "EXISTS (SELECT 1 FROM ACHANGE AS c WHERE c.ZTRANSACTIONID = t.Z_PK AND c.ZENTITY IN (\(numbers(of: entity))))")
    }
    let sql = """
      SELECT t.Z_PK, t.ZTIMESTAMP, \(tables.sources) FROM ATRANSACTION AS t
      WHERE \(conditions.joined(separator: " AND ")) ORDER BY t.Z_PK LIMIT ?
      """
    values.append(.int(Int64(request.fetchLimit ?? -1)))
    var found = try connection.all(sql, values).compactMap(transaction)
    if request.includesChanges {
      for index in found.indices { found[index].changes = try changes(in: found[index].range, of: request.entity) }
    }
    return found
  }

  private func numbers(of entity: Entity) -> String {
    entity.family.compactMap { coreData.numbers[$0] }.map(String.init).joined(separator: ", ")
  }

  private func transaction(_ row: [Value]) -> HistoryTransaction? {
    guard case .int(let number) = row[0] else { return nil }
    func text(_ value: Value) -> String? { if case .string(let text) = value { text } else { nil } }
    let seconds: Double =
      switch row[1] {
      case .double(let seconds): seconds
      case .int(let seconds): Double(seconds)
      default: 0
      }
    var transaction = HistoryTransaction(
      token: HistoryToken(number: number), date: Timestamp(seconds + secondsToReferenceDate), author: text(row[2]),
      contextName: text(row[3]), processID: nil, range: number...number)
    transaction.bundleID = text(row[4])
    transaction.processName = text(row[5])
    return transaction
  }

  /// Returns the changes of the transactions with these numbers, in recorded order.
  func changes(in range: ClosedRange<Int64>, of entity: Entity?) throws -> [HistoryChange] {
    let tombstones = tables.tombstones.map { ", \($0)" }.joined()
    let condition = entity.map { " AND ZENTITY IN (\(numbers(of: $0)))" } ?? ""
    let sql = """
      SELECT ZCHANGETYPE, ZENTITY, ZENTITYPK, ZCOLUMNS\(tombstones) FROM ACHANGE
      WHERE ZTRANSACTIONID BETWEEN ? AND ?\(condition) ORDER BY Z_PK
      """
    return try connection.all(sql, [.int(range.lowerBound), .int(range.upperBound)]).compactMap(change)
  }

  private func change(_ row: [Value]) -> HistoryChange? {
    guard case .int(let type) = row[0], let kind = HistoryChange.Kind(coreDataNumber: type),
      case .int(let number) = row[1],
      case .int(let key) = row[2]
    else { return nil }
    let entity = coreData.entities[number]
    var properties: [String] = []
    if let entity, kind == .update, case .data(let bits) = row[3] {
      properties = PropertyBitmap.decode(bits, of: coreData.recordedProperties[entity] ?? [])
    }
    return HistoryChange(
      entity: entity, entityName: entity?.name ?? coreData.registeredNames[number] ?? "entity \(number)", key: key,
      kind: kind, updatedProperties: properties,
      tombstone: kind == .delete ? entity.map { tombstone(Array(row[4...]), of: $0) } ?? [:] : [:])
  }

  private func tombstone(_ stored: [Value], of entity: Entity) -> [String: Value] {
    var values: [String: Value] = [:]
    let layout = store.layout(of: entity)
    for (index, value) in zip(Self.tombstoneAttributes(of: entity), stored) where !value.isNull {
      guard case .column(let column) = layout.properties[index] else { continue }
      values[entity.properties[index].name] = layout.columns[column].value(stored: value)
    }
    return values
  }

  // MARK: Places

  /// The position after the last recorded change.
  func currentToken() throws -> HistoryToken {
    let sql = """
      SELECT max(coalesce((SELECT max(Z_PK) FROM ATRANSACTION), 0),
        coalesce((SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?), 0))
      """
    guard case .int(let number)? = try connection.first(sql, [.int(tables.numbers.transaction)]) else {
      return HistoryToken(number: 0)
    }
    return HistoryToken(number: max(0, number))
  }

  /// Throws unless all changes after `token` are present.
  private func check(_ token: HistoryToken) throws {
    let newest = try currentToken()
    if token > newest { throw StoreError(.unknownHistoryToken(token, newest: newest), path: store.path) }
    var oldest = newest.number
    if case .int(let first)? = try connection.first("SELECT min(Z_PK) FROM ATRANSACTION"), first > 0 {
      oldest = first - 1
    }
    if token.number < oldest {
      throw StoreError(.historyExpired(token: token, oldest: HistoryToken(number: oldest)), path: store.path)
    }
  }
}
