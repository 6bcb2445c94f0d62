internal import CSQLite
import Glibc

/// Copies rows of a statement into `PackedRow` blocks; allocates only the block itself.
final class RowPacker {
  /// The beginning of the block under construction: counts, classes and slots.
  private var head: UnsafeMutableRawPointer
  private var capacity = 0
  /// The texts and blobs of the row, still in SQLite's memory.
  private var pieces: UnsafeMutablePointer<UnsafeRawBufferPointer>

  init() {
    head = .allocate(byteCount: 0, alignment: 8)
    pieces = .allocate(capacity: 0)
  }

  deinit {
    head.deallocate()
    pieces.deallocate()
  }

  /// Packs `count` consecutive columns.
  func pack(_ statement: OpaquePointer?, from start: Int32, count: Int) -> PackedRow {
    pack(statement, count) { start + Int32(truncatingIfNeeded: $0) }
  }

  /// Packs the columns at `offsets`.
  func pack(_ statement: OpaquePointer?, _ offsets: [Int]) -> PackedRow {
    offsets.withUnsafeBufferPointer { offsets in
      pack(statement, offsets.count) { Int32(truncatingIfNeeded: offsets[$0]) }
    }
  }

  @inline(__always)
  private func pack(_ statement: OpaquePointer?, _ count: Int, _ place: (Int) -> Int32) -> PackedRow {
    reserve(count)
    let slots = 8 + ((count + 7) & ~7)
    let headSize = slots + 8 * count
    var size = headSize
    var pieceCount = 0
    for column in 0..<count {
      // One access to the column serves all accessors. The value is not protected by a mutex, but our connections have
      // none.
      let value = sqlite3_column_value(statement, place(column))
      let type = sqlite3_value_type(value)
      let slot = head + slots + 8 * column
      var storage = StorageClass.null
      switch type {
      case SQLITE_INTEGER:
        storage = .integer
        slot.storeBytes(of: sqlite3_value_int64(value), as: Int64.self)
      case SQLITE_FLOAT:
        storage = .real
        slot.storeBytes(of: sqlite3_value_double(value), as: Double.self)
      case SQLITE_TEXT, SQLITE_BLOB:
        storage = type == SQLITE_TEXT ? .text : .blob
        let base = type == SQLITE_TEXT ? UnsafeRawPointer(sqlite3_value_text(value)) : sqlite3_value_blob(value)
        let length = base == nil ? 0 : Int(sqlite3_value_bytes(value))
        slot.storeBytes(of: UInt64(UInt32(size)) | UInt64(UInt32(length)) << 32, as: UInt64.self)
        pieces[pieceCount] = UnsafeRawBufferPointer(start: base, count: length)
        pieceCount += 1
        size += length
      default:
        slot.storeBytes(of: 0, as: Int64.self)
      }
      head.storeBytes(of: storage.rawValue, toByteOffset: 8 + column, as: UInt8.self)
    }
    head.storeBytes(of: UInt32(count), as: UInt32.self)
    head.storeBytes(of: UInt32(size), toByteOffset: 4, as: UInt32.self)
    return PackedRow(base: block(size, headSize, pieceCount))
  }

  @inline(__always) private func block(_ size: Int, _ headSize: Int, _ pieceCount: Int) -> UnsafeMutableRawPointer {
    let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
    memcpy(block, head, headSize)
    var end = block + headSize
    for index in 0..<pieceCount {
      let piece = pieces[index]
      guard let base = piece.baseAddress else { continue }
      memcpy(end, base, piece.count)
      end += piece.count
    }
    return block
  }

  private func reserve(_ count: Int) {
    guard count > capacity else { return }
    capacity = count
    head.deallocate()
    pieces.deallocate()
    let size = 16 + 9 * count + 8
    head = .allocate(byteCount: size, alignment: 8)
    memset(head, 0, size)
    pieces = .allocate(capacity: count)
  }
}
