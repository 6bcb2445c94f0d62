package import Comparison
internal import LuaBindings
package import Presentation

/// The differences of two stores as rows, one for each property, read as they are shown.
final class DifferenceRows: TabularSource {
  let columns = ["change", "entity", "identity", "property", "old", "new"].map { TabularColumn($0) }
  let rowName: String? = "differences"
  private let comparison: StoreComparison
  private let text = DifferenceText()
  private var entities: ArraySlice<ComparedEntity>
  private var cursor: DifferenceCursor?
  private var waiting: ArraySlice<[Cell]>
  /// Whether there was no row so far.
  private(set) var isEmpty = true

  init(_ comparison: StoreComparison) {
    self.comparison = comparison
    entities = comparison.entities[...]
    waiting =
      ModelDifferenceText.changes(of: comparison.models).map {
        [.text("model"), .null, .null, .text($0), .null, .null]
      }[...]
  }

  func next() throws -> [Cell]? {
    while true {
      if let row = waiting.popFirst() {
        isEmpty = false
        return row
      }
      if let difference = try cursor?.next() {
        waiting = rows(of: difference)[...]
        continue
      }
      guard let entity = entities.popFirst() else { return nil }
      cursor = try comparison.cursor(entity)
    }
  }

  private func rows(of difference: ObjectDifference) -> [[Cell]] {
    let head: [Cell] = [
      .text(difference.kind.rawValue), .text(difference.entity), .text(text.identity(of: difference)),
    ]
    if difference.properties.isEmpty { return [head + [.null, .null, .null]] }
    return difference.properties.map { head + [.text($0.name), Cell($0.old), Cell($0.new)] }
  }
}

extension Cell {
  /// A value that differs; objects by their identity.
  package init(_ value: ComparedValue) {
    switch value {
    case .value(let value): self.init(value)
    case .object(nil): self = .null
    case .object, .objects: self = .text(DifferenceText().text(value))
    }
  }
}
