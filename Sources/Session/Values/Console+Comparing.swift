package import Comparison
internal import LuaBindings
internal import Modeling
package import Presentation
package import Stores

/// A language in which differences are written.
package enum DifferenceLanguage: String, Sendable {
  case sql
  case lua
}

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

  /// Writes what makes the objects of the first store those of the second, as SQL for that store or as a script, and returns
  /// the number of differences.
  package func write(
    _ comparison: StoreComparison, of store: any OpenedStore, as language: DifferenceLanguage, to sink: OutputSink
  ) throws -> Int {
    var remarks = DifferenceText(arrow: "->").lines(of: comparison.models)
    var script = DifferenceScript(comparison)
    let statements = language == .sql ? try DifferenceStatements(comparison, of: store) : nil
    var count = 0
    try comparison.visit { difference in
      let isAdded = statements.map { $0.add(difference) } ?? script.add(difference)
      if isAdded { count += 1 } else { remarks.append(DifferenceText().line(of: difference)) }
      return true
    }
    // What no statement changes is not dropped in silence.
    for remark in remarks { sink.write("-- \(remark.inOneLine)\n") }
    if count == 0 { return remarks.count }
    if let statements {
      sink.write("BEGIN;\n")
      try statements.write { sink.write($0 + ";\n") }
      sink.write("COMMIT;\n")
    } else {
      script.write { sink.write($0 + "\n") }
    }
    return count + remarks.count
  }

  /// Writes a store as text for programs that compare lines: its entities, then each object with a line for each value.
  package func writeText(of store: any OpenedStore) throws {
    let text = DifferenceText(arrow: layout.charset.arrow)
    for entity in store.model.entities { printText(text.line(of: entity) + "\n") }
    try StoreComparison(store, store).visitContents { object in
      printText("\n\(object.entity) \(text.identity(of: object).inOneLine)\n")
      for property in object.properties { printText("  \(property.name) = \(text.text(property.new))\n") }
    }
  }

  /// Writes the differences to a file as a patch, and returns whether the stores are equal.
  ///
  /// - Throws: FileFailure, StoreError.
  package func writePatch(_ comparison: StoreComparison, to path: String) throws -> Bool {
    var patch = Patch(comparison.scope, [])
    let text = DifferenceText(arrow: layout.charset.arrow)
    var remarks = text.lines(of: comparison.models)
    try comparison.visit { difference in
      if difference.isComparable {
        patch.differences.append(difference)
      } else {
        remarks.append(text.line(of: difference))
      }
      return true
    }
    // What the patch does not change is not dropped in silence.
    for remark in remarks { printText(layout.style(.changed, remark) + "\n") }
    try AtomicFile.write(path) { sink in patch.write { sink.write($0 + "\n") } }
    tell(Remark(.done, "\(Quantity.count(patch.differences.count, "change")) in \(path)"))
    return remarks.isEmpty && patch.differences.isEmpty
  }

  private static func role(of kind: ObjectDifference.Kind) -> Style.Role {
    switch kind {
    case .inserted: .added
    case .deleted: .removed
    case .updated, .duplicated, .unidentified: .changed
    }
  }
}
