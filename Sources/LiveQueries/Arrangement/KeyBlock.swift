internal import Glibc

/// A block of an order: prefixes and row keys in parallel, and tails of sort keys if there are any.
///
/// The owner frees the memory. Indices are not checked.
struct KeyBlock {
  /// The maximum number of rows.
  static let capacity = 512

  /// The number of rows.
  private(set) var count = 0
  /// The first eight bytes of the rows' sort keys.
  let prefixes: UnsafeMutablePointer<UInt64>
  /// The rows' keys.
  private var keys = BlockKeys()
  /// The end of each row's tail in `bytes`; nil while all tails are empty.
  private var ends: UnsafeMutablePointer<UInt32>?
  private var bytes: UnsafeMutableRawPointer?
  private var bytesCapacity = 0

  /// Creates an empty block.
  init() {
    prefixes = .allocate(capacity: Self.capacity)
  }

  /// Frees the memory.
  func deallocate() {
    prefixes.deallocate()
    keys.deallocate()
    ends?.deallocate()
    free(bytes)
  }

  /// The bytes of memory used.
  var bytesUsed: Int { Self.capacity * (8 + keys.width + (ends == nil ? 0 : 4)) + bytesCapacity }

  /// The key of the row at an index.
  func key(at index: Int) -> Int64 { keys[index] }

  /// The tail of the row at an index.
  func tail(at index: Int) -> UnsafeRawBufferPointer {
    guard let ends else { return .empty }
    let start = tailStart(at: index)
    return UnsafeRawBufferPointer(start: bytes.map { UnsafeRawPointer($0) + start }, count: Int(ends[index]) - start)
  }

  /// The index of the row with this key, which must be in the block.
  func index(of key: Int64) -> Int { keys.index(of: key, count: count) }

  /// Inserts a row at an index; the block must have room.
  mutating func insert(prefix: UInt64, tail: UnsafeRawBufferPointer, key: Int64, at index: Int) {
    let after = count - index
    (prefixes + index + 1).update(from: prefixes + index, count: after)
    keys.insert(key, at: index, count: count)
    prefixes[index] = prefix
    if ends != nil || tail.count > 0 { insertTail(tail, at: index) }
    count += 1
  }

  /// Appends a row without a tail to rows without tails; the block must have room.
  mutating func append(prefix: UInt64, key: Int64) {
    prefixes[count] = prefix
    keys.insert(key, at: count, count: count)
    count += 1
  }

  /// Removes the row at an index.
  mutating func remove(at index: Int) {
    let after = count - index - 1
    (prefixes + index).update(from: prefixes + index + 1, count: after)
    keys.remove(at: index, count: count)
    if let ends, let bytes {
      let (start, end, total) = (tailStart(at: index), Int(ends[index]), Int(ends[count - 1]))
      memmove(bytes + start, bytes + end, total - end)
      for next in index..<count - 1 { ends[next] = ends[next + 1] - UInt32(end - start) }
    }
    count -= 1
  }

  /// Appends the rows of another block from an index on; the block must have room.
  mutating func append(from other: KeyBlock, at index: Int) {
    let added = other.count - index
    (prefixes + count).update(from: other.prefixes + index, count: added)
    keys.append(count: added, of: other.keys, at: index, to: count)
    if ends != nil || other.ends != nil {
      makeEnds()
      let (start, end) = (other.tailStart(at: index), other.tailStart(at: other.count))
      let total = tailStart(at: count)
      reserve(total + end - start)
      if end > start, let bytes, let source = other.bytes { memcpy(bytes + total, source + start, end - start) }
      if let ends {
        for place in 0..<added { ends[count + place] = UInt32(total + other.tailStart(at: index + place + 1) - start) }
      }
    }
    count += added
  }

  /// Removes the rows from an index on.
  mutating func removeRows(from index: Int) { count = index }

  private func tailStart(at index: Int) -> Int {
    guard let ends, index > 0 else { return 0 }
    return Int(ends[index - 1])
  }

  private mutating func insertTail(_ tail: UnsafeRawBufferPointer, at index: Int) {
    makeEnds()
    let (start, total) = (tailStart(at: index), tailStart(at: count))
    reserve(total + tail.count)
    guard let ends else { return }
    if let bytes, tail.count > 0, let source = tail.baseAddress {
      memmove(bytes + start + tail.count, bytes + start, total - start)
      memcpy(bytes + start, source, tail.count)
    }
    for next in stride(from: count, to: index, by: -1) { ends[next] = ends[next - 1] + UInt32(clamping: tail.count) }
    ends[index] = UInt32(start + tail.count)
  }

  private mutating func makeEnds() {
    guard ends == nil else { return }
    ends = .allocate(capacity: Self.capacity)
    ends?.initialize(repeating: 0, count: Self.capacity)
  }

  private mutating func reserve(_ needed: Int) {
    guard needed > bytesCapacity else { return }
    bytesCapacity = max(64, needed + needed / 4)
    bytes = realloc(bytes, bytesCapacity)
  }
}
