/// The keys of a block's rows: in four bytes each until the block gets a key that they cannot hold, then in eight.
///
/// The owner, a block, frees the memory and keeps the count. Indices are not checked.
struct BlockKeys {
  private var narrow: UnsafeMutablePointer<UInt32>
  /// The keys if some are negative or above 2³²; `narrow` has no memory then.
  private var wide: UnsafeMutablePointer<Int64>?

  init() { narrow = .allocate(capacity: KeyBlock.capacity) }

  func deallocate() {
    if let wide { wide.deallocate() } else { narrow.deallocate() }
  }

  /// The bytes of one key.
  var width: Int { wide == nil ? 4 : 8 }

  @inline(__always)
  subscript(index: Int) -> Int64 { wide.map { $0[index] } ?? Int64(narrow[index]) }

  /// The index of a key that is among the first `count`.
  func index(of key: Int64, count: Int) -> Int {
    guard let wide else { return Self.index(of: UInt32(truncatingIfNeeded: key), in: narrow, count) }
    return Self.index(of: key, in: wide, count)
  }

  @inline(__always)
  private static func index<Key: Equatable>(of key: Key, in keys: UnsafeMutablePointer<Key>, _ count: Int) -> Int {
    var index = 0
    while index + 4 <= count {
      if keys[index] == key { return index }
      if keys[index + 1] == key { return index + 1 }
      if keys[index + 2] == key { return index + 2 }
      if keys[index + 3] == key { return index + 3 }
      index += 4
    }
    while index < count, keys[index] != key { index += 1 }
    return index
  }

  /// Inserts a key among `count` keys.
  @inline(__always)
  mutating func insert(_ key: Int64, at index: Int, count: Int) {
    guard let small = UInt32(exactly: key), wide == nil else { return insertWide(key, at: index, count: count) }
    if index < count { (narrow + index + 1).update(from: narrow + index, count: count - index) }
    narrow[index] = small
  }

  private mutating func insertWide(_ key: Int64, at index: Int, count: Int) {
    let keys = widened(count)
    (keys + index + 1).update(from: keys + index, count: count - index)
    keys[index] = key
  }

  /// Removes one of `count` keys.
  func remove(at index: Int, count: Int) {
    let after = count - index - 1
    if let wide {
      (wide + index).update(from: wide + index + 1, count: after)
    } else {
      (narrow + index).update(from: narrow + index + 1, count: after)
    }
  }

  /// Appends `added` keys of another block to `count` keys.
  mutating func append(count added: Int, of other: BlockKeys, at index: Int, to count: Int) {
    if wide == nil, other.wide == nil {
      return (narrow + count).update(from: other.narrow + index, count: added)
    }
    let keys = widened(count)
    for place in 0..<added { keys[count + place] = other[index + place] }
  }

  private mutating func widened(_ count: Int) -> UnsafeMutablePointer<Int64> {
    if let wide { return wide }
    let keys = UnsafeMutablePointer<Int64>.allocate(capacity: KeyBlock.capacity)
    for index in 0..<count { keys[index] = Int64(narrow[index]) }
    narrow.deallocate()
    wide = keys
    return keys
  }
}
