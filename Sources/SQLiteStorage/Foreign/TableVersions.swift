/// Hashes of a table's rows at the last scan: 16 bytes per row.
struct TableVersions {
  /// A hash for rows with unknown content, which differs from every hash of a scan.
  static let vague: UInt64 = 0

  /// The difference of two scans, with ascending keys.
  struct Difference {
    var inserted: [Int64] = []
    var updated: [Int64] = []
    var deleted: [Int64] = []
  }

  /// The keys, ascending, parallel to the hashes.
  private var keys: [Int64] = []
  private var hashes: [UInt64] = []
  /// Changes known since the scan; nil for deleted rows.
  private var known: [Int64: UInt64?] = [:]

  /// The maximum number of known changes before they are merged into the arrays.
  private static let knownLimit = 65_536

  /// The number of rows.
  var count: Int { keys.count }

  /// Stores the scanned rows; keys need not ascend.
  init(keys: [Int64], hashes: [UInt64]) {
    self.keys = keys
    self.hashes = hashes
    guard zip(keys, keys.dropFirst()).contains(where: { $0 >= $1 }) else { return }
    let order = keys.indices.sorted { keys[$0] < keys[$1] }
    self.keys = order.map { keys[$0] }
    self.hashes = order.map { hashes[$0] }
  }

  /// Records a row's new hash; nil for a deleted row.
  mutating func note(_ key: Int64, _ hash: UInt64?) {
    known.updateValue(hash, forKey: key)
    if known.count > Self.knownLimit { settle() }
  }

  /// Whether there was a row with this key.
  func holds(_ key: Int64) -> Bool {
    if let known = known[key] { return known != nil }
    var (low, high) = (0, keys.count)
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low < keys.count && keys[low] == key
  }

  /// Replaces the hashes by a later scan; returns the difference.
  mutating func replace(with now: TableVersions) -> Difference {
    settle()
    var difference = Difference()
    var (old, new) = (0, 0)
    while old < keys.count || new < now.keys.count {
      if new == now.keys.count || (old < keys.count && keys[old] < now.keys[new]) {
        difference.deleted.append(keys[old])
        old += 1
      } else if old == keys.count || now.keys[new] < keys[old] {
        difference.inserted.append(now.keys[new])
        new += 1
      } else {
        if hashes[old] != now.hashes[new] || hashes[old] == Self.vague { difference.updated.append(keys[old]) }
        old += 1
        new += 1
      }
    }
    self = now
    return difference
  }

  /// Merges known changes into the arrays.
  private mutating func settle() {
    guard !known.isEmpty else { return }
    let changes = known.sorted { $0.key < $1.key }
    known = [:]
    var merged: (keys: [Int64], hashes: [UInt64]) = ([], [])
    merged.keys.reserveCapacity(keys.count + changes.count)
    merged.hashes.reserveCapacity(keys.count + changes.count)
    var old = 0
    for (key, hash) in changes {
      while old < keys.count, keys[old] < key {
        merged.keys.append(keys[old])
        merged.hashes.append(hashes[old])
        old += 1
      }
      if old < keys.count, keys[old] == key { old += 1 }
      guard let hash else { continue }
      merged.keys.append(key)
      merged.hashes.append(hash)
    }
    merged.keys += keys[old...]
    merged.hashes += hashes[old...]
    (keys, hashes) = merged
  }
}
