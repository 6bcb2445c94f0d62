internal import Modeling
internal import Queries

// The members of objects, and the options of functions.
extension ScriptChecker {
  /// The functions whose options are all in the catalog, with the owner of these there.
  private static let optionOwners = [
    "FetchRequest": "FetchRequest", "SectionedFetchRequest": "FetchRequest", "with": "FetchRequest", "plot": "plot",
    "open": "open", "import": "import", "batchInsert": "batchInsert", "history": "history", "onChange": "onChange",
    "runLoop": "runLoop", "withTransaction": "withTransaction",
  ]

  /// Whether objects of an entity can have a member: one of a subentity, or one that a script adds, among them.
  func isMember(_ name: String, of entity: Entity) -> Bool {
    definedFields.contains(name) || objectMembers.contains(name)
      || entity.family.contains { isProperty(name, of: $0) }
  }

  private func isProperty(_ name: String, of entity: Entity) -> Bool {
    entity.index(of: name) != nil || entity.fetchedProperties.contains { $0.name == name }
  }

  func memberNames(of entity: Entity) -> [String] {
    entity.properties.map(\.name) + entity.fetchedProperties.map(\.name) + objectMembers.sorted()
  }

  /// The methods that are called of entities, requests, results, the store and its context, and that these do not have.
  func methodMistakes(_ reading: ScriptReading) -> [Found] {
    reading.methodUses.compactMap { use in
      // A script may give a name of the engine to something else, and methods to an entity.
      guard !definitions.contains(use.owner), !definedFields.contains(use.name) else { return nil }
      let names = use.kinds.flatMap { engine.catalog.members(of: $0) }.filter { $0.kind != .option }.map(\.name)
      guard !names.isEmpty, !names.contains(use.name) else { return nil }
      return Found(
        use.range, unknown: use.name, "\(use.owner) has no '\(use.name)'", nearestName(to: use.name, in: names))
    }
  }

  /// The key paths of a plot's channels that the entity does not have.
  func plotMistakes(of call: ScriptReading.Call, _ bytes: [UInt8]) -> [Found] {
    let plotted = call.isMethod ? call.entity : call.arguments.first.flatMap { Self.entity(of: $0.meaning) }
    let options = call.isMethod ? call.arguments.first : call.arguments.dropFirst().first
    guard let entity = plotted, let options else { return [] }
    if options.literal != nil { return plotText(options, entity, bytes) }
    if options.fields["encoding"] != nil { return [] }
    return ["x", "y", "color", "facet"].compactMap { options.fields[$0] }.flatMap { value in
      keyPath(value, entity, bytes) { text, entity in
        let (operand, aggregate) = PlotReading.split(text)
        guard let operand, aggregate != nil, let place = text.firstRange(of: operand) else {
          if operand != nil { _ = try Expression.parse(text).check(in: entity, for: .fetch) }
          return
        }
        // As far into the text as it stands there, for the place of a mistake.
        let space = String(repeating: " ", count: text.utf8.distance(from: text.startIndex, to: place.lowerBound))
        _ = try Expression.parse(space + operand).check(in: entity, for: .fetch)
      }
    }
  }

  private static func entity(of meaning: ScriptReading.Meaning) -> Entity? {
    switch meaning {
    case .entity(let entity), .request(let entity): entity
    default: nil
    }
  }

  /// A text in place of a plot's options is a specification of Vega-Lite; people write a key path there.
  private func plotText(_ value: ScriptReading.Value, _ entity: Entity, _ bytes: [UInt8]) -> [Found] {
    guard let literal = value.literal, let text = LiteralText(literal, in: bytes), !text.text.contains("{") else {
      return []
    }
    let mistakes = keyPath(value, entity, bytes) { _ = try Expression.parse($0).check(in: $1, for: .fetch) }
    guard mistakes.isEmpty else { return mistakes }
    let sentence = "plot: expected a table of options: { x = \"\(text.text)\" }"
    return [Found(text.range(of: nil), .keyPath, sentence)]
  }

  /// The fields of a call's last table that are none of its options; nothing of a function whose options are not listed.
  func optionMistakes(of call: ScriptReading.Call) -> [Found] {
    guard let owner = Self.optionOwners[call.name] else { return [] }
    let entries = engine.catalog.entries
    let names = entries.filter { $0.kind == .option && $0.owner == owner }.map(\.name)
    guard entries.contains(where: { $0.kind == (call.isMethod ? .method : .function) && $0.name == call.name }),
      // A plot may be a specification of Vega-Lite instead.
      let table = call.arguments.last(where: { !$0.fieldRanges.isEmpty }), table.fields["encoding"] == nil
    else { return [] }
    return table.fieldRanges.filter { !names.contains($0.key) }.map { name, range in
      Found(range, unknown: name, "\(call.name): there is no option '\(name)'", nearestName(to: name, in: names))
    }
  }
}
