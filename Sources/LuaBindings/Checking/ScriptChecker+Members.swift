internal import Modeling

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

  /// The fields of a call's last table that are none of its options; nothing of a function whose options are not listed.
  func optionMistakes(of call: ScriptReading.Call) -> Found {
    guard let owner = Self.optionOwners[call.name] else { return [] }
    let entries = engine.catalog.entries
    let names = entries.filter { $0.kind == .option && $0.owner == owner }.map(\.name)
    guard entries.contains(where: { $0.kind == (call.isMethod ? .method : .function) && $0.name == call.name }),
      // A plot may be a specification of Vega-Lite instead.
      let table = call.arguments.last(where: { !$0.fieldRanges.isEmpty }), table.fields["encoding"] == nil
    else { return [] }
    return table.fieldRanges.filter { !names.contains($0.key) }.map { name, range in
      (range, .name, "\(call.name): there is no option '\(name)'\(ErrorReport.hint(nearestName(to: name, in: names)))")
    }
  }
}
