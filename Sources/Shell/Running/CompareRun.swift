internal import Comparison
internal import LuaBindings
internal import Queries
package import Session
internal import Stores

/// `perilune compare`: shows what distinguishes two stores; the status is 1 if anything does.
package struct CompareRun: ProgramRun {
  package var options: RunOptions
  /// The two stores, or one that is written as text.
  private let paths: (String, String?)
  package var entities: [String] = []
  package var by: [String] = []
  package var ignore: [String] = []
  package var tolerance = 0.0
  /// The language in which the differences are written; nil for lines or rows.
  package var language: DifferenceLanguage?
  /// The file of a patch to write; nil for none.
  package var patch: String?
  /// Whether the differences are shown on a full screen.
  package var isBrowsing = false
  /// The text of the predicate that selects objects.
  package var predicate: String?

  package init(_ path: String, _ other: String?, _ options: RunOptions) {
    (paths, self.options) = ((path, other), options)
  }

  package func run(in surroundings: Surroundings) -> Int32 {
    inSession(surroundings, StoreAccess()) { session in
      if isBrowsing, !session.showsFullScreens {
        return surroundings.fail("--browse: expected a terminal for input and output", ExitStatus.usage)
      }
      let console = session.session.parts.console
      var isPrepared = false
      var isEqual = true
      var status = session.guarding {
        var options = StoreComparison.Options()
        (options.entities, options.by, options.ignore) = (entities, by, Set(ignore))
        options.tolerance = tolerance
        if let predicate {
          let parsed = try Predicate.parse(predicate)
          options.predicates = (parsed, parsed)
        }
        let store = try console.openToRead(paths.0)
        guard let other = paths.1 else { return try console.writeText(of: store) }
        let stores = (store, try console.openToRead(other))
        let comparison = try StoreComparison(stores.0, stores.1, options)
        isPrepared = true
        isEqual = try isBrowsing ? session.ownScreens.browse(comparison) : show(comparison, of: stores.0, console)
      }
      // The status of a mistake in the options is not that of a difference.
      if !isPrepared, status == ExitStatus.failed { status = ExitStatus.usage }
      return session.finish(status == 0 && !isEqual ? ExitStatus.failed : status)
    }
  }

  private func show(_ comparison: StoreComparison, of store: any OpenedStore, _ console: Console) throws -> Bool {
    if let patch { return try console.writePatch(comparison, to: patch) }
    if let language { return try console.write(comparison, of: store, as: language, to: console.output) == 0 }
    return try console.show(comparison)
  }
}
