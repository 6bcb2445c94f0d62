internal import LuaBindings
internal import Modeling
internal import Presentation

// Completions for the fields of a table that a call takes: its options, or the properties of an object.
extension LuaCompleter {
  /// Completions where a field of an open table can begin.
  func fields(_ tokens: ArraySlice<LuaToken>, _ bytes: [UInt8]) -> [Completions.Candidate] {
    guard let last = tokens.last?.text(in: bytes), last == "{" || last == ",",
      let place = CallPlace(before: tokens, in: bytes), place.table != nil, place.option == nil
    else { return [] }
    return fields(of: place).map { Completions.Candidate($0.text + " = ", $0.remark) }
  }

  private func fields(of place: CallPlace) -> [Completions.Candidate] {
    if let entity = madeEntity(place) { return assignable(entity) }
    if place.isOfResult { return options(of: "Relationship") }
    let entry = entry(of: place)
    switch entry.flatMap({ SignatureParameters($0.signature)[place.argument] }) {
    case .fields("value"): return receiverEntity(place).map(assignable) ?? []
    case .named("changes"): return receiverEntity(place).map(assignable) ?? []
    case .fields: return []
    case .options(let names):
      let described = options(of: place.function)
      return described
        + names.filter { name in !described.contains { $0.text == name } }.map { Completions.Candidate($0) }
    case .named, nil: return options(of: place.function)
    }
  }

  /// The options that the catalog describes for the called function.
  private func options(of function: String) -> [Completions.Candidate] {
    engine.catalog.members(of: optionOwner(function)).filter { $0.kind == .option }.map {
      Completions.Candidate($0.name, $0.summary)
    }
  }

  /// The name under which the catalog has the options of a function.
  func optionOwner(_ function: String) -> String {
    switch function {
    case "SectionedFetchRequest", "with": "FetchRequest"
    case "configure": "Query"
    case "ToOne", "ToMany": "Relationship"
    case _ where Catalog.attributeTypeNames.contains(function): "Attribute"
    default: function
    }
  }

  /// The entity that the call makes an object of: `Quake { code = "x" }`.
  private func madeEntity(_ place: CallPlace) -> Entity? {
    guard place.receiver == nil, !place.isOfResult else { return nil }
    if case .entity(let entity)? = finder.thing(LuaExpression(root: place.function)) {
      return entity
    }
    return nil
  }

  private func assignable(_ entity: Entity) -> [Completions.Candidate] {
    PredicateCompleter.candidates(entity, where: \.isWritable)
  }
}
