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
  private let list: LiveLists.List
  private let results: FetchedResults
  private let store: PageStore
  /// How many rows the window has.
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
    guard let anchor, let key = Int64(anchor.id.split(separator: "/").last ?? "") else { return }
    let object = results.live.context.object(ObjectID(entity: asked.entity, key: key))
    if let index = results.index(of: object) { self.asked.address.first = max(index - anchor.offset, 0) + 1 }
  }

  private var address: RowsAddress { asked.address }
  private var count: Int { results.count }

  /// The places of the rows that are shown, within those that there are.
  var window: Range<Int> {
    // A short rest is filled up with the rows before it.
    let start = max(min(address.first - 1, count - size), 0)
    return start..<min(start + size, count)
  }

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
      parts += [.text(" "), .link(.adding(address.entity), "Add…")]
    }
    return .tag("p", ["class": "summary"], parts)
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
      "table", ["class": "objects", "aria-rowcount": String(count + 1)],
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
    let lines = try store.reading {
      try window.map { index -> HTML in
        let object = results[index]
        let address = store.address(of: object)
        return .tag(
          "tr",
          [
            "data-key": object.objectID.description, "aria-rowindex": String(index + 2),
            "class": object.hasChanges ? "unsaved" : nil,
          ],
          [.tag("td", ["class": "place"], [.tag("a", ["href": address.text() + reason], String(index + 1))])]
            + (try view.row(object)))
      }
    }
    return .tag(
      "tbody",
      ["data-first": String(window.lowerBound), "data-count": String(count), "data-list": String(list.number)], lines)
  }

  // MARK: Columns

  private var heads: [HTML] {
    asked.columns.columns.enumerated().map { place, column in
      let direction =
        address.sort.first == column.name
        ? "ascending"
        : address.sort.first == "-" + column.name
          ? "descending" : nil
      let mark = direction == "ascending" ? " ▲" : direction == "descending" ? " ▼" : ""
      let canSort = !asked.columns.isFunction(at: place) && column.role != .toOne
      let title: HTML = canSort ? .link(.rows(sorted(by: column.name)), column.name + mark) : .text(column.name)
      let index = asked.columns.property(at: place)
      let canCount = column.role != .toMany && index.map { Self.hasFacet(asked.entity.properties[$0]) } ?? false
      let facet: HTML =
        canCount
        ? .tag(
          "a", ["href": facetAddress(column.name).text(), "class": "facet", "title": "The values of \(column.name)"],
          "≡")
        : .nothing
      return .tag(
        "th",
        [
          "scope": "col", "aria-sort": direction, "data-column": column.name,
          "class": column.alignment == .trailing ? "number" : nil,
        ], [title, facet])
    }
  }

  /// Whether counting the values of a property tells anything.
  private static func hasFacet(_ property: Property) -> Bool {
    !property.isTransient && property.attribute?.isUnique != true
  }

  /// Sorted by a column; the second time the other way, the third as it was before.
  private func sorted(by name: String) -> RowsAddress {
    address.changed { next in
      let rest = address.sort.filter { $0 != name && $0 != "-" + name }
      switch address.sort.first {
      case name: next.sort = ["-" + name] + rest
      case "-" + name: next.sort = rest
      default: next.sort = [name] + rest
      }
    }
  }

  private func facetAddress(_ name: String) -> RowsAddress {
    var next = address
    if next.facets.contains(name) { next.facets.removeAll { $0 == name } } else { next.facets.append(name) }
    return next
  }

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
        "type": "number", "name": "row", "min": "1", "max": String(count), "aria-label": "Number of a row",
        "placeholder": "row",
      ])
    return .tag("form", ["action": "/" + URLText.encoded(address.entity), "class": "go"], hidden + [input])
  }

  // MARK: As data

  /// The window as JSON, with the number of all rows and the address of the next window.
  func json() throws -> String {
    let columns = try EntityColumns(
      asked.entity, isData: true,
      only: address.columns.isEmpty ? nil : address.columns.map { ColumnRequest(question: .text($0)) })
    let cells = ObjectCells(columns, isData: true)
    let rows = try store.reading { try window.map { try cells.cells(of: results[$0]) } }
    let sink = OutputSink.inMemory()
    var options = RenderOptions()
    options.rows = .all
    try OutputMode.json.renderer.render(MemoryRows(columns: columns.columns, rows: rows), to: sink, options: options)
    var next = JSON.null
    if window.upperBound < count {
      var address = address
      address.first = window.upperBound + 1
      next = .string(address.text(.json) + (size == Self.pageSize ? "" : "&rows=\(size)"))
    }
    let head: [(String, JSON)] = [
      ("ok", .bool(true)), ("total", .int(Int64(count))), ("first", .int(Int64(window.lowerBound + 1))), ("next", next),
    ]
    let fields = head.map { "\"\($0)\":\($1.outputText)" }.joined(separator: ",")
    return "{\(fields),\"rows\":\(sink.text.trimmingNewlines)}\n"
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
