internal import Modeling
internal import ObjectGraph
internal import Stores

/// The rows that one round may have moved, each once, while their positions are looked up.
struct PlacementBatch {
  private var placements: [RowPlacement] = []
  /// The rows to look up in the store; of several with one key the last counts.
  private var waiting: ContiguousArray<Waiting> = []
  private var unmoved: [Int64] = []
  /// The keys of objects that have or had unsaved changes, for which commits are ignored.
  private var seen: Set<Int64> = []
  /// Those objects whose values changed.
  private var changedObjects: [Int64] = []
  /// The new keys of saved objects, by the key under which they were shown.
  private(set) var rekeyed: [Int64: Int64] = [:]

  /// A row to look up.
  fileprivate struct Waiting {
    var key: Int64
    /// The key under which it was shown.
    var oldKey: Int64
    /// Whether its values changed.
    var isUpdated: Bool
    /// Its position, once that is known.
    var row: ArrangedRow?
  }

  /// The rows whose values changed.
  var updatedKeys: Set<Int64> {
    var keys = Set(unmoved)
    keys.formUnion(changedObjects)
    for row in waiting where row.isUpdated { keys.insert(row.key) }
    return keys
  }

  /// Adds an object with unsaved changes.
  mutating func add(_ placed: RowPlacement?, for step: PendingOverlay.Step) {
    seen.insert(step.oldKey)
    if let newKey = step.newKey {
      seen.insert(newKey)
      if newKey != step.oldKey { rekeyed[step.oldKey] = newKey }
      if step.hasChanged { changedObjects.append(newKey) }
    }
    guard let row = placed?.row else { return leave(step.oldKey, under: step.newKey ?? step.oldKey) }
    placements.append(.placed(row, oldKey: step.oldKey, isUpdated: step.hasChanged))
  }

  /// Removes the row that was shown under `oldKey`, and the deleted row whose key it got.
  private mutating func leave(_ oldKey: Int64, under key: Int64) {
    placements.append(.leaving(oldKey))
    if key != oldKey { placements.append(.leaving(key)) }
  }

  /// Adds an object that no longer has unsaved changes.
  mutating func readLater(_ step: PendingOverlay.Step) {
    seen.insert(step.oldKey)
    guard let newKey = step.newKey else {
      if step.oldKey <= ObjectID.temporaryLimit { return placements.append(.leaving(step.oldKey)) }
      // Others may have reused the key of a deleted row.
      waiting.append(Waiting(key: step.oldKey, oldKey: step.oldKey, isUpdated: true))
      return
    }
    seen.insert(newKey)
    if newKey != step.oldKey { rekeyed[step.oldKey] = newKey }
    waiting.append(Waiting(key: newKey, oldKey: step.oldKey, isUpdated: step.hasChanged))
  }

  /// Adds the rows that a commit touched, and those related to them, each key once.
  mutating func readLater(own: [Int64], related: [Int64], unmoved rows: [Int64], besides overlay: PendingOverlay) {
    let isAlone = seen.isEmpty && overlay.isEmpty
    func isKnown(_ key: Int64) -> Bool { !isAlone && (seen.contains(key) || overlay.contains(key)) }
    waiting.reserveCapacity(waiting.count + own.count + related.count)
    for key in own where !isKnown(key) { waiting.append(Waiting(key: key, oldKey: key, isUpdated: true)) }
    for key in related where !isKnown(key) { waiting.append(Waiting(key: key, oldKey: key, isUpdated: false)) }
    for key in rows where !isKnown(key) { unmoved.append(key) }
  }

  /// Returns all placements, after looking up the stored rows.
  mutating func placements(_ plan: ResultsPlan, _ arrangement: Arrangement) throws -> [RowPlacement] {
    for key in unmoved where arrangement.holds(key) { placements.append(arrangement.placementInPlace(of: key)) }
    guard !waiting.isEmpty else { return placements }
    try lookUp(plan)
    placements.reserveCapacity(placements.count + waiting.count)
    for waiting in waiting {
      if let row = waiting.row {
        placements.append(.placed(row, oldKey: waiting.oldKey, isUpdated: waiting.isUpdated))
      } else if waiting.oldKey != waiting.key || arrangement.holds(waiting.key) {
        leave(waiting.oldKey, under: waiting.key)
      }
    }
    return placements
  }

  /// Looks up the waiting rows, in ascending order of their keys.
  private mutating func lookUp(_ plan: ResultsPlan) throws {
    sortWaiting()
    // The store usually returns them by ascending keys, too.
    var place = 0
    try plan.reader.read(keys: waiting.map(\.key)) { row in
      let key = row.key
      if place == waiting.count || waiting[place].key > key { place = 0 }
      if waiting[place].key < key { place = waiting.firstPlace(ofKeyAtLeast: key, from: place) }
      guard place < waiting.count, waiting[place].key == key else { return }
      waiting[place].row = plan.arranged(key, row)
      place += 1
    }
  }

  private mutating func sortWaiting() {
    if zip(waiting, waiting.dropFirst()).allSatisfy({ $0.key < $1.key }) { return }
    var last: [Int64: Waiting] = [:]
    for row in waiting { last[row.key] = row }
    waiting = ContiguousArray(last.values.sorted { $0.key < $1.key })
  }
}

extension ContiguousArray<PlacementBatch.Waiting> {
  /// The first index from `start` on with this key or a greater one; usually close to `start`.
  fileprivate func firstPlace(ofKeyAtLeast key: Int64, from start: Int) -> Int {
    var (low, step) = (start, 1)
    while low + step < count, self[low + step].key < key { (low, step) = (low + step, step * 2) }
    var high = Swift.min(count, low + step)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].key < key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension Arrangement {
  /// The placement of a held row in its current position, with other values.
  fileprivate func placementInPlace(of key: Int64) -> RowPlacement {
    let section = sections.flatMap { sections in
      keys.rank(of: key).map { sections.identity(ordinal: sections.locate(row: $0).ordinal) }
    }
    return .placed(ArrangedRow(key: key, sortKey: keys.sortKey(of: key), section: section))
  }
}
