internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Session

/// What pasted rows would do, before it is done: their number by effect, the choices, and the first of them by cell.
struct PastePreview {
  private let entity: Entity
  private let pasted: PastedText
  private let rows: PastedRows
  private let properties: [Int]
  private let store: PageStore

  /// The rows that are shown, beside those with mistakes.
  private static let most = 50

  init(_ entity: Entity, _ pasted: PastedText, _ rows: PastedRows, _ properties: [Int], in store: PageStore) {
    (self.entity, self.pasted, self.rows, self.properties, self.store) = (entity, pasted, rows, properties, store)
  }

  var html: HTML {
    .group([
      .tag("p", ["role": "status"], [.tag("strong", [:], summary)]), choices,
      .tag("div", ["class": "table"], [.tag("table", ["class": "pasted"], [head, body])]),
      hiddenCount > 0
        ? .tag("p", ["class": "note"], "and \(Quantity.grouped(hiddenCount)) more rows") : .nothing,
      rows.canApply
        ? .tag("div", ["class": "buttons"], [.tag("button", ["name": "apply", "value": "1"], "Make these changes")])
        : .nothing,
    ])
  }

  /// `3 new, 2 updates, 1 unchanged, 1 row with a mistake`
  private var summary: String {
    var parts: [String] = []
    for (effect, word) in [(PastedRows.Effect.new, "new"), (.update, "to update"), (.unchanged, "unchanged")] {
      let count = rows.count(of: effect)
      if count > 0 { parts.append("\(Quantity.grouped(count)) \(word)") }
    }
    let skipped = rows.count(of: .skipped)
    if skipped > 0 { parts.append("\(Quantity.grouped(skipped)) left out") }
    if rows.mistakeCount > 0 { parts.append("\(Quantity.grouped(rows.mistakeCount)) with mistakes") }
    return parts.isEmpty ? "no rows" : parts.joined(separator: ", ")
  }

  private var choices: HTML {
    let names = rows.choice.places.compactMap(\.self).filter { entity.properties[$0].attribute != nil }
      .map { entity.properties[$0].name }
    let key = rows.choice.key.map { entity.properties[$0].name } ?? ""
    return .tag(
      "div", ["class": "choices"],
      [
        select("key", "rows are objects with the same", [("", "– all rows are new –")] + names.map { ($0, $0) }, key),
        select(
          "existing", "objects that exist", [("update", "are updated"), ("skip", "are left out")],
          rows.choice.skipsExisting ? "skip" : "update"),
        select(
          "mistakes", "rows with mistakes", [("refuse", "keep all rows back"), ("skip", "are left out")],
          rows.choice.skipsMistakes ? "skip" : "refuse"),
      ])
  }

  private func select(_ name: String, _ label: String, _ options: [(String, String)], _ chosen: String) -> HTML {
    let options = options.map { value, text in
      HTML.tag("option", ["value": value, "selected": value == chosen ? "" : nil], text)
    }
    return .tag("label", [:], [.text(label + " "), .tag("select", ["name": name], options)])
  }

  // MARK: The rows

  private var head: HTML {
    let options = [("", "– left out –")] + properties.map { (entity.properties[$0].name, entity.properties[$0].name) }
    let cells = rows.choice.places.enumerated().map { column, place -> HTML in
      let name = pasted.names.isEmpty ? "column \(column + 1)" : pasted.names[column]
      let chosen = place.map { entity.properties[$0].name } ?? ""
      return .tag("th", ["scope": "col"], [select("place.\(column)", name, options, chosen)])
    }
    return .tag(
      "thead", [:],
      [.tag("tr", [:], [.tag("th", ["class": "place"], ""), .tag("th", ["scope": "col"], "row")] + cells)])
  }

  private var shown: [PastedRows.Row] {
    Array(rows.rows.prefix(Self.most)) + rows.rows.dropFirst(Self.most).filter(\.hasMistake).prefix(Self.most)
  }

  private var hiddenCount: Int { rows.rows.count - shown.count }

  private var body: HTML {
    let words: [PastedRows.Effect: String] = [
      .new: "new", .update: "update", .unchanged: "unchanged", .skipped: "left out",
    ]
    let lines = shown.map { row -> HTML in
      let word = row.hasMistake ? "mistake" : words[row.effect] ?? ""
      let cells = rows.choice.places.map { place -> HTML in
        place.flatMap { place in row.cells.first { $0.property == place } }.map(cell) ?? .tag("td", ["class": "nil"])
      }
      return .tag(
        "tr", ["class": row.hasMistake ? "wrong" : nil],
        [.tag("td", ["class": "place"], String(row.number)), .tag("td", [:], [effect(row, word)])] + cells)
    }
    return .tag("tbody", [:], lines)
  }

  private func effect(_ row: PastedRows.Row, _ word: String) -> HTML {
    row.object.map { .link(.object(store.address(of: $0)), word) } ?? .text(word)
  }

  private func cell(_ cell: PastedRows.Cell) -> HTML {
    let text = cell.text.isEmpty ? "nil" : cell.text
    guard let mistake = cell.mistake else {
      guard let former = cell.former else { return .tag("td", ["class": cell.text.isEmpty ? "nil" : nil], text) }
      return .tag("td", [:], [.tag("del", [:], self.text(of: former)), .text(" "), .tag("ins", [:], text)])
    }
    return .tag(
      "td", ["class": "mistake"], [.text(text), .tag("p", ["role": "alert"], store.sentence(of: mistake))])
  }

  private func text(of value: Value) -> String {
    guard case .object(let id) = value, let context = try? store.context() else {
      return value.isNull ? "nil" : value.displayText
    }
    return ObjectText.title(of: context.object(id))
  }
}
