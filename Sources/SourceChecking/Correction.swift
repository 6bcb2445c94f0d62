package import Queries

/// A wrong word of a text, and what is probably meant.
package struct Correction: Hashable, Sendable {
  package var wrong: String
  package var right: String

  /// A correction to a word that is near; nil where none is.
  package init?(_ wrong: String, _ right: String?) {
    guard let right else { return nil }
    (self.wrong, self.right) = (wrong, right)
  }
}

extension PredicateError.Fact {
  /// The wrong word and the right one, where the mistake is one word.
  package var correction: Correction? {
    switch self {
    case .unknownOperator(let name, let nearest), .unknownFunction(let name, let nearest),
      .unknownProperty(let name, _, let nearest), .unquotedText(let name, _, let nearest, _),
      .unknownSubentity(let name, _, let nearest), .unboundVariable(let name, let nearest),
      .unknownVariable(let name, let nearest), .unknownEntity(let name, let nearest):
      Correction(name, nearest)
    default: nil
    }
  }
}

extension SourceFinding {
  /// The wrong word and the right one, where the mistake is one word.
  package var correction: Correction? {
    switch fact {
    case .predicate(let fact), .swift(.predicate(let fact)): fact.correction
    case .swift(.unknownProperty(let name, _, let nearest)), .key(let name, _, let nearest): Correction(name, nearest)
    case .entity(let name, let nearest): Correction(name, nearest)
    case .placeholder(let placeholder, _, let instead): Correction(placeholder, instead)
    case .swift, .refusal, .argumentCount, .text, .silenceWithoutReason: nil
    }
  }
}
