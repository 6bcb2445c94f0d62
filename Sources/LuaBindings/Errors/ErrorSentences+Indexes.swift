internal import Stores

extension IndexObstacle {
  var sentence: String {
    switch self {
    case .unknownProperty(let name, let entity, let nearest):
      "\(entity) has no property '\(name)'\(ErrorReport.hint(nearest))"
    case .severalEntities(let paths):
      "one index holds properties of one entity, and \(ErrorReport.list(paths)) \(paths.count == 1 ? "leads" : "lead") to several"
    case .noColumn(let name, let entity):
      "\(entity).\(name) is kept in no column of its own, so that no index can hold it"
    case .view(let entity): "\(entity) is a view, which has no indexes"
    case .noKeys: "an index needs at least one property"
    case .noAdvice: "no index would help this request; name its properties to try one all the same"
    }
  }
}
