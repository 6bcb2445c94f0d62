internal import Comparison
internal import Modeling
internal import ObjectGraph

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
    case .bookkeeping:
      "the program that made the store keeps books about each row, which SQL alone does not write; --lua and --patch do"
    case .unfit(let entity, let identity):
      "\(entity) \(Self.text(identity)): a column of the first store cannot hold a value of the second one"
    case .missing(let entity, let identity):
      "the store has no \(entity) \(Self.text(identity)), to which a change leads"
    case .conflicts(let conflicts): conflicts.map(\.differenceSentence).joined(separator: "\n")
    case .disorder(let entity): "the store does not return \(entity) in the order of the identity"
    }
  }

  private static func text(_ identity: [Value]) -> String { identity.map(\.displayText).joined(separator: ", ") }
}

extension ObjectConflict {
  /// The conflict of a difference with the store that it is applied to.
  var differenceSentence: String {
    let values = properties.map { property in
      let wanted = kind.isDeletion ? "" : ", to become \(property.mine.shortText)"
      return "\(property.property) is \(property.theirs.shortText), expected \(property.base.shortText)\(wanted)"
    }.joined(separator: "; ")
    return switch kind {
    case .changed: "\(label): \(values)"
    case .deletedInStore: "\(label) is not there, and has changes of \(ErrorReport.list(properties.map(\.property)))"
    case .deletedHere: "\(label) is to be deleted: \(values)"
    case .notUnique, .notUniqueAmongChanges:
      "\(label) is to be inserted and is there: "
        + properties.map { "\($0.property) is \($0.theirs.shortText), not \($0.mine.shortText)" }.joined(
          separator: "; ")
    }
  }
}

extension ObjectConflict.Kind {
  fileprivate var isDeletion: Bool { if case .deletedHere = self { true } else { false } }
}

extension PatchError {
  var sentence: String { "\(file):\(line): \(words)" }

  private var words: String {
    switch fact {
    case .notAPatch: "this is not a patch, which begins with {\"perilune\":\"patch\""
    case .version(let version): "the patch has version \(version), and this program reads version 1"
    // A change is a line of the patch.
    case .syntax(let error): "column \(error.place.column): \(error.fact.sentence)"
    case .expected(let what, let field): "expected \(what) in \(field)"
    case .unknownKind(let word, let nearest): "there is no kind of change '\(word)'\(ErrorReport.hint(nearest))"
    case .count(let expected, let found):
      "the patch has \(ErrorReport.count(found, "change")), and its first line says \(expected)"
    }
  }
}
