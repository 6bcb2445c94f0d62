import Modeling
import SQLite
import StoreErrors
import Stores

/// Checks the rows that an undo wrote against the declared foreign keys, which were off during it.
///
/// Only written rows are checked; references that dangled before are ignored.
struct ReferenceCheck {
  private struct ForeignKey {
    var child: String
    var childColumns: [String]
    var parent: String
    var parentColumns: [String]
  }

  typealias Report = (TableChanges, ChangeRecord, _ image: [UInt8], ReversalConflict.Reason) -> Void

  private let connection: Connection
  private let capture: ChangeCapture
  private let keys: [ForeignKey]

  /// Reads the foreign keys of all tables.
  init(_ connection: Connection, _ capture: ChangeCapture) throws(StoreError) {
    self.connection = connection
    self.capture = capture
    let sql = """
      SELECT child.name, key.id, key."table", key."from", key."to"
      FROM main.sqlite_schema AS child, pragma_foreign_key_list(child.name) AS key
      WHERE child.type = 'table' ORDER BY child.name, key.id, key.seq
      """
    var keys: [ForeignKey] = []
    var last: [Value] = []
    for row in try connection.all(sql) {
      guard case .string(let child) = row[0], case .string(let parent) = row[2], case .string(let from) = row[3] else {
        continue
      }
      if last != [row[0], row[1]] {
        keys.append(ForeignKey(child: child, childColumns: [], parent: parent, parentColumns: []))
      }
      last = [row[0], row[1]]
      keys[keys.count - 1].childColumns.append(from)
      if case .string(let to) = row[4] { keys[keys.count - 1].parentColumns.append(to) }
    }
    for index in keys.indices where keys[index].parentColumns.isEmpty {
      let primary = try connection.all(
        "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", [.string(keys[index].parent)])
      keys[index].parentColumns = primary.compactMap { if case .string(let name) = $0[0] { name } else { nil } }
    }
    self.keys = keys.filter { $0.childColumns.count == $0.parentColumns.count && !$0.childColumns.isEmpty }
  }

  /// Reports the rows of `done` whose target row is missing.
  func run(_ done: ChangeSet, _ report: Report) throws(StoreError) {
    for changes in done.tables {
      let name = asciiLowercased(changes.name)
      let leading = keys.filter { asciiLowercased($0.child) == name }
      let led = keys.filter { asciiLowercased($0.parent) == name }
      guard !leading.isEmpty || !led.isEmpty, let shape = try capture.shape(of: changes.name) else { continue }
      let reader = try RowReader(shape, connection, walking: false)
      var records = ChangeRecords(changes.bytes, of: changes.table)
      while let record = try records.next() {
        let rows = Rows(changes: changes, record: record, shape: shape)
        if record.kind != .inserted {
          for key in led {
            guard let values = try rows.old(key.parentColumns), try isMissing(key, values) else { continue }
            for referrer in try referrers(key, values) { report(changes, record, [], .referredTo(by: referrer)) }
          }
        }
        if record.kind != .deleted, !leading.isEmpty {
          let isThere = try rows.find(reader)
          let image = reader.image
          reader.rewind()
          guard isThere else { continue }
          for key in leading where rows.writes(key.childColumns) {
            guard let values = try rows.new(key.childColumns, image), try isMissing(key, values) else { continue }
            let text = values.map(\.displayText).joined(separator: ", ")
            report(changes, record, image, .leadsNowhere(to: "\(entityName(key.parent)) \(text)"))
          }
        }
      }
    }
  }

  /// Whether no row has the values of a foreign key.
  private func isMissing(_ key: ForeignKey, _ values: [Value]) throws(StoreError) -> Bool {
    if values.contains(where: \.isNull) { return false }
    let condition = key.parentColumns.map { "\(quotedName($0)) = ?" }.joined(separator: " AND ")
    return try connection.first("SELECT 1 FROM main.\(quotedName(key.parent)) WHERE \(condition)", values) == nil
  }

  /// Some of the rows that refer to missing values.
  private func referrers(_ key: ForeignKey, _ values: [Value]) throws(StoreError) -> [String] {
    let condition = key.childColumns.map { "\(quotedName($0)) = ?" }.joined(separator: " AND ")
    let shape = try capture.shape(of: key.child)
    var names = shape?.rowIDName.map { [$0] } ?? []
    if case .columns(let columns)? = shape?.recorded.key { names = columns }
    let list = names.isEmpty ? "1" : names.map(quotedName).joined(separator: ", ")
    let sql = "SELECT \(list) FROM main.\(quotedName(key.child)) WHERE \(condition) LIMIT 3"
    return try connection.all(sql, values).map { row in
      "\(entityName(key.child)) \(row.map(\.displayText).joined(separator: ", "))"
    }
  }

  private func entityName(_ table: String) -> String { capture.entity(ofTable: table)?.name ?? table }
}

/// A changed row, by the names of its columns.
private struct Rows {
  let changes: TableChanges
  let record: ChangeRecord
  let shape: TableShape

  func find(_ reader: RowReader) throws(StoreError) -> Bool {
    guard case .columns = changes.table.key else { return try reader.find(record.rowID) }
    return try reader.find(key: Array(changes.bytes[record.key]))
  }

  /// The old values of columns, if the row was deleted or one of them changed.
  func old(_ columns: [String]) throws(StoreError) -> [Value]? {
    if record.kind == .deleted { return try values(columns, changes.bytes, record.row) }
    guard columns.count == 1, let column = index(columns[0]),
      let change = record.changes.first(where: { $0.column == column })
    else { return nil }
    return try changes.values(change.old)
  }

  /// The present values of columns.
  func new(_ columns: [String], _ image: [UInt8]) throws(StoreError) -> [Value]? {
    try values(columns, image, 0..<image.count)
  }

  /// Whether one of the columns was written.
  func writes(_ columns: [String]) -> Bool {
    if record.kind == .inserted { return true }
    let written = record.changes.map(\.column)
    return columns.contains { index($0).map(written.contains) ?? false }
  }

  private func index(_ name: String) -> Int? {
    let wanted = asciiLowercased(name)
    return changes.table.columns.firstIndex { asciiLowercased($0.name) == wanted }
  }

  private func values(_ columns: [String], _ bytes: [UInt8], _ row: Range<Int>) throws(StoreError) -> [Value]? {
    var reader = ImageReader(bytes, row)
    var all: [Value] = []
    while !reader.isAtEnd { all.append(try reader.value()) }
    let keys = try changes.values(record.key)
    var found: [Value] = []
    for name in columns {
      let wanted = asciiLowercased(name)
      if let index = index(name), index < all.count {
        found.append(all[index])
      } else if case .columns(let names) = changes.table.key,
        let index = names.firstIndex(where: { asciiLowercased($0) == wanted })
      {
        found.append(keys[index])
      } else if shape.rowIDName.map(asciiLowercased) == wanted {
        found.append(keys[0])
      } else {
        return nil
      }
    }
    return found
  }
}
