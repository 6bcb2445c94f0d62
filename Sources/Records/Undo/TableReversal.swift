import Modeling
import SQLite
import StoreErrors
import Stores

/// Reverts a save in one table.
///
/// Call `delete`, `update` and `insert`, each for all tables, in this order, so that unique values are free when they
/// are needed.
struct TableReversal {
  let changes: TableChanges
  let shape: TableShape
  let connection: Connection

  var table: RecordedTable { changes.table }
  private var bytes: [UInt8] { changes.bytes }

  /// Calls `body` with every record.
  func forEach(_ body: (ChangeRecord) throws(StoreError) -> Void) throws(StoreError) {
    var records = ChangeRecords(bytes, of: table)
    while let record = try records.next() { try body(record) }
  }

  /// Returns a record's changes without store-computed columns.
  func plainChanges(_ record: ChangeRecord) -> [ChangeRecord.Change] {
    record.changes.filter { !table.columns[$0.column].isComputed }
  }

  /// Reads the row of a record with `reader`; returns whether it exists.
  func find(_ record: ChangeRecord, _ reader: RowReader) throws(StoreError) -> Bool {
    guard case .columns = table.key else { return try reader.find(record.rowID) }
    return try reader.find(key: Array(bytes[record.key]))
  }

  // MARK: Writing

  /// Deletes the rows that the save inserted; returns their number.
  func delete() throws(StoreError) -> Int {
    var count = 0
    let statement = try connection.prepare("DELETE FROM \(target) WHERE \(keyCondition)")
    try forEach { record throws(StoreError) in
      guard record.kind == .inserted else { return }
      try delete(record, statement)
      count += 1
    }
    return count
  }

  private func delete(_ record: ChangeRecord, _ statement: Statement) throws(StoreError) {
    _ = try bind(record.key, to: statement, from: 1)
    _ = try statement.step()
  }

  /// Restores the old values of rows that the save updated; returns their number.
  func update() throws(StoreError) -> Int {
    var rest: [ChangeRecord] = []
    try forEach { record throws(StoreError) in
      if record.kind == .updated, !plainChanges(record).isEmpty { rest.append(record) }
    }
    let count = rest.count
    var statements: [[Int]: Statement] = [:]
    while !rest.isEmpty {
      var clashing: [ChangeRecord] = []
      for record in rest {
        do throws(StoreError) {
          try update(record, &statements)
        } catch {
          // Another row still has the unique value, and may release it later.
          switch error.fact {
          case .notUnique, .constraint: clashing.append(record)
          default: throw error
          }
        }
      }
      if clashing.count == rest.count {
        try exchange(clashing)
        break
      }
      rest = clashing
    }
    return count
  }

  private func update(_ record: ChangeRecord, _ statements: inout [[Int]: Statement]) throws(StoreError) {
    let changes = plainChanges(record)
    let columns = changes.map(\.column)
    let statement: Statement
    if let known = statements[columns] {
      statement = known
    } else {
      let settings = columns.map { "\(quotedName(table.columns[$0].name)) = ?" }.joined(separator: ", ")
      statement = try connection.prepare("UPDATE \(target) SET \(settings) WHERE \(keyCondition)")
      statements[columns] = statement
    }
    for (index, change) in changes.enumerated() { _ = try bind(change.old, to: statement, from: index + 1) }
    _ = try bind(record.key, to: statement, from: changes.count + 1)
    _ = try statement.step()
  }

  /// Updates rows that exchange unique values, by deleting and inserting all of them.
  private func exchange(_ records: [ChangeRecord]) throws(StoreError) {
    let reader = try RowReader(shape, connection, walking: false)
    let (delete, insert) = (
      try connection.prepare("DELETE FROM \(target) WHERE \(keyCondition)"), try connection.prepare(insertion)
    )
    var rows: [(record: ChangeRecord, image: [UInt8])] = []
    for record in records {
      guard try find(record, reader) else { continue }
      var now = ImageReader(reader.image)
      var image: [UInt8] = []
      for column in table.columns.indices {
        let place = try now.pass()
        if let change = record.changes.first(where: { $0.column == column }) {
          image.append(contentsOf: bytes[change.old])
        } else {
          image.append(contentsOf: reader.image[place])
        }
      }
      rows.append((record, image))
      reader.rewind()
      try self.delete(record, delete)
    }
    for (record, image) in rows { try self.insert(record, image, 0..<image.count, insert) }
  }

  /// Inserts the rows that the save deleted; returns their number.
  func insert() throws(StoreError) -> Int {
    var count = 0
    let statement = try connection.prepare(insertion)
    try forEach { record throws(StoreError) in
      guard record.kind == .deleted else { return }
      try insert(record, bytes, record.row, statement)
      count += 1
    }
    return count
  }

  private func insert(
    _ record: ChangeRecord, _ image: [UInt8], _ row: Range<Int>, _ statement: Statement
  ) throws(StoreError) {
    var index = try bind(record.key, to: statement, from: 1)
    var reader = ImageReader(image, row)
    for _ in 0..<table.plainCount {
      try statement.bind(reader.item(), of: image, at: index)
      index += 1
    }
    _ = try statement.step()
  }

  /// Binds all values in a range of the record; returns the position after them.
  private func bind(_ place: Range<Int>, to statement: Statement, from index: Int) throws(StoreError) -> Int {
    var reader = ImageReader(bytes, place)
    var index = index
    while !reader.isAtEnd {
      try statement.bind(reader.item(), of: bytes, at: index)
      index += 1
    }
    return index
  }

  // MARK: Text

  private var target: String { "main.\(quotedName(table.name))" }

  private var keyNames: [String] {
    if case .columns(let names) = table.key { names } else { [shape.rowIDName ?? "rowid"] }
  }

  private var keyCondition: String { keyNames.map { "\(quotedName($0)) = ?" }.joined(separator: " AND ") }

  private var insertion: String {
    let names = keyNames + table.columns.prefix(table.plainCount).map(\.name)
    let marks = names.map { _ in "?" }.joined(separator: ", ")
    return "INSERT INTO \(target)(\(names.map(quotedName).joined(separator: ", "))) VALUES (\(marks))"
  }
}
