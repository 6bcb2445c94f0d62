/// Maps each row's key to the number of its block.
///
/// Pages hold the block numbers of keys from zero to a limit below which keys are dense, in two or four bytes per key.
/// A dictionary holds all other keys: negative ones and sparse ones. The limit follows the keys.
struct KeyIndex {
  private static let pageBits = 12
  private static let pageSize = 1 << pageBits
  /// Below the limit, at least one of this many keys exists.
  private static let sparsest = 8

  /// Pages of block numbers plus one, zero for absent; nil until the page has a key.
  private var pages: ContiguousArray<UnsafeMutableRawPointer?> = []
  private var isWide = false
  private var others: [Int64: UInt32] = [:]
  /// The size of the dictionary that triggers a search for a better limit.
  private var mostOthers = 4096
  /// The number of keys.
  private(set) var count = 0

  /// Frees the memory.
  func deallocate() {
    for page in pages { page?.deallocate() }
  }

  /// The block of a key, or -1.
  subscript(key: Int64) -> Int {
    let page = Int(truncatingIfNeeded: key >> Int64(Self.pageBits))
    if page >= 0, page < pages.count {
      guard let start = pages[page] else { return -1 }
      return entry(start, Int(truncatingIfNeeded: key) & (Self.pageSize - 1)) - 1
    }
    if others.isEmpty { return -1 }
    return others[key].map { Int($0) } ?? -1
  }

  /// Sets the block of a key, whether or not the key is new.
  mutating func set(_ key: Int64, to block: Int) {
    if block >= Int(UInt16.max), !isWide { widen() }
    let page = Int(truncatingIfNeeded: key >> Int64(Self.pageBits))
    if page >= pages.count { raiseLimit(to: key) }
    guard page >= 0, page < pages.count else {
      if others.updateValue(UInt32(block), forKey: key) == nil { count += 1 }
      if others.count > mostOthers { moveLimit() }
      return
    }
    let index = Int(truncatingIfNeeded: key) & (Self.pageSize - 1)
    let start = pages[page] ?? makePage(page)
    if entry(start, index) == 0 { count += 1 }
    setEntry(start, index, block + 1)
  }

  /// Sets the block of a new key; returns false if the key exists.
  mutating func insert(_ key: Int64, in block: Int) -> Bool {
    let page = Int(truncatingIfNeeded: key >> Int64(Self.pageBits))
    guard page >= 0, page < pages.count, block < Int(UInt16.max) || isWide, let start = pages[page] else {
      if self[key] >= 0 { return false }
      set(key, to: block)
      return true
    }
    let index = Int(truncatingIfNeeded: key) & (Self.pageSize - 1)
    if entry(start, index) != 0 { return false }
    count += 1
    setEntry(start, index, block + 1)
    return true
  }

  /// Removes an existing key.
  mutating func remove(_ key: Int64) {
    count -= 1
    let page = Int(truncatingIfNeeded: key >> Int64(Self.pageBits))
    if page >= 0, page < pages.count {
      if let start = pages[page] { setEntry(start, Int(truncatingIfNeeded: key) & (Self.pageSize - 1), 0) }
    } else {
      others[key] = nil
    }
  }

  /// Makes room for keys, before any is inserted.
  mutating func prepare(for forEachKey: ((Int64) -> Void) -> Void) {
    setLimit(Self.limit(for: forEachKey))
  }

  /// The bytes of memory used.
  var bytesUsed: Int {
    let used = pages.count { $0 != nil } * Self.pageSize * (isWide ? 4 : 2)
    return used + pages.capacity * 8 + (others.isEmpty ? 0 : others.capacity * 16)
  }

  private func entry(_ page: UnsafeMutableRawPointer, _ index: Int) -> Int {
    isWide
      ? Int(page.assumingMemoryBound(to: UInt32.self)[index]) : Int(page.assumingMemoryBound(to: UInt16.self)[index])
  }

  private func setEntry(_ page: UnsafeMutableRawPointer, _ index: Int, _ value: Int) {
    if isWide {
      page.assumingMemoryBound(to: UInt32.self)[index] = UInt32(value)
    } else {
      page.assumingMemoryBound(to: UInt16.self)[index] = UInt16(value)
    }
  }

  private mutating func makePage(_ page: Int) -> UnsafeMutableRawPointer {
    let start = Self.emptyPage(isWide: isWide)
    pages[page] = start
    return start
  }

  private static func emptyPage(isWide: Bool) -> UnsafeMutableRawPointer {
    let size = pageSize * (isWide ? 4 : 2)
    let start = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
    start.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    return start
  }

  /// Changes the pages to numbers of four bytes.
  private mutating func widen() {
    for page in pages.indices {
      guard let narrow = pages[page] else { continue }
      let wide = Self.emptyPage(isWide: true)
      for index in 0..<Self.pageSize {
        wide.assumingMemoryBound(to: UInt32.self)[index] =
          UInt32(narrow.assumingMemoryBound(to: UInt16.self)[index])
      }
      narrow.deallocate()
      pages[page] = wide
    }
    isWide = true
  }

  /// Raises the limit to a key beyond it, unless the keys below are too sparse: new rows have the highest keys.
  private mutating func raiseLimit(to key: Int64) {
    guard key / Int64(Self.sparsest) < Int64(count - others.count) else { return }
    // By at least a quarter, because each time the whole dictionary is searched.
    setLimit(max(key + 1, Int64(pages.count + pages.count / 4) << Int64(Self.pageBits)))
    moveOthers()
  }

  /// Moves keys that have become dense from the dictionary to pages.
  private mutating func moveLimit() {
    var keys = ContiguousArray(others.keys)
    for page in pages.indices {
      guard let start = pages[page] else { continue }
      for index in 0..<Self.pageSize where entry(start, index) != 0 {
        keys.append(Int64(page) << Int64(Self.pageBits) + Int64(index))
      }
    }
    setLimit(max(Self.limit { keys.forEach($0) }, Int64(pages.count) << Int64(Self.pageBits)))
    moveOthers()
    mostOthers = max(4096, others.count * 2)
  }

  /// Moves keys below the limit from the dictionary to pages.
  private mutating func moveOthers() {
    let pagesEnd = Int64(pages.count) << Int64(Self.pageBits)
    for (key, block) in others where key >= 0 && key < pagesEnd {
      others[key] = nil
      count -= 1
      set(key, to: Int(block))
    }
  }

  private mutating func setLimit(_ limit: Int64) {
    let needed = Int((limit + Int64(Self.pageSize) - 1) >> Int64(Self.pageBits))
    while pages.count < needed { pages.append(nil) }
  }

  /// The highest limit below which one key of `sparsest` exists, trying halves and doubles.
  private static func limit(for forEachKey: ((Int64) -> Void) -> Void) -> Int64 {
    var counts = [Int](repeating: 0, count: 65)
    var greatest = [Int64](repeating: -1, count: 65)
    forEachKey { key in
      guard key >= 0 else { return }
      let bits = 64 - key.leadingZeroBitCount
      counts[bits] += 1
      greatest[bits] = max(greatest[bits], key)
    }
    var (limit, below, most): (Int64, Int, Int64) = (0, 0, -1)
    for bits in 0..<40 {
      below += counts[bits]
      most = max(most, greatest[bits])
      if below > 0, most / Int64(sparsest) < Int64(below) { limit = most + 1 }
    }
    return limit
  }
}
