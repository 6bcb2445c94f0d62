internal import Modeling
internal import ObjectGraph
internal import Presentation
internal import Queries

/// The line of Lua that asks for the rows of a page.
///
///     Quake:where("magnitude > 5"):sorted("-time")
///     Report:where("quake == %@", Quake:find("us5"))
struct RequestLine {
  let text: String

  init(_ asked: AskedRows, in store: PageStore) {
    func literal(_ text: String) -> String { QuotedString.literal(Array(text.utf8), .utf8) }
    if !asked.address.sections.isEmpty, let line = Self.sectioned(asked, in: store, literal) {
      text = line
      return
    }
    var line = asked.entity.name
    let typed = asked.address.predicate
    switch asked.address.lead {
    case .by(let name, let address)?:
      let isToMany = asked.entity.property(named: name)?.relationship?.isToMany == true
      let condition = (isToMany ? "ANY " : "") + "\(name) == %@"
      let whole = typed.isEmpty ? condition : "\(condition) AND (\(typed))"
      line += ":where(\(literal(whole)), \(Self.object(address, in: store)))"
    case .along(let name, let address)?:
      line = "\(Self.object(address, in: store)).\(name)" + (typed.isEmpty ? "" : ":where(\(literal(typed)))")
    case nil: line += typed.isEmpty ? ":all()" : ":where(\(literal(typed)))"
    }
    let keys = asked.address.sort.map { text -> String in
      let name = text.hasPrefix("-") ? String(text.dropFirst()) : text
      let isCount = asked.entity.property(named: name)?.relationship?.isToMany == true
      return literal(text + (isCount ? ".@count" : ""))
    }
    text = keys.isEmpty ? line : line + ":sorted(\(keys.joined(separator: ", ")))"
  }

  /// `SectionedFetchRequest { entity = Quake, sectionIdentifier = "place" }`; nil for the objects that a relationship of an
  /// object leads to, which are a list without sections at the prompt.
  private static func sectioned(_ asked: AskedRows, in store: PageStore, _ literal: (String) -> String) -> String? {
    var options = ["entity = \(asked.entity.name)"]
    let typed = asked.address.predicate
    switch asked.address.lead {
    case .by(let name, let address)?:
      let isToMany = asked.entity.property(named: name)?.relationship?.isToMany == true
      let condition = (isToMany ? "ANY " : "") + "\(name) == %@" + (typed.isEmpty ? "" : " AND (\(typed))")
      options.append("predicate = Predicate(\(literal(condition)), \(object(address, in: store)))")
    case .along?: return nil
    case nil: if !typed.isEmpty { options.append("predicate = \(literal(typed))") }
    }
    options.append("sectionIdentifier = \(literal(asked.address.sections))")
    let keys = asked.request.sortDescriptors.map { literal(($0.isAscending ? "" : "-") + $0.expression.description) }
    if !keys.isEmpty { options.append("sortDescriptors = { \(keys.joined(separator: ", ")) }") }
    return "SectionedFetchRequest { \(options.joined(separator: ", ")) }"
  }

  /// `Quake:find("us5")`: by the unique attribute where there is one, else by the key.
  static func object(_ address: ObjectAddress, in store: PageStore) -> String {
    var values = address.key.map { Int64($0) != nil ? $0 : QuotedString.literal(Array($0.utf8), .utf8) }
    if let object = try? store.object(address), let index = object.entity.uniqueAttributeIndex,
      let value = try? object.attribute(at: index)
    {
      values = [value.debugText]
    }
    return "\(address.entity):find(\(values.joined(separator: ", ")))"
  }
}
