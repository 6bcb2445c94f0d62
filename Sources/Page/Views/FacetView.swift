internal import LiveQueries
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
    guard let property = asked.entity.property(named: name), !property.isTransient,
      property.relationship?.isToMany != true
    else {
      throw PageProblem.noProperty(
        name, entity: asked.entity.name, nearest: nearestName(to: name, in: asked.entity.properties.map(\.name)))
    }
    var rest = asked.address
    rest.facets.removeAll { $0 == name }
    let heading = HTML.tag(
      "h2", [:],
      [
        .text(name + " "), PlotView.link(name, property, asked.address),
        .tag("a", ["href": rest.text(), "aria-label": "Close \(name)"], "×"),
      ])
    do { return try counts(heading) } catch let problem as PageProblem {
      return .tag("section", [:], [heading, .tag("p", ["class": "note"], problem.sentence)])
    }
  }

  private func counts(_ heading: HTML) throws -> HTML {
    let context = try store.context()
    let (list, values) = try store.reading {
      try store.lists.values(of: asked.request.facets(of: .path(PropertyPath([name]))))
    }
    let rows = try store.reading {
      try (0..<min(values.count, Self.most)).map { index -> HTML in
        let row = try values.row(at: index)
        guard case .int(let count) = row[1] else { return .nothing }
        let number = HTML.tag("td", ["class": "number"], Quantity.grouped(Int(clamping: count)))
        return .tag("tr", [:], [.tag("td", [:], [link(row[0], context)]), number])
      }
    }
    let more = values.count - rows.count
    return .tag(
      "section", ["data-list": String(list.number)],
      [
        heading, .tag("table", [:], [.tag("tbody", [:], rows)]),
        more > 0
          ? .tag("p", ["class": "note"], "and \(Quantity.grouped(more)) more, which are less frequent") : .nothing,
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
