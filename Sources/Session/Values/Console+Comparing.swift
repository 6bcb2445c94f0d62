package import Comparison
internal import LuaBindings
internal import Presentation
package import Stores

// What shows comparisons of stores.
extension Console {
  /// Opens a store, or a file of rows as a store in memory, that is only read.
  ///
  /// - Throws: StoreError, an error of the file's rows.
  package func openToRead(_ path: String) throws -> any OpenedStore {
    try engine.stores.openToRead(path, isRows: FileArgument(path) == .data)
  }

  /// Shows a comparison, in the chosen mode or as lines, and returns whether the stores are equal.
  package func show(_ comparison: StoreComparison) throws -> Bool {
    if settings.chosenMode?.isData == true || settings.chosenMode == .markdown || settings.chosenMode == .html {
      let rows = DifferenceRows(comparison)
      try render(rows)
      return rows.isEmpty
    }
    let text = DifferenceText(arrow: layout.charset.arrow)
    let models = text.lines(of: comparison.models)
    for line in models { printText(layout.style(.changed, line) + "\n") }
    var isEqual = models.isEmpty
    let counts = try comparison.visit { difference in
      isEqual = false
      printText(layout.style(Self.role(of: difference.kind), text.line(of: difference)) + "\n")
      return true
    }
    for (count, entity) in zip(counts, comparison.entities) { printText(text.line(of: count, entity) + "\n") }
    if counts.isEmpty { printText("the stores have no entity in common\n") }
    return isEqual
  }

  private static func role(of kind: ObjectDifference.Kind) -> Style.Role {
    switch kind {
    case .inserted: .added
    case .deleted: .removed
    case .updated, .duplicated, .unidentified: .changed
    }
  }
}
