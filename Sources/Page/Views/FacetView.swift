internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Presentation
internal import Queries

/// The values of a column with how many of the rows have each; each is a link that adds a condition.
struct FacetView {
  private let asked: AskedRows
  private let name: String
  private let store: PageStore

  /// The most frequent values that are listed.
  private static let most = 30

  init(_ asked: AskedRows, _ name: String, in store: PageStore) {
    (self.asked, self.name, self.store) = (asked, name, store)
  }

  func html() throws -> HTML {
    guard let property = asked.entity.property(named: name), property.relationship?.isToMany != true else {
      throw PageProblem.noRelationship(
        name, entity: asked.entity.name, nearest: nearestName(to: name, in: asked.entity.properties.map(\.name)))
    }
    let context = try store.context()
    let found = try store.reading(seconds: 2) {
      try context.frequentValues(asked.request, of: .path(PropertyPath([name])), most: Self.most)
    }
    let rows = found.values.map { value, count in
      HTML.tag(
        "tr", [:], [.tag("td", [:], [link(value, context)]), .tag("td", ["class": "number"], Quantity.grouped(count))])
    }
    var notes: [String] = []
    if found.isCut { notes.append("the \(Self.most) most frequent; there are more") }
    if found.leavesOutUnsaved { notes.append("without unsaved changes") }
    var rest = asked.address
    rest.facets.removeAll { $0 == name }
    return .tag(
      "section", [:],
      [
        .tag("h2", [:], [.text(name + " "), .tag("a", ["href": rest.text(), "aria-label": "Close \(name)"], "×")]),
        .tag("table", [:], [.tag("tbody", [:], rows)]),
        notes.isEmpty ? .nothing : .tag("p", ["class": "note"], notes.joined(separator: "; ")),
      ])
  }

  /// The value, as a link to the rows that have it where a predicate can say so.
  private func link(_ value: Value, _ context: ObjectContext) -> HTML {
    var cell = Cell(value)
    if case .object(let id) = value {
      let object = context.object(id)
      var next = asked.address.changed { _ in }
      cell = .reference(label: ObjectText.title(of: object))
      guard next.lead == nil else { return .text(CellText(cell, .utf8).text) }
      next.lead = .by(name, store.address(of: object))
      return .link(.rows(next), CellText(cell, .utf8).text)
    }
    let condition = Predicate.comparison(Comparison(.path(PropertyPath([name])), .equal, .constant(value))).description
    // A value that a predicate cannot be written with, such as data, is only counted.
    guard let read = try? Predicate.parse(condition), read.description == condition else {
      return CellView.text(cell, false)
    }
    let typed = asked.address.predicate
    let next = asked.address.changed {
      $0.predicate = typed.isEmpty ? condition : (Self.isPlain(typed) ? typed : "(\(typed))") + " AND " + condition
    }
    return .tag("a", ["href": next.text(), "class": CellView.kind(cell)], [CellView.text(cell, false)])
  }

  /// Whether a condition can stand beside another without parentheses.
  private static func isPlain(_ text: String) -> Bool {
    if case .or? = try? Predicate.parse(text) { false } else { true }
  }
}
