internal import Stores

/// A transaction that the store could not put in order with those of others, and that is not done again because what it
/// writes can be read only once.
struct ReadOnce: ReportedError {
  let error: StoreError

  /// Nil for any other error.
  init?(_ error: any Error) {
    guard let error = error as? StoreError, case .notSerialized = error.fact else { return nil }
    self.error = error
  }

  var report: ErrorReport {
    var report = ErrorReport(error)
    report.message += "; the rows can be read only once, so that it was not tried again"
    return report
  }
}
