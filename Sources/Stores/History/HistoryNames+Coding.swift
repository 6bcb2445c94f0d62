import Modeling

// The names as text in the store's metadata.
extension HistoryNames {
  package static let metadataKey = "history"

  /// The names as text.
  package var encoded: String {
    let entities = entities.map { entry in
      JSON.array([.string(entry.name), .int(Int64(entry.family)), .bool(entry.isRetired)])
    }
    let families = families.map { family in
      JSON.array(family.map { .array([.string($0.entity), .string($0.name), .bool($0.isRetired)]) })
    }
    return JSON.object(["on": .bool(isOn), "entities": .array(entities), "families": .array(families)]).text
  }

  /// Reads what `encoded` wrote; nil for anything else.
  package init?(encoded text: String) {
    guard case .object(let fields)? = try? JSON.parse(text), case .array(let entities)? = fields["entities"],
      case .array(let families)? = fields["families"]
    else { return nil }
    isOn = fields["on"] == .bool(true)
    for case .array(let entry) in entities {
      guard entry.count == 3, case .string(let name) = entry[0], case .int(let family) = entry[1] else { return nil }
      self.entities.append(EntityEntry(name: name, family: Int(family), isRetired: entry[2] == .bool(true)))
    }
    for case .array(let family) in families {
      var properties: [PropertyEntry] = []
      for case .array(let entry) in family {
        guard entry.count == 3, case .string(let entity) = entry[0], case .string(let name) = entry[1] else {
          return nil
        }
        properties.append(PropertyEntry(entity: entity, name: name, isRetired: entry[2] == .bool(true)))
      }
      self.families.append(properties)
    }
    guard self.entities.allSatisfy({ self.families.indices.contains($0.family) }) else { return nil }
  }
}
