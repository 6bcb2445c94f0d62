internal import Modeling

// The order of entities, and their inherited properties.
extension ModelAssembly {
  /// Brings the entities into the order of stores; parents that are nowhere, and circles of them, are cut.
  mutating func order() throws(AppleModelError) {
    guard entities.count <= Self.entityLimit else { throw AppleModelError(.damaged("it has too many entities")) }
    keepFirstOfEachName()
    cutUnknownParents()
    cutCircles()
    let children = Dictionary(grouping: entities.indices, by: { entities[$0].parent })
    var ordered: [EntityDescription] = []
    func sorted(_ indices: [Int]?) -> [Int] {
      (indices ?? []).sorted { Self.precedes(entities[$0].name, entities[$1].name) }
    }
    var waiting: [(index: Int, depth: Int)] = sorted(children[nil]).reversed().map { ($0, 1) }
    while let (index, depth) = waiting.popLast() {
      guard depth <= Nesting.inheritance else {
        throw AppleModelError(
          .damaged("its entities inherit from one another more than \(Nesting.inheritance) levels deep"))
      }
      ordered.append(entities[index])
      waiting += sorted(children[entities[index].name]).reversed().map { ($0, depth + 1) }
    }
    entities = ordered
  }

  /// Lets one entity of each circle of parents stand alone.
  private mutating func cutCircles() {
    let indices = Dictionary(uniqueKeysWithValues: entities.enumerated().map { ($1.name, $0) })
    var walks = [Int?](repeating: nil, count: entities.count)
    for start in entities.indices {
      var current = start
      while walks[current] == nil {
        walks[current] = start
        guard let parent = entities[current].parent.flatMap({ indices[$0] }) else { break }
        guard walks[parent] != start else {
          note("\(entities[current].name) inherits from itself; it stands alone now")
          entities[current].parent = nil
          break
        }
        current = parent
      }
    }
  }

  /// Whether stores number one of two siblings first.
  static func precedes(_ left: String, _ right: String) -> Bool {
    let (first, second) = (left.lowercased(), right.lowercased())
    return first == second ? left < right : Array(first.utf8).lexicographicallyPrecedes(Array(second.utf8))
  }

  private mutating func keepFirstOfEachName() {
    var names: Set<String> = []
    var kept: [EntityDescription] = []
    for entity in entities {
      guard !entity.name.isEmpty, names.insert(entity.name).inserted else {
        note(entity.name.isEmpty ? "An entity without a name is left out" : "\(entity.name) is declared again")
        continue
      }
      kept.append(entity)
    }
    entities = kept
  }

  private mutating func cutUnknownParents() {
    let names = Set(entities.map(\.name))
    for index in entities.indices {
      guard let parent = entities[index].parent, !names.contains(parent) else { continue }
      note("\(entities[index].name) inherits from \(parent), which is not there")
      entities[index].parent = nil
    }
  }

  /// Removes properties that an ancestor has, because models kept in stores repeat all inherited properties.
  mutating func dropRepeatedProperties() throws(AppleModelError) {
    var inherited: [String: Inheritance] = [:]
    var total = 0
    var repeated: Set<String> = []
    for index in entities.indices {
      var all = entities[index].parent.flatMap { inherited[$0] } ?? Inheritance()
      for property in entities[index].properties where all.properties[property.name] == property.unmarked {
        repeated.insert("\(entities[index].name).\(property.name)")
      }
      let own = entities[index].properties.filter { keep($0.name, all.properties[$0.name], $0, entities[index].name) }
      for property in own { all.properties[property.name] = property.unmarked }
      let fetched = entities[index].fetchedProperties.filter { all.fetched.insert($0.name).inserted }
      entities[index].uniquenessConstraints.removeAll { all.constraints.contains($0) }
      entities[index].indexes.removeAll { all.indexes.contains($0) }
      all.constraints.formUnion(entities[index].uniquenessConstraints)
      all.indexes.formUnion(entities[index].indexes)
      (entities[index].properties, entities[index].fetchedProperties) = (own, fetched)
      inherited[entities[index].name] = all
      total += all.properties.count + all.fetched.count
      guard total <= Self.propertyLimit, all.properties.count <= Self.ownLimit else {
        throw AppleModelError(.damaged("it has too many properties"))
      }
    }
    // The notes on the originals apply to these repetitions.
    notes.removeAll { note in repeated.contains(String(note.prefix { $0 != ":" })) }
  }

  private struct Inheritance {
    /// By name, without what is declared beside them.
    var properties: [String: Property] = [:]
    var fetched: Set<String> = []
    var constraints: Set<[String]> = []
    var indexes: Set<FetchIndex> = []
  }

  private mutating func keep(_ name: String, _ inherited: Property?, _ own: Property, _ entity: String) -> Bool {
    guard let inherited else { return true }
    if inherited != own.unmarked { note("\(entity).\(name) differs from what is inherited, which holds") }
    return false
  }

  /// Attributes first, then relationships, each by name.
  func sort(_ entity: inout EntityDescription) {
    entity.properties.sort { left, right in
      let (isFirst, isSecond) = (left.attribute != nil, right.attribute != nil)
      return isFirst == isSecond ? left.name < right.name : isFirst
    }
    entity.fetchedProperties.sort { $0.name < $1.name }
  }
}

extension Property {
  /// The property without what is declared beside it, and so once only.
  fileprivate var unmarked: Property {
    guard case .attribute(var attribute) = self else { return self }
    (attribute.isUnique, attribute.isIndexed) = (false, false)
    return .attribute(attribute)
  }
}
