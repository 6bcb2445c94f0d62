internal import Queries
internal import Stores

extension ErrorReport {
  static func report(_ error: DerivationError) -> ErrorReport {
    let place = "\(error.entity).\(error.attribute): it cannot be derived from '\(error.derivation)': "
    guard case .text(let mistakes) = error.obstacle else {
      return ErrorReport("model", place + error.obstacle.sentence, exitStatus: 69)
    }
    var report = report(mistakes)
    (report.kind, report.message, report.exitStatus) = ("model", place + report.message, 69)
    return report
  }
}

extension DerivationError.Obstacle {
  fileprivate var sentence: String {
    switch self {
    case .text(let error): ErrorReport.report(error).message
    case .itself: "it is made from itself"
    case .function(let name): "SQLite alone cannot compute \(name), so other programs could not write the store"
    case .decimals: "SQLite alone cannot compute with Decimals"
    case .needsDate(let function): "\(function) needs a Date"
    case .needsAttribute(let aggregate): "\(aggregate) needs an attribute"
    case .noValue(let aggregate): "\(aggregate) is not a single value"
    case .manyValues(let path): "\(path) has many values: use an aggregate such as @count or @max"
    case .castToEntity(let path): "\(path) takes an object as one of a subentity"
    case .noAttribute(let path): "\(path) is not an attribute"
    case .noElement(let path): "\(path) is not a declared element"
    case .derivedThroughRelationships(let path): "\(path) is itself derived through relationships"
    case .notOwnToMany(let path): "\(path): aggregates are over one to-many relationship of the object itself"
    case .notKept(let path): "\(path) is not kept by the store"
    case .constant(let kind): "\(kind) constants are not kept by the store"
    case .expression: "only paths, functions, arithmetic and aggregates are kept by the store"
    }
  }
}
