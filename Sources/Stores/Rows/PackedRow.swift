internal import Foundation
public import Layouts

/// A row's values in one block of memory: a class byte a column, eight bytes a column, then text and blobs.
///
/// Manually managed: the owner calls `free()` once. About 9 bytes a column plus text.
public struct PackedRow {
  /// The block.
  public let base: UnsafeMutableRawPointer

  /// Adopts a block written by RowCursor.pack().
  public init(base: UnsafeMutableRawPointer) { self.base = base }

  // Layout: [count: UInt32][size: UInt32][classes: count bytes, padded to 8][slots: 8 * count][bytes]
  /// The number of columns.
  @inlinable public var count: Int { Int(base.load(as: UInt32.self)) }

  /// The size of the block in bytes.
  @inlinable public var byteCount: Int { Int(base.load(fromByteOffset: 4, as: UInt32.self)) }

  /// The storage class of a column.
  @inlinable public func storageClass(_ column: Int) -> StorageClass {
    StorageClass(rawValue: base.load(fromByteOffset: 8 + column, as: UInt8.self)) ?? .null
  }

  @inlinable var slots: Int { 8 + ((count + 7) & ~7) }

  /// The value of an integer column.
  @inlinable public func integer(_ column: Int) -> Int64 {
    base.load(fromByteOffset: slots + 8 * column, as: Int64.self)
  }

  /// The value of a real column.
  @inlinable public func real(_ column: Int) -> Double {
    base.load(fromByteOffset: slots + 8 * column, as: Double.self)
  }

  /// The bytes of a text or blob column; valid as long as the row.
  @inlinable public func bytes(_ column: Int) -> UnsafeRawBufferPointer {
    let offset = Int(base.load(fromByteOffset: slots + 8 * column, as: UInt32.self))
    let count = Int(base.load(fromByteOffset: slots + 8 * column + 4, as: UInt32.self))
    return UnsafeRawBufferPointer(start: base + offset, count: count)
  }

  /// Whether both hold the same values, byte for byte.
  public func isEqual(to other: PackedRow) -> Bool {
    byteCount == other.byteCount && memcmp(base, other.base, byteCount) == 0
  }

  /// Returns a new row with the same values.
  public func copy() -> PackedRow {
    let block = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 8)
    block.copyMemory(from: base, byteCount: byteCount)
    return PackedRow(base: block)
  }

  /// Frees the memory.
  public func free() { base.deallocate() }
}
