/// A recorded change.
package struct RecordedChange {
  /// The maximum number of property bits in one integer.
  package static let wordLength = 62

  package var id: Int64
  /// The number of the entity.
  package var number: Int
  /// The property list of the bits, which also distinguishes keys of different tables.
  package var family: Int
  package var key: Int64
  package var kind: HistoryChange.Kind
  /// The bits of the changed properties.
  package var properties: [Int64]

  package init(
    id: Int64, number: Int, family: Int, key: Int64, kind: HistoryChange.Kind, properties: [Int64]
  ) {
    (self.id, self.number, self.family, self.key) = (id, number, family, key)
    (self.kind, self.properties) = (kind, properties)
  }

  /// The words of bits that a text lists, separated by commas.
  package static func words(_ text: some StringProtocol) -> [Int64] {
    text.split(separator: ",").compactMap { Int64($0) }
  }

  /// The numbers of the set bits, ascending.
  package var positions: [Int] {
    properties.enumerated().flatMap { word, bits in
      (0..<RecordedChange.wordLength).filter { bits >> Int64($0) & 1 == 1 }.map {
        word * RecordedChange.wordLength + $0
      }
    }
  }
}

/// Merges the recorded changes of an object within one transaction into one.
package struct ChangeMerger {
  private struct Object: Hashable {
    var family: Int
    var key: Int64
  }

  private var list: [RecordedChange?] = []
  /// The index of an object's last change in the list.
  private var places: [Object: Int] = [:]

  package init() {}

  /// The merged changes, in the order of each object's first change.
  package var changes: [RecordedChange] { list.compactMap { $0 } }

  package mutating func add(_ change: RecordedChange) {
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
