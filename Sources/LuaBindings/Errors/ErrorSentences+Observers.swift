internal import LiveQueries
internal import Reactive

extension LiveQueryError {
  var sentence: String {
    switch fact {
    case .closed: "the results are closed"
    case .noContext: "the environment has no managedObjectContext to fetch from"
    case .unknownEntity(let name): "there is no entity '\(name)'"
    }
  }
}

extension ErrorReport {
  static func report(_ error: UpdateFailure) -> ErrorReport {
    var report = ErrorReport(error.reason)
    report.message = "\(error.name) cannot be updated: \(report.message)\n  (it keeps its last results until it can)"
    return report
  }
}

extension EndlessRounds {
  var sentence: String {
    "observers keep changing what they observe: \(names.joined(separator: ", ")) (\(Turn.mostRounds) rounds)"
  }
}
