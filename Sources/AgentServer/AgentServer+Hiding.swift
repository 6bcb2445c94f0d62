internal import Modeling
internal import Queries

// The properties that agents do not see.
extension AgentServer {
  /// Reads `ENTITY.PROPERTY` texts.
  static func hidden(_ texts: [String], writes: Bool) throws(ServerFailure) -> [HiddenProperty] {
    if writes, !texts.isEmpty {
      throw ServerFailure(
        message:
          "--hide and --write exclude each other: what an agent writes would be saved without what it does not see")
    }
    var hidden: [HiddenProperty] = []
    for text in texts {
      guard let property = HiddenProperty(text) else {
        throw ServerFailure(message: "--hide: expected ENTITY.PROPERTY or *.PROPERTY, got '\(text)'")
      }
      hidden.append(property)
    }
    return hidden
  }

  /// Refuses what hides nothing, and what cannot be hidden.
  func check(_ hidden: [HiddenProperty]) throws(ServerFailure) {
    guard !hidden.isEmpty else { return }
    var found: Set<HiddenProperty> = []
    var names: Set<String> = []
    for store in stores {
      do throws(ToolFailure) {
        guard let (model, identifies) = try store.wholeModel() else { continue }
        for entity in model.entities {
          for (index, property) in entity.properties.enumerated() {
            names.insert("\(entity.name).\(property.name)")
            guard let rule = hidden.first(where: { $0.covers(property.name, of: entity) }) else { continue }
            found.insert(rule)
            let place = "--hide: \(entity.name).\(property.name)"
            if property.attribute == nil { throw ToolFailure("\(place) is a relationship; attributes can be hidden") }
            if identifies(entity, index) { throw ToolFailure("\(place) identifies the rows, which needs it") }
          }
        }
      } catch { throw ServerFailure(message: error.text) }
    }
    guard let missing = hidden.first(where: { !found.contains($0) }) else { return }
    let text = "\(missing.entity).\(missing.property)"
    let hint = nearestName(to: text, in: names.sorted()).map { "; did you mean '\($0)'?" } ?? ""
    throw ServerFailure(message: "--hide: no store has \(text)\(hint)")
  }
}
