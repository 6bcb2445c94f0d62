internal import Modeling

/// The differences of two stores in a list, for a screen: 24 bytes for each, whose values are read when they are asked for.
///
///     let list = try DifferenceList(comparison)
///     list.count                                      // 3
///     try list.differences(at: [0, 2])[2]?.kind       // .updated
package final class DifferenceList {
  /// A difference without its values.
  package struct Entry {
    package let kind: ObjectDifference.Kind
    /// The index of the entity in the comparison.
    private let place: Int32
    private let firstKey: Int64
    private let secondKey: Int64
    private static let none = Int64.min

    init(_ difference: ObjectDifference, _ entity: Int) {
      (kind, place) = (difference.kind, Int32(entity))
      firstKey = difference.first?.key ?? Self.none
      secondKey = difference.second?.key ?? Self.none
    }

    package var entity: Int { Int(place) }
    var first: Int64? { firstKey == Self.none ? nil : firstKey }
    var second: Int64? { secondKey == Self.none ? nil : secondKey }

    /// Whether a difference that was read again is of the same objects.
    func isOf(_ difference: ObjectDifference) -> Bool {
      difference.first?.key == first && difference.second?.key == second
    }
  }

  package let comparison: StoreComparison
  /// The differences by entity, and in the order of the identity.
  package let entries: [Entry]
  /// The names of the properties in which objects differ besides their identity: those with old and new values come first.
  package let properties: [String]

  /// Reads both stores once.
  ///
  /// - Throws: StoreError, PredicateError, ComparisonError, EvaluationInterrupted.
  package init(_ comparison: StoreComparison) throws {
    self.comparison = comparison
    var entries: [Entry] = []
    var names = Set<PropertyName>()
    let places = Dictionary(
      comparison.entities.enumerated().map { ($1.first.name, $0) }, uniquingKeysWith: { first, _ in first })
    try comparison.visit { difference in
      guard let place = places[difference.entity] else { return true }
      entries.append(Entry(difference, place))
      for property in difference.properties {
        names.insert(PropertyName(entity: place, name: property.name, isUpdated: difference.kind == .updated))
      }
      return true
    }
    self.entries = entries
    var seen: Set<String> = []
    properties = [true, false].flatMap { isUpdated in
      comparison.entities.enumerated().flatMap { place, entity in
        entity.propertyNames.filter { name in
          names.contains(PropertyName(entity: place, name: name, isUpdated: isUpdated))
            && !entity.rule.names.contains(name) && seen.insert(name).inserted
        }
      }
    }
  }

  /// A property with a difference, and whether both stores have an object with it.
  private struct PropertyName: Hashable {
    let entity: Int
    let name: String
    let isUpdated: Bool
  }

  package var count: Int { entries.count }

  /// Reads differences again, by their indices; those of objects that have changed since may be missing. `isWhole` adds the values
  /// of updated objects that are equal.
  ///
  /// - Throws: StoreError, ComparisonError, EvaluationInterrupted.
  package func differences(at indices: [Int], isWhole: Bool = false) throws -> [Int: ObjectDifference] {
    var found: [Int: ObjectDifference] = [:]
    for (place, indices) in Dictionary(grouping: indices, by: { entries[$0].entity }) {
      let entity = comparison.entities[place]
      let (compared, others) = (indices.filter(isCompared).sorted(), indices.filter { !isCompared($0) })
      let cursor = comparison.cursor(
        entity, keys: (compared.compactMap { entries[$0].first }, compared.compactMap { entries[$0].second }))
      cursor.includesEqualValues = isWhole
      var rest = compared[...]
      while let difference = try cursor.next() {
        // An object that is equal by now, or gone, is passed over.
        guard let index = rest.firstIndex(where: { entries[$0].isOf(difference) }) else { continue }
        found[rest[index]] = difference
        rest = rest[(index + 1)...]
      }
      // An object that was not compared depends on the one before it.
      for index in others {
        let entry = entries[index]
        let cursor = comparison.cursor(
          entity, keys: ([entry.first].compactMap(\.self), [entry.second].compactMap(\.self)))
        guard var difference = try cursor.next() else { continue }
        (difference.kind, difference.properties) = (entry.kind, [])
        found[index] = difference
      }
    }
    return found
  }

  private func isCompared(_ index: Int) -> Bool {
    switch entries[index].kind {
    case .inserted, .deleted, .updated: true
    case .duplicated, .unidentified: false
    }
  }
}
