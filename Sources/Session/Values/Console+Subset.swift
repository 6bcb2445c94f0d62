internal import LuaBindings
internal import Modeling
internal import Presentation
package import Stores
package import Transfer

// What makes subsets of stores and shows what is in them.
extension Console {
  /// Finds a subset, writes it into a new store unless `path` is nil, and shows what was taken and why.
  ///
  /// - Throws: CopyError, PredicateError, StoreError; then nothing was written.
  package func writeSubset(
    of store: any OpenedStore, _ options: SubsetOptions, masks: Masks?, to path: String?
  ) throws {
    try engine.stores.keeping(store) {
      try store.reading {
        let subset = try Subset(of: store, options)
        let text = SubsetText(options)
        let report = try path.map { try engine.stores.write(subset, of: store, masks: masks, to: $0) }
        for share in subset.shares { printText(text.line(of: share) + "\n") }
        for name in report?.leftOut ?? [] { printText(layout.style(.removed, "left out: \(name)") + "\n") }
        for candidate in try subset.candidates() {
          printText(layout.style(.note, "not followed: \(text.line(of: candidate))") + "\n")
        }
        if subset.shares.isEmpty { printText("no object is selected\n") }
      }
    }
  }

  /// Shows the attributes that may hold texts and have no mask, a line each.
  package func showUnmasked(_ masks: Masks?, in store: any OpenedStore) {
    for name in Masks.unmasked(masks, in: store) { printText(name + "\n") }
  }
}
