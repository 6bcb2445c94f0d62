internal import Comparison
internal import LuaBindings
internal import Queries
internal import Session

/// `perilune compare`: shows what distinguishes two stores; the status is 1 if anything does.
package struct CompareRun: ProgramRun {
  package var options: RunOptions
  private let paths: (String, String)
  package var entities: [String] = []
  package var by: [String] = []
  package var ignore: [String] = []
  package var tolerance = 0.0
  /// The text of the predicate that selects objects.
  package var predicate: String?

  package init(_ path: String, _ other: String, _ options: RunOptions) {
    (paths, self.options) = ((path, other), options)
  }

  package func run(in surroundings: Surroundings) -> Int32 {
    inSession(surroundings, StoreAccess()) { session in
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
        let stores = (try console.openToRead(paths.0), try console.openToRead(paths.1))
        let comparison = try StoreComparison(stores.0, stores.1, options)
        isPrepared = true
        isEqual = try console.show(comparison)
      }
      // The status of a mistake in the options is not that of a difference.
      if !isPrepared, status == ExitStatus.failed { status = ExitStatus.usage }
      return session.finish(status == 0 && !isEqual ? ExitStatus.failed : status)
    }
  }
}
