internal import Modeling

extension ModelError {
  /// The error with its entity and property.
  var sentence: String {
    let place = property.map { "\(entity).\($0)" } ?? entity
    return "\(place): \(mistake)"
  }

  private var mistake: String {
    switch fact {
    case .duplicateEntity: "there are two entities of this name"
    case .duplicateProperty: "there are two properties of this name"
    case .invalidName(let name): "'\(name)' cannot be a name"
    case .unknownParent(let name, let nearest):
      "there is no entity '\(name)' to be its parent\(ErrorReport.hint(nearest))"
    case .inheritanceCycle: "it is its own ancestor"
    case .interrupted: "making the model was interrupted"
    case .inheritanceTooDeep(let limit): "entities inherit from one another at most \(limit) levels deep"
    case .unknownDestination(let name, let nearest):
      "it leads to '\(name)', but there is no such entity\(ErrorReport.hint(nearest))"
    case .unknownFetchedEntity(let name, let nearest):
      "it fetches '\(name)', but there is no such entity\(ErrorReport.hint(nearest))"
    case .unknownInverse(let name, let destination, let nearest):
      "its inverse '\(name)' is not a relationship of \(destination)\(ErrorReport.hint(nearest))"
    case .inverseMismatch(let name, let destination):
      "its inverse '\(name)' of \(destination) does not lead back to it: both must lead to the entity that declares the other"
    case .unknownProperty(let name, let list, let nearest):
      "'\(list)' names '\(name)', which is not a property\(ErrorReport.hint(nearest))"
    case .wrongDefault(let value, let type):
      "its default is \(ErrorReport.article(value.kindName)), not \(ErrorReport.article(type.rawValue))"
    case .wrongBound(let value, let type):
      "its bound is \(ErrorReport.article(value.kindName)), not \(ErrorReport.article(type.rawValue))"
    case .invalidRegularExpression(let pattern): "'\(pattern)' is not a regular expression"
    case .invalidCount(let minimum, let maximum): "its minCount \(minimum) is more than its maxCount \(maximum)"
    case .invalidOption(let name, let reason): "\(name): \(reason)"
    }
  }
}

extension ModelCodingError {
  var sentence: String {
    switch self {
    case .notJSON(let error): "the model cannot be read: \(error.sentence)"
    case .unknownVersion(let version, let newest):
      "the model was written by a newer perilune (version \(version), and this one knows \(newest))"
    case .invalidField(let path, let expected): "the model cannot be read: expected \(expected) at \(path)"
    }
  }
}
