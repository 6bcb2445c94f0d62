internal import Glibc
internal import Modeling

/// Counts texts by their UTF-8 bytes: how many, how often each, the first and the last.
///
/// It works as `DistinctTable` does, beyond the limit too, and keeps the bytes of all texts in one piece.
struct TextTally {
  private(set) var count = 0
  /// How the texts' lengths spread, in scalars.
  var lengths: NumberTally
  private(set) var used = 0
  private(set) var level = 0
  private let limit: Int

  /// A text's place: its number from 1, or 0 for a free place, a part of its hash, and its count.
  private struct Place {
    var tag: UInt32 = 0
    var number: UInt32 = 0
    var count = 0
  }
  private var places: [Place] = []
  private var hashes: [UInt64] = []
  /// The bytes of the texts, and where each ends.
  private var bytes: [UInt8] = []
  private var ends: [Int] = [0]
  private var (least, greatest): ([UInt8]?, [UInt8]?) = (nil, nil)

  /// Texts that are counted together soon: searches in large tables then overlap.
  private var waiting: [UInt8] = []
  private var waitingEnds: [Int] = []
  /// What `approach` read.
  private var touched: UInt8 = 0
  private static let block = 256
  private static let blockBytes = 1 << 15

  init(limit: Int) {
    self.limit = limit
    lengths = NumberTally(limit: limit)
  }

  var distinct: Int { used << level }
  var isEstimated: Bool { level > 0 || lengths.isEstimated }

  /// The first and the last text in the order of their bytes; nil without texts.
  var bounds: (least: String, greatest: String)? {
    guard let least, let greatest else { return nil }
    return (String(decoding: least, as: UTF8.self), String(decoding: greatest, as: UTF8.self))
  }

  /// Counts a text.
  mutating func add(_ text: String) {
    var text = text
    text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
  }

  /// Counts a text by its bytes, which are UTF-8.
  mutating func add(_ text: UnsafeRawBufferPointer) {
    waiting.append(contentsOf: text)
    waitingEnds.append(waiting.count)
    if waitingEnds.count == Self.block || waiting.count >= Self.blockBytes { complete() }
  }

  /// Counts what waits. To be called before anything is asked.
  mutating func complete() {
    let (texts, ends) = (waiting, waitingEnds)
    waiting.removeAll(keepingCapacity: true)
    waitingEnds.removeAll(keepingCapacity: true)
    count += ends.count
    texts.withUnsafeBytes { texts in
      withUnsafeTemporaryAllocation(of: UInt64.self, capacity: ends.count) { hashes in
        var start = 0
        for (index, end) in ends.enumerated() {
          let text = UnsafeRawBufferPointer(rebasing: texts[start..<end])
          hashes[index] = StableHash.hash(text)
          lengths.add(text.scalarCount)
          note(text)
          start = end
        }
        approach(hashes)
        start = 0
        for (index, end) in ends.enumerated() {
          tally(UnsafeRawBufferPointer(rebasing: texts[start..<end]), hashes[index])
          start = end
        }
      }
    }
    lengths.complete()
  }

  /// Calls `body` with each kept text and how often it came.
  func forEach(_ body: (String, Int) -> Void) {
    for place in places where place.number > 0 {
      body(String(decoding: bytes[range(of: place.number)], as: UTF8.self), place.count)
    }
  }

  // MARK: Parts

  /// Reads where texts with these hashes probably stand, so that the processor waits for all of them at once.
  private mutating func approach(_ hashes: UnsafeMutableBufferPointer<UInt64>) {
    guard !places.isEmpty else { return }
    let (mask, left) = (places.count - 1, (1 << UInt64(level)) - 1 as UInt64)
    withUnsafeTemporaryAllocation(of: Int.self, capacity: hashes.count) { starts in
      for index in hashes.indices {
        let hash = hashes[index]
        starts[index] = hash & left == 0 ? Int(places[Int(truncatingIfNeeded: hash >> 24) & mask].number) : 0
      }
      for index in hashes.indices where starts[index] > 0 { starts[index] = ends[starts[index] - 1] }
      // Kept, because the compiler would leave out reads of unused values.
      for index in hashes.indices where starts[index] < bytes.count { touched &+= bytes[starts[index]] }
    }
  }

  private func range(of number: UInt32) -> Range<Int> { ends[Int(number) - 1]..<ends[Int(number)] }

  private mutating func note(_ text: UnsafeRawBufferPointer) {
    if least.map({ $0.withUnsafeBytes { text.isBefore($0) } }) ?? true { least = Array(text) }
    if greatest.map({ $0.withUnsafeBytes { $0.isBefore(text) } }) ?? true { greatest = Array(text) }
  }

  private mutating func tally(_ text: UnsafeRawBufferPointer, _ hash: UInt64) {
    guard hash & ((1 << UInt64(level)) - 1) == 0 else { return }
    if used * 2 >= places.count { rebuild(capacity: max(places.count * 2, 64)) }
    let tag = UInt32(truncatingIfNeeded: hash >> 32)
    let place = place(of: text, hash, tag)
    if places[place].number == 0 {
      bytes.append(contentsOf: text)
      ends.append(bytes.count)
      hashes.append(hash)
      places[place] = Place(tag: tag, number: UInt32(clamping: hashes.count))
      used += 1
    }
    places[place].count += 1
    while used > limit {
      level += 1
      forgetOthers()
    }
  }

  private func place(of text: UnsafeRawBufferPointer, _ hash: UInt64, _ tag: UInt32) -> Int {
    let mask = places.count - 1
    return places.withUnsafeBufferPointer { places in
      var place = Int(truncatingIfNeeded: hash >> 24) & mask
      while places[place].number > 0 {
        if places[place].tag == tag, isSame(text, places[place].number) { break }
        place = (place + 1) & mask
      }
      return place
    }
  }

  private func isSame(_ text: UnsafeRawBufferPointer, _ number: UInt32) -> Bool {
    let range = range(of: number)
    guard range.count == text.count else { return false }
    return bytes.withUnsafeBytes { bytes in
      guard let known = bytes.baseAddress, let new = text.baseAddress else { return true }
      return memcmp(known + range.lowerBound, new, text.count) == 0
    }
  }

  private mutating func rebuild(capacity: Int) {
    let old = places
    places = Array(repeating: Place(), count: capacity)
    for former in old where former.number > 0 {
      var place = Int(truncatingIfNeeded: hashes[Int(former.number) - 1] >> 24) & (capacity - 1)
      while places[place].number > 0 { place = (place + 1) & (capacity - 1) }
      places[place] = former
    }
  }

  /// Keeps the texts whose hashes end in `level` zeros alone.
  private mutating func forgetOthers() {
    let (oldPlaces, oldHashes, oldBytes, oldEnds) = (places, hashes, bytes, ends)
    (hashes, bytes, ends, used) = ([], [], [0], 0)
    places = Array(repeating: Place(), count: oldPlaces.count)
    for former in oldPlaces where former.number > 0 {
      let number = Int(former.number)
      let hash = oldHashes[number - 1]
      guard hash & ((1 << UInt64(level)) - 1) == 0 else { continue }
      bytes.append(contentsOf: oldBytes[oldEnds[number - 1]..<oldEnds[number]])
      ends.append(bytes.count)
      hashes.append(hash)
      used += 1
      var place = Int(truncatingIfNeeded: hash >> 24) & (places.count - 1)
      while places[place].number > 0 { place = (place + 1) & (places.count - 1) }
      places[place] = Place(tag: former.tag, number: UInt32(clamping: hashes.count), count: former.count)
    }
  }
}

extension StableHash {
  /// Of bytes, eight at a time.
  static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash = UInt64(bytes.count) &* 0x9E37_79B9_7F4A_7C15
    var offset = 0
    while offset + 8 <= bytes.count {
      let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      hash = mix(hash ^ word)
      offset += 8
    }
    var (rest, shift) = (0 as UInt64, 0 as UInt64)
    while offset < bytes.count {
      rest |= UInt64(bytes[offset]) << shift
      (offset, shift) = (offset + 1, shift + 8)
    }
    return Self.hash(hash ^ rest)
  }

  /// A multiplication of which both halves count.
  private static func mix(_ word: UInt64) -> UInt64 {
    let product = word.multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
    return product.high ^ product.low
  }
}

extension UnsafeRawBufferPointer {
  /// The number of scalars of UTF-8: of bytes that do not continue one.
  fileprivate var scalarCount: Int64 {
    var count: Int64 = 0
    for byte in self where byte & 0xC0 != 0x80 { count += 1 }
    return count
  }

  /// Whether these bytes come before others.
  fileprivate func isBefore(_ other: UnsafeRawBufferPointer) -> Bool {
    guard let one = baseAddress, let two = other.baseAddress else { return count < other.count }
    let order = memcmp(one, two, Swift.min(count, other.count))
    return order == 0 ? count < other.count : order < 0
  }

  /// Whether they are UTF-8; those of ASCII are seen at once.
  var isUTF8: Bool {
    var offset = 0
    var all: UInt64 = 0
    while offset + 8 <= count {
      all |= loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      offset += 8
    }
    while offset < count {
      all |= UInt64(self[offset])
      offset += 1
    }
    return all & 0x8080_8080_8080_8080 == 0 || String(validating: self, as: UTF8.self) != nil
  }
}
