internal import Modeling
internal import Transfer

extension CopyError {
  var sentence: String {
    switch self {
    case .unknownEntity(let name, let nearest): "the store has no entity '\(name)'\(ErrorReport.hint(nearest))"
    case .wrongRequest(let text): "expected an entity, or ENTITY where PREDICATE, got \"\(text)\""
    case .unknownRelationship(let name, let nearest):
      "no entity has a relationship '\(name)' to follow\(ErrorReport.hint(nearest))"
    case .ambiguousRelationship(let name, let names):
      "several entities have a relationship '\(name)' to follow; name one: \(ErrorReport.list(names, "or"))"
    case .wrongSample(let share): "sample: expected a share above 0 and up to 1, got \(share)"
    case .unknownMaskedAttribute(let path, let nearest):
      "mask: '\(path)' is no attribute; expected ENTITY.ATTRIBUTE or *.ATTRIBUTE\(ErrorReport.hint(nearest))"
    case .unknownMask(let name, let nearest):
      "there is no mask '\(name)'; there are \(ErrorReport.list(Mask.words)), and number:PERCENT and date:DAYS\(ErrorReport.hint(nearest))"
    case .unfitMask(let name, let type, let mask, let fitting):
      "mask: \(name) is \(type), which '\(mask)' does not mask; \(ErrorReport.list(fitting, "or")) does"
    case .derivedIsMasked(let name): "mask: \(name) is derived; mask the attributes from which it is computed"
    case .mandatoryIsMasked(let name): "mask: \(name) must have a value, so that it cannot be masked by nil"
    case .uniqueIsMasked(let name, let mask):
      "mask: \(name) is unique, which values masked by '\(mask)' are not; text, uuid and hash keep them unique"
    case .referenceIsMasked(let name, let relationship, let destination):
      "mask: \(name) is how \(relationship) names its \(destination); mask the attribute of \(destination) instead"
    case .unfitValue(let name, let key, let mask):
      "mask: \(name) of the object \(key) is not of the kind that '\(mask)' masks"
    case .emptySecret: "the secret of the masks is empty"
    case .maskBreaksRule(let name, let key, let mask, let rule):
      "mask: no value masked by '\(mask)' keeps the rules of \(name) for the object \(key): \(rule.sentence)"
    case .mandatoryCycle(let names) where names.count == 1:
      "\(names[0]) is mandatory and leads to its own entity, so that no row can be written before the others"
    case .mandatoryCycle(let names):
      "\(ErrorReport.list(names)) are mandatory and lead back to the first, so that no row can be written before the others"
    }
  }
}
