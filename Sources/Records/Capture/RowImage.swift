internal import CSQLite
import Glibc
import Layouts
package import StoreErrors

/// The values of a row as bytes, which are compact and compared as a whole.
///
/// A value is one byte for its storage class, whose numbers stay in the journal of a file, followed by its content; integers and lengths have variable size.
package enum RowImage {
  /// Adds a value; `isReal` converts integers to reals, as SQLite stores them in a REAL column, and `isUTF8` says that the
  /// file has its text as UTF-8.
  ///
  /// - Throws: StoreError, `.notUndoable`, for a value beyond the size limit.
  package static func append(
    _ value: OpaquePointer?, isReal: Bool, isUTF8: Bool, to bytes: inout [UInt8]
  ) throws(StoreError) {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER:
      let number = sqlite3_value_int64(value)
      if isReal { append(Double(number), to: &bytes) } else { append(number, to: &bytes) }
    case SQLITE_FLOAT: append(sqlite3_value_double(value), to: &bytes)
    case SQLITE_TEXT:
      // If asked for text, SQLite ends it by a zero, for which it copies a value that is still in a page.
      let base = isUTF8 ? sqlite3_value_blob(value) : UnsafeRawPointer(sqlite3_value_text(value))
      try append(.text, base, sqlite3_value_bytes(value), to: &bytes)
    case SQLITE_BLOB:
      let base = sqlite3_value_blob(value)
      try append(.blob, base, sqlite3_value_bytes(value), to: &bytes)
    default: bytes.append(StorageClass.null.rawValue)
    }
  }

  /// Adds an integer.
  package static func append(_ number: Int64, to bytes: inout [UInt8]) {
    bytes.append(StorageClass.integer.rawValue)
    appendNumber(UInt64(bitPattern: (number << 1) ^ (number >> 63)), to: &bytes)
  }

  /// Adds a length or count.
  package static func appendNumber(_ number: UInt64, to bytes: inout [UInt8]) {
    if number < 0x80 { return bytes.append(UInt8(truncatingIfNeeded: number)) }
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Adds eight bytes.
  package static func appendFixed(_ number: UInt64, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Adds a name.
  package static func append(name: String, to bytes: inout [UInt8]) {
    appendNumber(UInt64(name.utf8.count), to: &bytes)
    bytes.append(contentsOf: name.utf8)
  }

  /// Whether a part of an image and a part of another are the same bytes.
  package static func areSame(
    _ left: [UInt8], _ leftPart: Range<Int>, _ right: [UInt8], _ rightPart: Range<Int>
  ) -> Bool {
    guard leftPart.count == rightPart.count else { return false }
    return left.withUnsafeBytes { left in
      right.withUnsafeBytes { right in
        guard let first = left.baseAddress, let second = right.baseAddress else { return true }
        return memcmp(first + leftPart.lowerBound, second + rightPart.lowerBound, leftPart.count) == 0
      }
    }
  }

  /// A hash of the bytes, the same in every run and on every machine.
  package static func hash(_ bytes: [UInt8]) -> UInt64 { bytes.withUnsafeBytes { hash($0) } }

  /// A hash of a part of an image, as that of an array of the same bytes.
  static func hash(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.withUnsafeBytes { hash($0) } }

  private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ UInt64(bytes.count)
    func mix(_ word: UInt64) {
      hash = (hash ^ word) &* 0x9e37_79b9_7f4a_7c15
      hash ^= hash >> 29
    }
    var offset = 0
    while offset + 8 <= bytes.count {
      mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      offset += 8
    }
    var last: UInt64 = 0
    while offset < bytes.count {
      last = last << 8 | UInt64(bytes[offset])
      offset += 1
    }
    mix(last)
    return hash
  }

  /// Adds a real at once with its storage class: each addition to an array checks who else has it.
  private static func append(_ number: Double, to bytes: inout [UInt8]) {
    withUnsafeTemporaryAllocation(byteCount: 9, alignment: 1) { real in
      real[0] = StorageClass.real.rawValue
      real.storeBytes(of: number.bitPattern.littleEndian, toByteOffset: 1, as: UInt64.self)
      bytes.append(contentsOf: UnsafeRawBufferPointer(real))
    }
  }

  private static func append(
    _ tag: StorageClass, _ base: UnsafeRawPointer?, _ count: Int32, to bytes: inout [UInt8]
  ) throws(StoreError) {
    let count = base == nil ? 0 : Int(count)
    guard count <= ChangeCapture.byteLimit else { throw StoreError(.notUndoable(.tooLarge)) }
    bytes.append(tag.rawValue)
    appendNumber(UInt64(count), to: &bytes)
    bytes.append(contentsOf: UnsafeRawBufferPointer(start: base, count: count))
  }
}
