internal import CSQLite
package import StoreErrors

/// The first bytes of a database file, read before SQLite opens it.
///
/// SQLite treats a file it cannot read as empty, or drops the files next to it; so the kind of the file must be known
/// before. The bytes are read through SQLite's own descriptor, because closing another descriptor would drop the locks
/// of this process.
package struct FileHeader {
  /// The first bytes; fewer if the file is shorter.
  package let bytes: [UInt8]
  /// The size of the file.
  package let size: Int64

  static let magic = Array("SQLite format 3\0".utf8)
  /// The length of the header in bytes.
  package static let length = 100

  /// Reads the header from a connection that may not have read anything yet; empty without a connection.
  package init(_ handle: OpaquePointer?, count: Int = length) {
    size = handle == nil ? 0 : perilune_file_size(handle)
    var bytes = [UInt8](repeating: 0, count: Int(min(Int64(count), size)))
    let isRead = !bytes.isEmpty && perilune_read_file(handle, &bytes, Int32(clamping: bytes.count), 0) == SQLITE_OK
    self.bytes = isRead ? bytes : []
  }

  /// Reads the header from a file that no connection of this process has to have open; empty if the file cannot be
  /// read.
  package init(path: String, count: Int = length) {
    var handle: OpaquePointer?
    defer { sqlite3_close_v2(handle) }
    let code = GuardedHandle.open(path, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, &handle)
    self.init(code == SQLITE_OK ? handle : nil, count: count)
  }

  private func number(_ range: Range<Int>) -> Int { bytes[range].reduce(0) { $0 << 8 | Int($1) } }

  /// The page size by the header.
  package var pageSize: Int { bytes.count < 18 ? 0 : number(16..<18) == 1 ? 65536 : number(16..<18) }
  /// The number of pages by the header.
  package var pageCount: Int { bytes.count < 32 ? 0 : number(28..<32) }
  /// Whether the file has a write-ahead log, so that readers write files next to it.
  package var keepsLog: Bool { bytes.count > 19 && (bytes[18] == 2 || bytes[19] == 2) }
  /// Whether the file has fewer pages than the header says.
  package var isShort: Bool { bytes.count < 32 || Int64(pageCount) * Int64(pageSize) > size }
  /// Whether the file looks encrypted: whole pages of noise from the first byte on.
  var looksEncrypted: Bool { bytes.count >= 1024 && size % 512 == 0 && Set(bytes.prefix(1024)).count > 240 }

  private var isPageSizeValid: Bool { pageSize >= 512 && pageSize <= 65536 && pageSize & (pageSize - 1) == 0 }
  private var hasFractions: Bool { bytes.count > 23 && Array(bytes[21...23]) == [64, 32, 32] }
  /// Whether the header looks valid except for the first bytes.
  private var isPlausible: Bool { bytes.count >= Self.length && isPageSizeValid && hasFractions }

  /// Whether the bytes are the header of a database, possibly damaged, so that its numbers have a meaning.
  package var isDatabase: Bool { bytes.starts(with: Self.magic) || isPlausible }

  /// The damage that keeps SQLite from reading the file; nil for a valid header.
  ///
  /// `hasLog` is whether a write-ahead log that is not empty is next to the file; only databases have one.
  package func damage(hasLog: Bool) -> StoreError.Fact? {
    if bytes.isEmpty { return nil }
    guard bytes.starts(with: Self.magic) else {
      if Self.magic.starts(with: bytes) { return .truncated }
      let right = zip(bytes, Self.magic).filter { $0 == $1 }.count
      guard isPlausible || right >= 8 || hasLog else { return .notADatabase }
      return .damagedHeader(
        HeaderDamage(0..<16, expected: "\"SQLite format 3\" and a zero byte", found: hexadecimal(0..<16)))
    }
    if bytes.count < Self.length || size < 512 { return .truncated }
    if let damage = fieldDamage { return .damagedHeader(damage) }
    return size < Int64(pageSize) ? .truncated : nil
  }

  private var fieldDamage: HeaderDamage? {
    func damage(_ range: Range<Int>, _ expected: String) -> HeaderDamage {
      HeaderDamage(range, expected: expected, found: range.count == 3 ? hexadecimal(range) : "\(number(range))")
    }
    if !isPageSizeValid { return damage(16..<18, "the size of a page, a power of two from 512 to 65536") }
    if bytes[19] > 2 { return damage(19..<20, "1 or 2, the version of the format") }
    if pageSize - Int(bytes[20]) < 480 { return damage(20..<21, "the number of bytes that a page leaves free") }
    if !hasFractions { return damage(21..<24, "40 20 20") }
    if number(44..<48) > 4 { return damage(44..<48, "a version of the schema from 0 to 4") }
    if number(56..<60) > 3 { return damage(56..<60, "a text encoding from 1 to 3") }
    return nil
  }

  private func hexadecimal(_ range: Range<Int>) -> String {
    bytes[range.clamped(to: bytes.indices)].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
  }
}
