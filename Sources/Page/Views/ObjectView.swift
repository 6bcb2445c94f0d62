internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Presentation
internal import Queries
internal import Session

/// An object: its properties, and what leads to it.
struct ObjectView {
  private let object: ManagedObject
  private let store: PageStore

  init(_ object: ManagedObject, in store: PageStore) { (self.object, self.store) = (object, store) }

  var name: String { ObjectText.title(of: object) }

  func html() throws -> HTML {
    .tag(
      "div", ["data-reload": list.map { String($0.number) } ?? ""],
      [
        .tag("h1", [:], ObjectText.name(of: object)),
        .tag("div", ["class": "table", "data-object": object.objectID.description], [try properties()]), deletion,
        try references(),
      ])
  }

  /// The properties alone, to be shown beside a link.
  func card() throws -> HTML {
    .tag("div", ["class": "card"], [.tag("h2", [:], ObjectText.name(of: object)), try properties()])
  }

  private func properties() throws -> HTML {
    let columns = try EntityColumns(object.entity, isData: false)
    let view = CellView(columns, in: store)
    let rows = try store.reading {
      try zip(columns.columns, ObjectCells(columns, isData: false).cells(of: object)).enumerated().map {
        place, pair -> HTML in
        let (column, cell) = pair
        let type = object.entity.properties[place].attribute?.type.rawValue ?? ""
        return .tag(
          "tr", ["data-key": column.name],
          [
            .tag("th", ["scope": "row"], column.name),
            .tag(
              "td", ["class": "whole" + (CellView.kind(cell).map { " " + $0 } ?? "")],
              [try view.content(cell, at: place, of: object, isWhole: true)]),
            .tag("td", ["class": "state"], type), editing(place),
          ])
      }
    }
    return .tag("table", ["class": "object"], [.tag("tbody", [:], rows)])
  }

  /// A live result of the object alone, by which the page follows it; nil for one that was never saved.
  private var list: LiveLists.List? {
    guard !object.objectID.isTemporary else { return nil }
    var request = FetchRequest(object.entity)
    request.predicate = .comparison(Comparison(.object, .equal, .constant(.object(object.objectID))))
    return try? store.lists.objects(of: request).list
  }

  private var deletion: HTML {
    guard store.canChange(object.entity) else { return .nothing }
    return .tag("div", ["class": "buttons"], [.link(.deletion(store.address(of: object)), "Delete…")])
  }

  /// A link to the form for a property, where it has one.
  private func editing(_ index: Int) -> HTML {
    guard store.canChange(object.entity) else { return .nothing }
    guard (try? object.checkWritable(at: index)) != nil else { return .tag("td") }
    let address = PageAddress.property(store.address(of: object), object.entity.properties[index].name)
    return .tag("td", [:], [.link(address, "Edit", class: "editing")])
  }

  /// The relationships that lead here, with how many objects they lead from.
  private func references() throws -> HTML {
    let context = object.context
    let address = store.address(of: object)
    let items = try store.reading(seconds: 2) {
      try object.referenceRequests.compactMap { name, request -> HTML? in
        let count = try context.count(request)
        guard count > 0 else { return nil }
        var rows = RowsAddress(request.entity.name)
        rows.lead = .by(name, address)
        return .tag(
          "li", [:], [.link(.rows(rows), Quantity.grouped(count) + " " + request.entity.name), .text(" by \(name)")])
      }
    }
    if items.isEmpty { return .tag("p", ["class": "note"], "Nothing leads here.") }
    return .tag("section", ["class": "references"], [.tag("h2", [:], "What leads here"), .tag("ul", [:], items)])
  }

  func json() throws -> String {
    let columns = try EntityColumns(object.entity, isData: true)
    let cells = try store.reading { try ObjectCells(columns, isData: true).cells(of: object) }
    let sink = OutputSink.inMemory()
    try OutputMode.ndjson.renderer.render(
      MemoryRows(columns: columns.columns, rows: [cells]), to: sink, options: RenderOptions())
    let id = JSON.string(object.objectID.description).outputText
    return "{\"ok\":true,\"id\":\(id),\"object\":\(sink.text.trimmingNewlines)}\n"
  }
}
