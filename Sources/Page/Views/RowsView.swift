internal import HTTP
internal import LiveQueries
internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Presentation
internal import Queries
internal import Session

/// A window of the rows of a request: the predicate, the facets, the table, and where the window stands.
struct RowsView {
  private(set) var asked: AskedRows
  let list: LiveLists.List
  let results: FetchedResults
  let store: PageStore
  /// The lines of rows in sections; nil for rows alone, which are a line each.
  let lines: SectionLines?
  /// How many lines the window has.
  let size: Int

  /// The rows of a page that does not scroll.
  static let pageSize = 50
  /// The rows that are sent at once.
  static let mostRows = 1000

  /// A row that is to stand at a place of the window, wherever it is now among all.
  struct Anchor {
    /// The object ID as rows carry it: `Quake/12`.
    var id: String
    var offset: Int
  }

  init(_ asked: AskedRows, in store: PageStore, size: Int = pageSize, anchor: Anchor? = nil) throws {
    (self.asked, self.store) = (asked, store)
    self.size = min(max(size, 1), Self.mostRows)
    (list, results) = try store.reading { try store.lists.objects(of: asked.request) }
    lines = asked.request.sectionIdentifier == nil ? nil : SectionLines(results, asked.address.folding)
    guard let anchor, let key = Int64(anchor.id.split(separator: "/").last ?? "") else { return }
    let object = results.live.context.object(ObjectID(entity: asked.entity, key: key))
    if let line = lines?.line(of: object) ?? results.index(of: object) {
      self.asked.address.first = max(line - anchor.offset, 0) + 1
    }
  }

  var address: RowsAddress { asked.address }
  var count: Int { results.count }
  var lineCount: Int { lines?.count ?? count }

  /// The places of the lines that are shown, within those that there are.
  var window: Range<Int> {
    // A short rest is filled up with the lines before it.
    let start = max(min(address.first - 1, lineCount - size), 0)
    return start..<min(start + size, lineCount)
  }

  var windowLines: [SectionLines.Line] { lines?.lines(in: window) ?? window.map(SectionLines.Line.row) }

  // MARK: The page

  func html() throws -> HTML {
    .group([
      PredicateForm(asked).html, InspectionView(asked, in: store).html, summary, PlotView(asked, in: store).html,
      .tag("div", ["class": "beside"], [try facets(), .tag("div", ["class": "rows"], [try scroller(), pager])]),
    ])
  }

  private var summary: HTML {
    let name = Quantity.grouped(count) + " " + address.entity
    var parts: [HTML] = [.tag("strong", ["id": "count"], name)]
    if let lead = leadText { parts.append(.text(" " + lead)) }
    if !address.predicate.isEmpty || address.lead != nil {
      parts.append(.text(" "))
      parts.append(.link(.rows(RowsAddress(address.entity)), "all \(address.entity)"))
    }
    if store.canChange(asked.entity), !asked.entity.isAbstract {
      parts += [
        .link(.adding(address.entity), "Add…"), .link(.pasting(address), "Paste…"),
        .link(.settingAll(address), "Set all…"),
      ]
    }
    if lines != nil {
      var next = address.changed { $0.folding.toggleAll() }
      parts.append(.link(.rows(next), address.folding.areFolded ? "open all sections" : "fold all sections"))
      (next.sections, next.folding) = ("", SectionFolding())
      parts.append(.link(.rows(next), "no sections"))
    }
    return .tag("div", ["class": "summary"], parts + [columnChoice])
  }

  private var leadText: String? {
    switch address.lead {
    case .by(let name, let object)?: "whose \(name) is \(object.entity) \(object.key.joined(separator: ", "))"
    case .along(let name, let object)?: "in \(name) of \(object.entity) \(object.key.joined(separator: ", "))"
    case nil: nil
    }
  }

  private func scroller() throws -> HTML {
    let table = HTML.tag(
      "table", ["class": "objects", "aria-rowcount": String(lineCount + 1)],
      [.tag("thead", [:], [.tag("tr", [:], [.tag("th", ["class": "place"], "")] + heads)]), try rows()])
    return .tag(
      "div",
      [
        "class": "table", "id": "rows", "tabindex": "0", "role": "region", "aria-label": "Rows of \(address.entity)",
        "data-list": String(list.number), "data-address": address.changed { _ in }.text(),
        "data-edits": store.canChange(asked.entity) ? "" : nil,
      ], [table])
  }

  /// The body of the table, with where it stands.
  func rows() throws -> HTML {
    let view = CellView(asked.columns, in: store)
    // The page of an object says why it is here.
    let reason = address.predicate.isEmpty ? "" : "&" + URLText.query([.init("where", address.predicate)])
    let (window, windowLines) = (window, windowLines)
    let rows = try store.reading {
      try zip(window, windowLines).map { place, line -> HTML in
        guard case .row(let index) = line else { return heading(line, at: place) }
        let object = results[index]
        return .tag(
          "tr",
          [
            "data-key": object.objectID.description, "aria-rowindex": String(place + 2),
            "class": object.hasChanges ? "unsaved" : nil,
          ],
          [
            .tag(
              "td", ["class": "place"],
              [.tag("a", ["href": store.address(of: object).text() + reason], String(index + 1))])
          ] + (try view.row(object)))
      }
    }
    return .tag(
      "tbody",
      [
        "data-first": String(window.lowerBound), "data-count": String(lineCount), "data-total": String(count),
        "data-list": String(list.number),
      ], rows)
  }

  /// The heading of a section, which folds and opens it.
  private func heading(_ line: SectionLines.Line, at place: Int) -> HTML {
    guard case .heading(let section, let isFolded) = line else { return .nothing }
    let (name, title) = (SectionFolding.name(of: section.id), section.id.isNull ? "nil" : section.id.displayText)
    var next = address
    next.first = window.lowerBound + 1
    if let name { next.folding.toggle(name) }
    let sign = isFolded ? "▸" : "▾"
    return .tag(
      "tr", ["class": "section", "data-key": "section " + (name ?? title), "aria-rowindex": String(place + 2)],
      [
        .tag(
          "td", ["class": "place"],
          [
            name == nil
              ? .text(sign)
              : .tag("a", ["href": next.text(), "aria-label": (isFolded ? "Open " : "Fold ") + title], sign)
          ]),
        .tag(
          "td", ["colspan": String(asked.columns.columns.count)],
          [.tag("strong", [:], title), .text(" · " + Quantity.grouped(section.count))]),
      ])
  }

  // MARK: Beside the rows

  func facets() throws -> HTML {
    var views = try address.facets.map { try FacetView(asked, $0, in: store).html() }
    if let since = address.since {
      views.append(
        .tag("div", ["data-list": String(list.number)], [try SinceView(since, of: asked.entity, in: store).html()]))
    }
    return .tag("aside", ["id": "facets", "aria-label": "Values of columns"], views)
  }

  // MARK: The window

  /// Links to other windows, for browsers that do not scroll by script.
  private var pager: HTML {
    let count = lineCount
    guard count > size else { return .tag("nav", ["class": "pager"]) }
    func link(_ text: String, _ first: Int, _ isThere: Bool) -> HTML {
      var next = address
      next.first = max(first, 1)
      return isThere ? .link(.rows(next), text) : .tag("span", ["class": "off"], text)
    }
    let (start, end) = (window.lowerBound, window.upperBound)
    let place = "\(Quantity.grouped(start + 1))–\(Quantity.grouped(end)) of \(Quantity.grouped(count))"
    return .tag(
      "nav", ["class": "pager", "aria-label": "Windows"],
      [
        link("« first", 1, start > 0), link("‹ previous", start + 1 - size, start > 0),
        .tag("span", ["id": "place"], place),
        link("next ›", end + 1, end < count), link("last »", count - size + 1, end < count), goForm,
      ])
  }

  /// A field for the number of a row.
  private var goForm: HTML {
    let hidden = address.fields.filter { $0.name != "row" }.map { field in
      HTML.hidden(field.name, field.value)
    }
    let input = HTML.tag(
      "input",
      [
        "type": "number", "name": "row", "min": "1", "max": String(lineCount), "aria-label": "Number of a row",
        "placeholder": "row",
      ])
    return .tag("form", ["action": "/" + URLText.encoded(address.entity), "class": "go"], hidden + [input])
  }
}

extension HTML {
  /// A field of a form that is sent and not shown.
  static func hidden(_ name: String, _ value: String) -> HTML {
    .tag("input", ["type": "hidden", "name": name, "value": value])
  }
}

extension String {
  /// The text without the line breaks at its end.
  var trimmingNewlines: String {
    var text = self
    while text.last?.isNewline == true { text.removeLast() }
    return text
  }
}
