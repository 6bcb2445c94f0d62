package import Queries
package import Refusals
package import SwiftParsing

/// Something that a check found in Swift source, as a fact with its place.
package struct SourceFinding: Sendable {
  /// How bad it is.
  package enum Severity: String, Sendable {
    /// It fails where the program runs, or always selects something else.
    case error
    /// It works for some values, and not for others.
    case warning
    /// It works, and may be meant otherwise.
    case note
  }

  /// A kind of finding.
  package enum Fact: Sendable {
    /// The format does not parse, or names or compares what the model does not have.
    case predicate(PredicateError.Fact)
    /// `#Predicate` says what Apple's stores do not take.
    case swift(SwiftReadingError.Fact)
    /// Apple's store refuses it, or answers otherwise.
    case refusal(Refusal)
    /// A placeholder of another kind than its argument: the one to write instead.
    case placeholder(String, argument: String, instead: String)
    /// A number of arguments that is not the number of placeholders.
    case argumentCount(placeholders: Int, given: Int)
    /// A value or a key that is put into the text of a predicate.
    case text(String, isKey: Bool)
    /// An entity that no model has.
    case entity(String, nearest: String)
    /// A key of an object that its entity does not have.
    case key(String, entity: String, nearest: String?)
    /// A comment that silences a line and does not say why.
    case silenceWithoutReason
  }

  package var fact: Fact
  package var severity: Severity
  /// Where it stands, in bytes of the file.
  package var range: Range<Int>

  /// A word for the kind, which stays the same between versions.
  package var rule: String {
    switch fact {
    case .predicate(let fact): fact.rule
    case .swift: "predicate-macro"
    case .refusal(let refusal): refusal.rule.id
    case .placeholder: "placeholder"
    case .argumentCount: "argument-count"
    case .text: "predicate-from-text"
    case .entity: "unknown-entity"
    case .key: "unknown-key"
    case .silenceWithoutReason: "ignore-without-reason"
    }
  }
}

extension PredicateError.Fact {
  /// A word for the kind of error.
  fileprivate var rule: String {
    switch self {
    case .unknownProperty, .unquotedText, .propertyOfSubentity, .unknownSubentity, .notARelationship, .unknownEntity:
      "unknown-key"
    case .typeMismatch, .wrongOperand, .toManyWithoutQuantifier, .quantifierNeedsToMany, .unsupported, .keyOfValue:
      "wrong-type"
    case .tooFewArguments, .tooManyArguments: "argument-count"
    case .unknownPlaceholder, .wrongArgument, .placeholderInQuotes: "placeholder"
    default: "syntax"
    }
  }
}
