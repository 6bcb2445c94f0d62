internal import Modeling
internal import ObjectGraph
internal import Presentation
internal import Queries

/// The entities of a store, with how many objects each has.
struct EntitiesView {
  private let store: PageStore

  init(_ store: PageStore) { self.store = store }

  private struct Line {
    var entity: Entity
    /// Nil where counting failed.
    var count: Int?
  }

  private func lines() throws -> [Line] {
    let context = try store.context()
    return try store.reading {
      context.store.model.entities.map { Line(entity: $0, count: store.counts.count(of: $0, in: context)) }
    }
  }

  func html() throws -> HTML {
    let rows = try lines().map { line -> HTML in
      let entity = line.entity
      let facts = [entity.parent.map { "a \($0.name)" }, entity.isReadOnly ? "read-only" : nil].compactMap(\.self)
      return .tag(
        "tr", ["data-key": entity.name],
        [
          .tag("th", ["scope": "row"], [.link(.rows(RowsAddress(entity.name)), entity.name)]),
          .tag("td", ["class": "number"], line.count.map { Quantity.grouped($0) } ?? "?"),
          .tag("td", ["class": "names"], entity.properties.map(\.name).joined(separator: ", ")),
          .tag("td", ["class": "state"], facts.joined(separator: ", ")),
        ])
    }
    let head = ["entity", "objects", "properties", ""].enumerated().map { place, text in
      HTML.tag("th", ["scope": "col", "class": [1: "number", 2: "names"][place]], text)
    }
    let table = HTML.tag(
      "table", ["class": "entities"], [.tag("thead", [:], [.tag("tr", [:], head)]), .tag("tbody", [:], rows)])
    return .tag("div", ["data-reload": EntityCounts.name], [notebook, .tag("div", ["class": "table"], [table])])
  }

  /// Links to the pages of the notebook.
  private var notebook: HTML {
    guard let names = store.notebook?.names else { return .nothing }
    let links = names.map { HTML.tag("li", [:], [.link(.notebook($0), String($0.dropLast(4)))]) }
    let none = HTML.tag("p", ["class": "note"], "The folder of the notebook has no .lua files yet.")
    return .tag(
      "nav", ["class": "notebook", "aria-label": "Notebook"], links.isEmpty ? [none] : [.tag("ul", [:], links)])
  }

  /// The model as a picture, which is read when it is opened.
  static let diagram = HTML.tag(
    "details", ["class": "diagram"],
    [
      .tag("summary", [:], "the model as a diagram"),
      .tag(
        "img",
        ["src": "/.svg", "loading": "lazy", "alt": "The entities with their properties, and lines for relationships"]),
    ])

  func json() throws -> String {
    let entities = try lines().map { line in
      JSON.object([
        "name": .string(line.entity.name), "count": line.count.map { .int(Int64($0)) } ?? .null,
        "properties": .array(line.entity.properties.map { .string($0.name) }),
        "address": .string(RowsAddress(line.entity.name).text(.json)),
      ])
    }
    return JSON.object(["ok": .bool(true), "entities": .array(entities)]).outputText + "\n"
  }
}
