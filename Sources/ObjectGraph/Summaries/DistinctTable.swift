/// Counts equal keys in a table that does not outgrow a limit.
///
/// Beyond the limit it keeps a part of the keys, those whose hashes end in `level` zeros, with their exact counts: the choice
/// depends on the keys alone, not on their order, and the number of kept keys times 2^level estimates that of all.
struct DistinctTable<Key: DistinctKey> {
  private var keys: [Key] = []
  /// The hash of the key at each place, and its count; 0 for an unused place. They lie apart from the keys, so that a
  /// search mostly touches one line of the processor's cache.
  private var places: [(hash: UInt64, count: Int)] = []
  private(set) var used = 0
  private(set) var level = 0
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// The number of different keys, estimated if `level` is not 0.
  var distinct: Int { used << level }
  var isEstimated: Bool { level > 0 }

  /// Counts a key so many times.
  mutating func add(_ key: Key, times: Int = 1) {
    let hash = key.stableHash
    guard isKept(hash) else { return }
    if used * 2 >= places.count { rebuild(capacity: max(places.count * 2, 64)) }
    let place = place(of: key, hash)
    if places[place].count == 0 {
      keys[place] = key
      places[place].hash = hash
      used += 1
    }
    places[place].count += times
    while used > limit {
      level += 1
      rebuild(capacity: places.count)
    }
  }

  /// Counts keys. The hashes of all are made first, so that the processor looks for several of them at once.
  ///
  /// `hashes` has room for as many.
  mutating func add(contentsOf block: UnsafeBufferPointer<Key>, hashes: UnsafeMutableBufferPointer<UInt64>) {
    guard (used + block.count) * 2 <= places.count, used + block.count <= limit else {
      for key in block { add(key) }
      return
    }
    for index in block.indices { hashes[index] = block[index].stableHash }
    let (mask, left) = (places.count - 1, (1 << UInt64(level)) - 1 as UInt64)
    var added = 0
    places.withUnsafeMutableBufferPointer { places in
      keys.withUnsafeMutableBufferPointer { keys in
        for index in block.indices where hashes[index] & left == 0 {
          let hash = hashes[index]
          var place = Int(truncatingIfNeeded: hash >> 24) & mask
          while places[place].count > 0 {
            if places[place].hash == hash, Key.hashTells || keys[place].isSame(as: block[index]) { break }
            place = (place + 1) & mask
          }
          if places[place].count == 0 {
            keys[place] = block[index]
            places[place].hash = hash
            added += 1
          }
          places[place].count += 1
        }
      }
    }
    used += added
  }

  /// Calls `body` with each kept key and its count.
  func forEach(_ body: (Key, Int) throws -> Void) rethrows {
    for place in places.indices where places[place].count > 0 { try body(keys[place], places[place].count) }
  }

  private func isKept(_ hash: UInt64) -> Bool { hash & ((1 << UInt64(level)) - 1) == 0 }

  /// Where a key stands, or where it belongs.
  private func place(of key: Key, _ hash: UInt64) -> Int {
    let mask = places.count - 1
    // The last bits of a hash decide whether a key is kept, the first ones its place.
    var place = Int(truncatingIfNeeded: hash >> 24) & mask
    while places[place].count > 0 {
      if places[place].hash == hash, Key.hashTells || keys[place].isSame(as: key) { break }
      place = (place + 1) & mask
    }
    return place
  }

  /// Puts the keys into so many places, without those that are no longer kept.
  private mutating func rebuild(capacity: Int) {
    let (oldKeys, oldPlaces) = (keys, places)
    keys = [Key](repeating: Key.placeholder, count: capacity)
    places = Array(repeating: (0, 0), count: capacity)
    used = 0
    for old in oldPlaces.indices where oldPlaces[old].count > 0 && isKept(oldPlaces[old].hash) {
      let place = place(of: oldKeys[old], oldPlaces[old].hash)
      (keys[place], places[place]) = (oldKeys[old], oldPlaces[old])
      used += 1
    }
  }
}

/// Something that a DistinctTable counts.
protocol DistinctKey {
  /// What stands in places that are not used.
  static var placeholder: Self { get }
  /// A hash that is the same in each run.
  var stableHash: UInt64 { get }
  /// Whether different keys have different hashes.
  static var hashTells: Bool { get }
  /// Whether both are the same to the store.
  func isSame(as other: Self) -> Bool
}

extension Int64: DistinctKey {
  static var placeholder: Int64 { 0 }
  // Each step of the hash of a number can be undone.
  static var hashTells: Bool { true }
  var stableHash: UInt64 { StableHash.hash(UInt64(bitPattern: self)) }
  func isSame(as other: Int64) -> Bool { self == other }
}

extension Double: DistinctKey {
  static var placeholder: Double { 0 }
  static var hashTells: Bool { true }
  /// That of the other zero for -0.0, which is the same number.
  var stableHash: UInt64 { StableHash.hash((self + 0).bitPattern) }
  func isSame(as other: Double) -> Bool { self == other }
}

/// Hashes that are the same in each run, so that estimates are.
enum StableHash {
  static func hash(_ bits: UInt64) -> UInt64 {
    // The finalizer of SplitMix64.
    var z = bits &+ 0x9E37_79B9_7F4A_7C15
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// FNV-1a, finished so that all bits count.
  static func hash(_ text: String) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    return Self.hash(hash)
  }
}
