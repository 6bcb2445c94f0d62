import Modeling
import SQLite

extension TouchedRows {
  /// Collects the rows that a transaction of this connection touched.
  public init(_ changes: ChangeSet, of store: SQLiteStore) {
    self.init()
    isComplete = changes.isComplete
    guard isComplete else { return }
    for table in changes.tables {
      let known = store.touchedTables.table(table, of: store)
      do {
        var walk = TouchedRowsWalk(table, known)
        try walk.run()
        if known.isPairs { try walk.readPresentReferences(store) }
        tables[known.name] = walk.found
      } catch {
        // A record is damaged, or pairs cannot be read. It is unknown which other rows were touched.
        isComplete = false
        return
      }
    }
  }
}

/// One pass over the records of a table's changes. It decodes only the values by which rows are found.
private struct TouchedRowsWalk {
  private(set) var found: TouchedRows.Table
  private let known: TouchedTable
  private let counts: (inserted: Int, updated: Int, deleted: Int)
  private let present: PresentRows?
  private var reader: ImageReader
  private var former: [String: [Value]] = [:]
  private var changed: [Bool]
  /// Rows of pairs whose columns are not read yet: row ids, or whole keys.
  private var unread: [[Value]] = []

  init(_ changes: TableChanges, _ known: TouchedTable) {
    found = TouchedRows.Table(name: changes.name, entity: changes.entity)
    self.known = known
    present = changes.present
    reader = ImageReader(changes.bytes)
    counts = (changes.insertedCount, changes.updatedCount, changes.deletedCount)
    changed = [Bool](repeating: false, count: known.plainCount)
  }

  mutating func run() throws(StoreError) {
    reserve()
    while !reader.isAtEnd {
      guard let kind = ChangeRecord.Kind(rawValue: try reader.byte()) else {
        throw StoreError(.corrupt("a record of changes"))
      }
      let key = try readKey()
      switch kind {
      case .inserted: try reader.passFixed()
      case .updated: try readUpdated(key)
      case .deleted: try readDeleted(key)
      }
      note(key, kind)
    }
    found.formerReferences = former
    if let present, !known.propertyColumns.isEmpty {
      found.present = present
      found.present?.columns = known.propertyColumns
    }
    found.updatedColumns = known.updatedColumns.names(changed)
  }

  private mutating func reserve() {
    guard found.entity != nil else { return }
    found.inserted.reserveCapacity(counts.inserted)
    found.updated.reserveCapacity(counts.updated)
    found.deleted.reserveCapacity(counts.deleted)
  }

  /// A row's key in its record. A row id, the usual case, needs no array of values.
  private enum Key {
    case rowID(Int64)
    case columns([Value])

    var values: [Value] {
      switch self {
      case .rowID(let number): [.int(number)]
      case .columns(let values): values
      }
    }
  }

  private mutating func readKey() throws(StoreError) -> Key {
    guard case .columns(let names) = known.recorded.key else {
      if case .integer(let number) = try reader.item() { return .rowID(number) }
      throw StoreError(.corrupt("a record of changes"))
    }
    var values: [Value] = []
    for _ in names { values.append(try reader.value()) }
    return .columns(values)
  }

  private func number(of key: Key) -> Int64 {
    if case .rowID(let number) = key, known.interner == nil { return number }
    return known.number(of: key.values)
  }

  private mutating func note(_ key: Key, _ kind: ChangeRecord.Kind) {
    if found.entity != nil {
      let number = number(of: key)
      switch kind {
      case .inserted: found.inserted.append(number)
      case .updated: found.updated.append(number)
      case .deleted: found.deleted.append(number)
      }
    }
    if known.isPairs, kind != .deleted { unread.append(key.values) }
  }

  private mutating func readUpdated(_ key: Key) throws(StoreError) {
    try reader.passFixed()
    var values: [Int: Value] = [:]
    for _ in 0..<(try reader.count()) {
      let column = try reader.number()
      guard column < UInt64(known.plainCount) else { throw StoreError(.corrupt("a record of changes")) }
      let index = Int(column)
      changed[index] = true
      if known.isLink[index] {
        let value = try reader.value()
        noteFormer(index, value)
        if !known.combinations.isEmpty { values[index] = value }
      } else {
        _ = try reader.pass()
      }
      _ = try reader.pass()
    }
    // The key columns are unchanged.
    if values.isEmpty { return }
    for (index, value) in key.values.enumerated() { values[known.plainCount + index] = value }
    for combination in known.combinations where combination.contains(where: { $0 < known.plainCount }) {
      if combination.contains(where: { $0 < known.plainCount && values[$0] != nil }) {
        noteFormer(combination.map { values[$0] }, combination)
      }
    }
  }

  private mutating func readDeleted(_ key: Key) throws(StoreError) {
    var values: [Value?] = known.combinations.isEmpty ? [] : [Value?](repeating: nil, count: known.columns.count)
    for index in 0..<known.plainCount {
      guard known.isLink[index] else {
        _ = try reader.pass()
        continue
      }
      let value = try reader.value()
      noteFormer(index, value)
      if !values.isEmpty { values[index] = value }
    }
    for (index, value) in key.values.enumerated() where known.isLink[known.plainCount + index] {
      noteFormer(known.plainCount + index, value)
      if !values.isEmpty { values[known.plainCount + index] = value }
    }
    for combination in known.combinations { noteFormer(combination.map { values[$0] }, combination) }
  }

  private mutating func noteFormer(_ column: Int, _ value: Value) {
    if !value.isNull { former[known.columns[column], default: []].append(value) }
  }

  private mutating func noteFormer(_ values: [Value?], _ combination: [Int]) {
    if values.contains(where: { $0?.isNull == true }) { return }
    found.formerCombinations[combination.map { known.columns[$0] }, default: []].insert(values)
  }
}

// MARK: Pairs

extension TouchedRowsWalk {
  /// Reads the current references of new and changed pairs.
  mutating func readPresentReferences(_ store: SQLiteStore) throws(StoreError) {
    if unread.isEmpty { return }
    let isKeyEnough = !(0..<known.plainCount).contains { known.isLink[$0] }
    for key in unread {
      var values = [Value?](repeating: nil, count: known.plainCount) + key
      if !isKeyEnough {
        guard let row = try row(key, store) else { continue }
        values.replaceSubrange(0..<known.plainCount, with: row)
      }
      for (index, value) in values.enumerated() where known.isLink[index] {
        if let value, !value.isNull { found.presentReferences[known.columns[index], default: []].append(value) }
      }
      for combination in known.combinations {
        let references = combination.map { values[$0] }
        if references.contains(where: { $0 == nil || $0 == .null }) { continue }
        found.presentCombinations[combination.map { known.columns[$0] }, default: []].insert(references)
      }
    }
  }

  private func row(_ key: [Value], _ store: SQLiteStore) throws(StoreError) -> [Value]? {
    let columns = known.recorded.columns.map { quotedName($0.name) }.joined(separator: ", ")
    let names: [String]
    if case .columns(let columns) = known.recorded.key { names = columns } else { names = [known.rowIDName ?? "rowid"] }
    let condition = names.map { "\(quotedName($0)) = ?" }.joined(separator: " AND ")
    let sql = "SELECT \(columns) FROM main.\(quotedName(known.recorded.name)) WHERE \(condition)"
    return try store.connection.with(sql, key) { statement throws(StoreError) in
      try statement.step() ? (0..<statement.columnCount).map(statement.value) : nil
    }
  }
}
