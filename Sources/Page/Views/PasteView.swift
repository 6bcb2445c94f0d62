internal import HTTP
internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Session

/// A form for rows of a text, and what they would do: which are new, which change an object, and what is wrong in which cell.
struct PasteView {
  private let entity: Entity
  private let store: PageStore
  /// The columns of the table that was pasted into, for rows without names.
  private let columns: [String]
  var text = ""
  var problem: String?
  private var pasted: PastedText?
  private(set) var rows: PastedRows?

  init(_ entity: Entity, in store: PageStore, columns: [String]) {
    (self.entity, self.store, self.columns) = (entity, store, columns)
  }

  /// The properties that columns can go to.
  private var properties: [Int] { AddingView(entity, in: store).properties }

  var status: HTTPStatus { rows.map { $0.mistakeCount > 0 } == true ? .unprocessable : .ok }

  // MARK: What was sent

  /// Reads the rows with the choices of a form.
  ///
  /// - Throws: DelimitedError, JSONRowsError, StoreError.
  mutating func read(_ form: SentForm, _ context: ObjectContext) throws {
    let pasted = try PastedText(text) { place(of: $0, 0) != nil }
    self.pasted = pasted
    let places = (0..<pasted.width).map { column -> Int? in
      if let chosen = form["place.\(column)"] { return properties.first { entity.properties[$0].name == chosen } }
      if !pasted.names.isEmpty { return place(of: pasted.names[column], column) }
      let shown = columns.isEmpty ? properties : columns.compactMap { place(of: $0, 0) }
      return shown.indices.contains(column) ? shown[column] : nil
    }
    let twice = places.compactMap(\.self).first { place in places.count { $0 == place } > 1 }
    if let twice { throw PageProblem.failure("two columns go to \(entity.properties[twice].name)") }
    let unique = entity.uniqueAttributeIndex.flatMap { places.contains($0) ? $0 : nil }
    let chosen = form["key"].map { name in places.compactMap(\.self).first { entity.properties[$0].name == name } }
    var choice = PastedRows.Choice(places: places, key: chosen ?? unique)
    (choice.skipsExisting, choice.skipsMistakes) = (form["existing"] == "skip", form["mistakes"] == "skip")
    rows = try store.reading { try PastedRows(pasted, entity, choice, in: context) }
  }

  /// The property that a column's name means.
  private func place(of name: String, _ column: Int) -> Int? {
    let made = Naming.property(header: name, number: column + 1)
    return properties.first { entity.properties[$0].name == name }
      ?? properties.first { entity.properties[$0].name == made }
      ?? properties.first { entity.properties[$0].name.lowercased() == name.lowercased() }
  }

  // MARK: The page

  var frame: PageFrame {
    let path: [(String, PageAddress?)] = [(entity.name, .rows(RowsAddress(entity.name))), ("paste", nil)]
    let head: [HTML] = [
      .tag("h1", [:], "Paste rows into \(entity.name)"),
      problem.map { .tag("p", ["class": "mistake", "role": "alert"], $0) } ?? .nothing,
    ]
    let preview = rows.flatMap { rows in pasted.map { PastePreview(entity, $0, rows, properties, in: store).html } }
    let fields = [HTTPRequest.Field("entity", entity.name)] + columns.map { .init("column", $0) }
    let form = store.form(
      .paste, fields,
      [preview ?? .nothing, source, .tag("div", ["class": "buttons"], [.tag("button", [:], "Preview")])],
      class: "paste", sendsFiles: true)
    return store.frame("Paste into \(entity.name)", path, .group(head + [form]))
  }

  /// The fields for the text and for a file of rows.
  private var source: HTML {
    .group([
      .tag(
        "label", [:],
        [
          .text("Rows as TSV, CSV or JSON"),
          // Browsers leave out a line break at the beginning.
          .tag("textarea", ["name": "text", "rows": rows == nil ? "12" : "4", "spellcheck": "false"], "\n" + text),
        ]),
      .tag("label", [:], [.text("or a file "), .tag("input", ["type": "file", "name": "file"])]),
    ])
  }
}
