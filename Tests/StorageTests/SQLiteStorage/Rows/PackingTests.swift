import Foundation
import Modeling
import Queries
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLite
@testable import SQLiteStorage
@testable import Stores

@Suite(.seeded) struct PackingTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// A store over a table of columns without types, and the values put into it.
  private func store(columns: Int, rows: [[Value]]) throws -> SQLiteStore {
    let connection = try Connection(
      folder.database("t.sqlite", "CREATE TABLE thing(\((0..<columns).map { "c\($0)" }.joined(separator: ", ")))"))
    let marks = [String](repeating: "?", count: columns).joined(separator: ", ")
    for row in rows { try connection.run("INSERT INTO thing VALUES (\(marks))", row) }
    connection.close()
    return try SQLiteStore(StoreOptions(path: folder.file("t.sqlite")))
  }

  @Test func packedRowsHoldWhatTheStatementHolds() throws {
    var random = SplitMix(seed: 7)
    let columns = 23
    let rows: [[Value]] = (0..<300).map { _ in (0..<columns).map { _ in random.value() } }
    let store = try store(columns: columns, rows: rows)
    let entity = store.model.entities[0]
    let cursor = try store.cursor(FetchRequest(entity))
    var packed: [PackedRow] = []
    var index = 0
    while try cursor.step() {
      #expect(cursor.key == Int64(index + 1))
      let row = cursor.pack()
      packed.append(row)
      for column in 0..<columns {
        #expect(cursor.storageClass(column) == row.storageClass(column))
        #expect(cursor.storageClass(column) != .integer || cursor.integer(column) == row.integer(column))
        #expect(cursor.storageClass(column) != .real || cursor.real(column) == row.real(column))
        #expect(
          Array(cursor.bytes(column)) == Array(row.valueBytes(column)) || cursor.storageClass(column).rawValue < 3)
      }
      index += 1
    }
    // The blocks outlive the statement.
    for (row, values) in zip(packed, rows) {
      #expect((0..<columns).map { row.value($0) } == values)
      #expect(row.count == columns)
      row.free()
    }
    #expect(index == rows.count)
  }

  @Test func aMergedRowHoldsColumnsOfBoth() throws {
    var random = SplitMix(seed: 11)
    let columns = 9
    let rows: [[Value]] = (0..<60).map { _ in (0..<columns).map { _ in random.value() } }
    let choices = (0..<59).map { _ in (0..<columns).map { _ in random.next() % 2 == 0 } }
    let merged = zip(choices, zip(rows, rows.dropFirst())).map { choice, pair in
      choice.indices.map { choice[$0] ? pair.1[$0] : pair.0[$0] }
    }
    let store = try store(columns: columns, rows: rows + merged)
    let cursor = try store.cursor(FetchRequest(store.model.entities[0]))
    var packed: [PackedRow] = []
    while try cursor.step() { packed.append(cursor.pack()) }
    defer { for row in packed { row.free() } }
    for (index, choice) in choices.enumerated() {
      let row = packed[index].merged(with: packed[index + 1]) { choice[$0] }
      defer { row.free() }
      #expect((0..<columns).map { row.value($0) } == merged[index])
      #expect(row.isEqual(to: packed[rows.count + index]), "the same bytes as those of a row that was read")
    }
  }

  @Test func aPackedRowIsSmall() throws {
    let store = try store(columns: 3, rows: [[.int(1), .string("abc"), .null]])
    let cursor = try store.cursor(FetchRequest(store.model.entities[0]))
    #expect(try cursor.step())
    let row = cursor.pack()
    #expect(row.byteCount == 8 + 8 + 3 * 8 + 3)
    row.free()
  }

  @Test func aCursorThatEndedIsHarmless() throws {
    let store = try store(columns: 1, rows: [[.int(5)]])
    let cursor = try store.cursor(FetchRequest(store.model.entities[0]))
    #expect(try cursor.step())
    #expect(cursor.integer(0) == 5)
    #expect(try !cursor.step())
    #expect(try !cursor.step())
    #expect(cursor.storageClass(0) == .null)
    #expect(cursor.integer(0) == 0)
    cursor.close()
    cursor.close()
  }

  @Test func textOfAnUTF16FileComesAsUTF8() throws {
    let path = try folder.database(
      "u.sqlite", "PRAGMA encoding = 'UTF-16le'; CREATE TABLE t(a TEXT); INSERT INTO t VALUES ('grün')")
    let store = try SQLiteStore(StoreOptions(path: path))
    let cursor = try store.cursor(FetchRequest(store.model.entities[0]))
    #expect(try cursor.step())
    let row = cursor.pack()
    #expect(row.value(0) == .string("grün"))
    #expect(String(decoding: cursor.bytes(0), as: UTF8.self) == "grün")
    row.free()
  }
}

extension PackedRow {
  fileprivate func valueBytes(_ column: Int) -> UnsafeRawBufferPointer {
    storageClass(column).rawValue < 3 ? UnsafeRawBufferPointer(start: nil, count: 0) : bytes(column)
  }

  fileprivate func value(_ column: Int) -> Value {
    ValueCoding.decode(
      storageClass(column), integer: integer(column), real: real(column), bytes: valueBytes(column), as: .any)
  }
}

extension SplitMix {
  /// A value of any kind that a column holds.
  mutating func value() -> Value {
    switch below(6) {
    case 0: .null
    case 1: .int(Int64(bitPattern: next()) >> Int64(below(64)))
    case 2: .double(Double(below(1_000_000)) / 7)
    case 3: .string(String((0..<below(40)).map { _ in Character(UnicodeScalar(UInt32(0x20 + below(0x2000)))!) }))
    case 4: .data((0..<below(20)).map { _ in UInt8(truncatingIfNeeded: next()) })
    default: .string("")
    }
  }
}
