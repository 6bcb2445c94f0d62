internal import Comparison

extension ComparisonError {
  var sentence: String {
    switch self {
    case .nothingInCommon: "the stores have no entity in common"
    case .unknownEntity(let name, let nearest): "the store has no entity '\(name)'\(ErrorReport.hint(nearest))"
    case .entityOfOneStore(let name): "only one of the stores has objects of the entity '\(name)'"
    case .unknownProperty(let name, let nearest):
      "none of the compared entities has a property '\(name)'\(ErrorReport.hint(nearest))"
    case .unorderedIdentity(let entity, let property):
      "objects of \(entity) cannot be the same by \(property): expected stored attributes, and to-ones to objects that one attribute identifies, which both stores have"
    case .disorder(let entity): "the store does not return \(entity) in the order of the identity"
    }
  }
}
