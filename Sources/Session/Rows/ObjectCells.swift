internal import LuaBindings
internal import Modeling
package import ObjectGraph
package import Presentation
internal import Queries
internal import Stores

/// Turns objects into cells: attributes by value, to-ones by their target's name, to-manys by their count.
///
/// In data modes a to-one is its target's key.
package struct ObjectCells {
  let columns: EntityColumns
  private let isData: Bool
  /// The deadline for counting members, which is slow without an index.
  private let deadline: Double

  private static let countingTime = 0.15

  package init(_ columns: EntityColumns, isData: Bool) {
    self.columns = columns
    self.isData = isData
    deadline = monotonicSeconds() + Self.countingTime
  }

  package func cells(of object: ManagedObject) throws -> [Cell] {
    var cells = try columns.sources.map { source in
      switch source {
      case .property(let index): try cell(index, of: object)
      case .expression(let expression): try cell(expression, of: object)
      case .function(let body): try body(object)
      }
    }
    for (place, format) in columns.formats { cells[place] = format.cell(cells[place]) }
    return cells
  }

  /// The value of an expression for an object; a resulting object by its name, in data by its key.
  private func cell(_ expression: Queries.Expression, of object: ManagedObject) throws -> Cell {
    let value = try expression.evaluate(object)
    guard case .object(let id) = value else { return Cell(value) }
    if isData { return .integer(id.key) }
    let related = object.context.object(id)
    return .reference(label: try related.exists() ? ObjectText.title(of: related) : "\(id) (missing)")
  }

  private func cell(_ index: Int, of object: ManagedObject) throws -> Cell {
    guard let relationship = columns.entity.properties[index].relationship else {
      return Cell(try object.attribute(at: index))
    }
    if relationship.isToMany {
      if monotonicSeconds() > deadline { return .text("…") }
      return .count(try object.memberCount(at: index))
    }
    return isData ? try key(index, of: object) : reference(index, of: object)
  }

  private func reference(_ index: Int, of object: ManagedObject) -> Cell {
    do {
      guard let related = try object.related(at: index) else { return .null }
      return .reference(label: try related.exists() ? ObjectText.title(of: related) : "\(related.objectID) (missing)")
    } catch {
      return .reference(label: "(missing)")
    }
  }

  private func key(_ index: Int, of object: ManagedObject) throws -> Cell {
    let layout = object.context.store.layout(of: object.entity)
    let values = try layout.properties[index].ownColumns.map { column in
      try object.table.column(object.slot, column).decoded(as: layout.columns[column].type)
    }
    if values.count == 1 { return Cell(values[0]) }
    if values.isEmpty || values.contains(where: \.isNull) { return .null }
    return .text(values.map(\.displayText).joined(separator: ","))
  }
}
