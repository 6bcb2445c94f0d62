internal import LuaRuntime
internal import Modeling
internal import Queries
internal import Stores

// `request:pivot { rows = , columns = , value = }`
extension BoundRequest {
  /// The maximum number of columns in a cross table.
  private static let mostColumns = 100

  static let pivotMembers: [Member<BoundRequest>] = [
    .method(
      "pivot", "request:pivot { rows = , columns = , value = } -> rows",
      "A cross table: a row for each value of one expression, a column for each of another, an aggregate in the cells.",
      sandbox: .allowed, example: #"({ rows = "place", columns = "magnitude" })"#
    ) { call, request in
      try request.checkObjects(call)
      if (request.request.fetchLimit ?? 0) > 0 || request.request.fetchOffset > 0 {
        throw call.fail("it tells of all objects that the predicate selects; this request has a limit or an offset")
      }
      if call.type(1) != .table { throw call.expected("a table of options with rows and columns", 1) }
      let options = try call.options(1, ["rows", "columns", "value"])
      guard let rows = try options.string("rows") else { throw call.fail(.missing("rows")) }
      guard let columns = try options.string("columns") else { throw call.fail(.missing("columns")) }
      let cells = try request.cells(rows, columns, try options.string("value") ?? "count", call)
      return try request.answer(cells, rows, call)
    }
  ]

  /// The content of a cross table, rows and columns in their order, nil last.
  private struct Cells {
    var rows: [Value] = []
    var columns: [Value] = []
    var values: [Place: Value] = [:]
    /// The value of cells without objects.
    var absent = Value.null
  }

  private struct Place: Hashable {
    var row: Value
    var column: Value
  }

  private func cells(_ rows: String, _ columns: String, _ value: String, _ call: Call) throws -> Cells {
    let texts = [("row", rows), ("column", columns), ("value", value)]
    let fetched = try texts.map { FetchedColumn($0, try FetchedColumn($1, parsing: $1).expression) }
    let grouped = try with { request in
      request.resultType = .dictionaries
      request.propertiesToGroupBy = fetched[0...1].map(\.expression)
      request.propertiesToFetch = fetched
      request.sortDescriptors = fetched[0...1].map { SortDescriptor($0.expression) }
      (request.sectionIdentifier, request.sectionFunction) = (nil, nil)
    }
    var cells = Cells()
    if value.filter({ $0 != " " }).hasPrefix("count") { cells.absent = .int(0) }
    var (knownRows, knownColumns): (Set<Value>, Set<Value>) = ([], [])
    let cursor = try context.store.objectStore.dictionaries(try grouped.ready(call), tiesByKey: false)
    defer { cursor.close() }
    while try cursor.step() {
      try call.engine.lua.checkInterrupt()
      let place = Place(row: cursor.value(0), column: cursor.value(1))
      if knownRows.insert(place.row).inserted { cells.rows.append(place.row) }
      if knownColumns.insert(place.column).inserted { cells.columns.append(place.column) }
      if cells.columns.count > Self.mostColumns {
        throw call.fail(
          "columns = \"\(columns)\" has more than \(Quantity.grouped(Self.mostColumns)) values; give it as rows")
      }
      cells.values[place] = cursor.value(2)
    }
    cells.rows.sort(by: Self.isBefore)
    cells.columns.sort(by: Self.isBefore)
    return cells
  }

  private static func isBefore(_ left: Value, _ right: Value) -> Bool {
    if left.isNull || right.isNull { return !left.isNull }
    return left.order(right) < 0
  }

  private func answer(_ cells: Cells, _ header: String, _ call: Call) throws -> ReturnValue {
    var names = [header]
    for column in cells.columns {
      let text = context.shown(column).displayText
      var (name, number) = (text, 1)
      while names.contains(name) {
        number += 1
        name = "\(text) (\(number))"
      }
      names.append(name)
    }
    let rows = cells.rows.map { row in
      cells.columns.map { cells.values[Place(row: row, column: $0)] ?? cells.absent }
    }
    let stack = call.stack
    stack.reserve(12)
    stack.pushTable(array: Int32(clamping: rows.count))
    for (number, row) in rows.enumerated() {
      stack.pushTable(hash: Int32(clamping: names.count))
      for (name, value) in zip(names, [cells.rows[number]] + row) where !value.isNull {
        try context.push(value, on: stack)
        stack.rawSet(field: name, at: -2)
      }
      stack.rawSet(element: Int64(number + 1), at: -2)
    }
    let context = context
    let listing = Listing(
      columns: [(header, false)] + names.dropFirst().map { ($0, true) }, count: rows.count,
      rowName: rows.count == 1 ? "row" : "rows"
    ) { [context.shown(cells.rows[$0])] + rows[$0].map { $0.isNull ? .string("") : $0 } }
    call.setListing(listing, columns: names)
    return .pushed(1)
  }
}
