internal import Queries

/// Something that Apple's stores refuse, crash on, answer wrongly or answer slowly: how it is found and what helps.
///
/// To add one: a value in the file of its subject and its place in that file's list, a row in the table of the
/// documentation, and in RefusalTests a text that breaks it and a near one that does not; with `mend` the tests also hold
/// the way round to the answers of the original.
public struct RefusalRule: Sendable {
  /// Its name, in words with hyphens.
  public let id: String
  /// How bad it is to break it.
  public let severity: RefusalSeverity
  /// The stores that the rule applies to.
  public let stores: [AppleStore]
  /// The versions that mind, where it is not all of them.
  public var versions: String?
  /// One sentence: which request has which effect.
  public let summary: String
  /// What Apple's framework says; nil where that is not known.
  public var appleText: String?
  /// What to write instead, in words.
  public let advice: String
  /// The places that break it.
  let find: @Sendable (RefusalSubject) -> [RefusalPlace]
  /// The condition that selects the same and keeps the rule; nil for conditions that are right or cannot be mended.
  var mend: RefusalMending?

  /// Every rule, in the order of the documentation.
  public static let all: [RefusalRule] =
    quantifiers + operands + content + functions + language + texts + swiftData + macros + speed + orders + groups
}

/// Writes a condition that breaks a rule in another way.
typealias RefusalMending = @Sendable (Predicate, RefusalScope) -> Predicate?

/// A place that breaks a rule.
struct RefusalPlace {
  var part: String
  var origin: Origin?
  var appleText: String?
  /// Whether it is part of the predicate, so that another predicate may help.
  var isInPredicate = true
}
