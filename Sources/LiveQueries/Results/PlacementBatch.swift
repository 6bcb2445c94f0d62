internal import Modeling
internal import ObjectGraph
internal import Storage

/// The rows that one occasion may have moved, each once, on their way to their places.
struct PlacementBatch {
  private var placements: [Placement] = []
  /// The rows to be looked up in the store, by their key: under which key they were shown, and whether their values changed.
  private var waiting: [Int64: (oldKey: Int64, isUpdated: Bool)] = [:]
  private var unmoved: [Int64] = []
  private var seen: Set<Int64> = []
  /// The rows whose values changed.
  private(set) var updatedKeys: Set<Int64> = []
  /// Unsaved objects that were saved, by the key that they were shown under.
  private(set) var rekeyed: [Int64: Int64] = [:]

  /// Adds an object with unsaved changes.
  mutating func add(_ placed: Placement?, for step: PendingOverlay.Step) {
    seen.insert(step.oldKey)
    if let newKey = step.newKey {
      seen.insert(newKey)
      if newKey != step.oldKey { rekeyed[step.oldKey] = newKey }
      if step.hasChanged { updatedKeys.insert(newKey) }
    }
    guard let row = placed?.row else { return placements.append(.leaving(step.oldKey)) }
    placements.append(.placed(row, oldKey: step.oldKey, isUpdated: step.hasChanged))
  }

  /// Adds an object that has no unsaved changes any more.
  mutating func readLater(_ step: PendingOverlay.Step) {
    seen.insert(step.oldKey)
    guard let newKey = step.newKey else {
      if step.oldKey <= ObjectID.temporaryLimit { return placements.append(.leaving(step.oldKey)) }
      // Others may have given the key of a deleted row again.
      waiting[step.oldKey] = (step.oldKey, true)
      return
    }
    seen.insert(newKey)
    if newKey != step.oldKey { rekeyed[step.oldKey] = newKey }
    if step.hasChanged { updatedKeys.insert(newKey) }
    waiting[newKey] = (step.oldKey, step.hasChanged)
  }

  /// Adds a row that a commit touched, or that leads to one.
  mutating func readLater(_ key: Int64, isUpdated: Bool) {
    guard seen.insert(key).inserted else { return }
    waiting[key] = (key, isUpdated)
    if isUpdated { updatedKeys.insert(key) }
  }

  /// Adds a row with other values in the same place.
  mutating func noteUnmoved(_ key: Int64) {
    guard seen.insert(key).inserted else { return }
    unmoved.append(key)
    updatedKeys.insert(key)
  }

  /// All places, those in the store looked up.
  mutating func placements(_ plan: ResultsPlan, _ arrangement: Arrangement) throws -> [Placement] {
    for key in unmoved where arrangement.holds(key) { placements.append(arrangement.placementInPlace(of: key)) }
    guard !waiting.isEmpty else { return placements }
    try plan.reader.read(keys: waiting.count == 1 ? Array(waiting.keys) : waiting.keys.sorted()) { row in
      let key = row.key
      guard let known = waiting.removeValue(forKey: key) else { return }
      placements.append(.placed(plan.arranged(key, row), oldKey: known.oldKey, isUpdated: known.isUpdated))
    }
    for (key, known) in waiting {
      if known.oldKey != key || arrangement.holds(key) { placements.append(.leaving(known.oldKey)) }
    }
    return placements
  }
}

extension Arrangement {
  /// A row that is held, where it is, with other values.
  fileprivate func placementInPlace(of key: Int64) -> Placement {
    let section = sections.flatMap { sections in
      keys.rank(of: key).map { sections.identity(ordinal: sections.locate(row: $0).ordinal) }
    }
    return .placed(ArrangedRow(key: key, sortKey: keys.sortKey(of: key), section: section))
  }
}
