internal import LuaBindings
package import ObjectGraph
package import Presentation

/// One object with a line per property: its value, and the stored value before an unsaved change.
package struct ObjectCard {
  private let object: ManagedObject
  private let columns: EntityColumns
  private let row: [Cell]
  private let options: RenderOptions

  package init(_ object: ManagedObject, _ columns: EntityColumns, _ row: [Cell], _ options: RenderOptions) {
    self.object = object
    self.columns = columns
    self.row = row
    self.options = options
  }

  package func write(to sink: OutputSink) throws {
    let state = object.isInserted ? "inserted" : object.isDeleted ? "deleted" : object.isUpdated ? "changed" : nil
    let title = ([ObjectText.name(of: object)] + [state].compactMap(\.self)).joined(
      separator: " \(options.charset.dot) ")
    let card = CardWriter(columns: columns.columns, rowName: nil, options: options)
    card.write(try markedRow(), title: title, to: sink)
    sink.flush()
    try sink.checkpoint()
  }

  /// The cells, changed ones as `old → new`.
  private func markedRow() throws -> [Cell] {
    guard object.isUpdated else { return row }
    let changes = Dictionary(try object.changes().map { ($0.property, $0) }, uniquingKeysWith: { first, _ in first })
    return row.enumerated().map { place, cell in
      guard let index = columns.property(at: place), let change = changes[columns.entity.properties[index].name] else {
        return cell
      }
      let old = CellText(Cell(change.old), options.charset, isWhole: true).text
      return .text("\(old) \(options.charset.arrow) \(CellText(cell, options.charset, isWhole: true).text)")
    }
  }
}
