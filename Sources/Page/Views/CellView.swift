internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Presentation
internal import Session

/// The cells of objects as parts of a page: to-ones and to-manys are links.
struct CellView {
  private let store: PageStore
  private let columns: EntityColumns
  private let cells: ObjectCells

  init(_ columns: EntityColumns, in store: PageStore) {
    (self.store, self.columns) = (store, columns)
    cells = ObjectCells(columns, isData: false)
  }

  /// The cells of a row.
  func row(_ object: ManagedObject) throws -> [HTML] {
    try cells.cells(of: object).enumerated().map { place, cell in
      let content = try content(cell, at: place, of: object)
      let isNumber = columns.columns[place].alignment == .trailing
      return .tag("td", ["class": cell == .null && isNumber ? "nil number" : Self.kind(cell)], [content])
    }
  }

  /// What stands in a cell; on a page of one object whole, in a table up to some length.
  func content(_ cell: Cell, at place: Int, of object: ManagedObject, isWhole: Bool = false) throws -> HTML {
    if let index = columns.property(at: place), let relationship = object.entity.properties[index].relationship {
      if relationship.isToMany {
        var rows = RowsAddress(object.entity.destination(at: index).name)
        rows.lead = .along(object.entity.properties[index].name, store.address(of: object))
        return .link(.rows(rows), CellText(cell, .utf8).text)
      }
      guard case .reference(let label) = cell, let related = try object.related(at: index), try related.exists() else {
        return Self.text(cell, isWhole)
      }
      return .link(.object(store.address(of: related)), label, class: "toone")
    }
    if case .blob(let blob) = cell, let index = columns.property(at: place) {
      return DataView(object, at: index, in: store).html(blob, isWhole: isWhole)
    }
    return Self.text(cell, isWhole)
  }

  static func text(_ cell: Cell, _ isWhole: Bool) -> HTML {
    let text = CellText(cell, .utf8, isWhole: isWhole).text
    if isWhole || text.unicodeScalars.count <= longest { return .text(text) }
    return .group([.text(String(text.unicodeScalars.prefix(longest))), .text("…")])
  }

  /// The characters of a text that a table has room for.
  private static let longest = 200

  /// The class of a cell, by which it is aligned and coloured.
  static func kind(_ cell: Cell) -> String? {
    switch cell {
    case .null: "nil"
    case .integer, .real, .decimal, .count: "number"
    case .date: "date"
    case .blob: "data"
    default: nil
    }
  }
}
