internal import Stores

/// A transaction that the store could not put in order with those of others, and that is not done again because what it
/// writes can be read only once.
struct ReadOnce: ReportedError {
  let error: StoreError
  /// A source that can be read only once: `the rows`, the name of a pipe.
  let source: String

  /// Nil for any other error.
  init?(_ error: any Error, _ source: String) {
    guard let error = error as? StoreError, case .notSerialized = error.fact else { return nil }
    (self.error, self.source) = (error, source)
  }

  var report: ErrorReport {
    var report = ErrorReport(error)
    report.message += "; \(source) can be read only once, so that it was not tried again"
    return report
  }
}
