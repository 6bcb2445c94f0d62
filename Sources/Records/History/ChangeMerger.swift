/// A recorded change.
struct RecordedChange {
  var id: Int64
  /// The number of the entity.
  var number: Int
  /// The property list of the bits, which also distinguishes keys of different tables.
  var family: Int
  var key: Int64
  var kind: HistoryChange.Kind
  /// The bits of the changed properties.
  var properties: [Int64]

  /// The numbers of the set bits, ascending.
  var positions: [Int] {
    properties.enumerated().flatMap { word, bits in
      (0..<HistoryTriggers.wordLength).filter { bits >> Int64($0) & 1 == 1 }.map {
        word * HistoryTriggers.wordLength + $0
      }
    }
  }
}

/// Merges the recorded changes of an object within one transaction into one.
struct ChangeMerger {
  private struct Object: Hashable {
    var family: Int
    var key: Int64
  }

  private var list: [RecordedChange?] = []
  /// The index of an object's last change in the list.
  private var places: [Object: Int] = [:]

  /// The merged changes, in the order of each object's first change.
  var changes: [RecordedChange] { list.compactMap { $0 } }

  mutating func add(_ change: RecordedChange) {
    let object = Object(family: change.family, key: change.key)
    guard let place = places[object], let known = list[place] else {
      places[object] = list.count
      list.append(change)
      return
    }
    switch (known.kind, change.kind) {
    case (.insert, .delete):
      list[place] = nil
      places[object] = nil
    case (.delete, _):
      // The row of a deleted object was inserted again.
      places[object] = list.count
      list.append(change)
    case (.insert, _): break
    case (.update, .update): list[place]?.properties = Self.union(known.properties, change.properties)
    case (.update, _): list[place] = change
    }
  }

  private static func union(_ left: [Int64], _ right: [Int64]) -> [Int64] {
    (0..<max(left.count, right.count)).map { index in
      (index < left.count ? left[index] : 0) | (index < right.count ? right[index] : 0)
    }
  }
}
