public import Queries

/// A part of a request that one of Apple's stores would not take, or would answer otherwise.
public struct Refusal: Sendable {
  /// The broken rule.
  public var rule: RefusalRule
  /// The part, in the format language.
  public var part: String
  /// The place in the text; nil if the request was not read from one.
  public var origin: Origin?
  /// What Apple's framework says, where it is known.
  public var appleText: String?
  /// The whole predicate, written so that it selects the same and keeps the rule; nil where only words help.
  public var wayRound: Predicate?
}

/// A store, or the frameworks over it, that predicates and requests are written for.
public enum AppleStore: String, CaseIterable, Hashable, Sendable {
  case sqlite
  case memory
  case swiftData

  /// What people call it.
  public var name: String {
    switch self {
    case .sqlite: "Core Data SQLite"
    case .memory: "Core Data in memory"
    case .swiftData: "SwiftData"
    }
  }
}

/// How bad it is to break a rule.
public enum RefusalSeverity: String, CaseIterable, Hashable, Sendable {
  /// An exception or an error: of the store, of Apple's parser, or of the compiler.
  case refused
  /// The process ends.
  case crash
  /// An answer that is not the one that was meant, without a word.
  case wrong
  /// Every row is read.
  case slow
}

extension FetchRequest {
  /// The parts of the request that Apple's stores would refuse, in the order of the rules.
  ///
  ///     var request = FetchRequest(quake)
  ///     request.predicate = try Predicate.parse("ALL reports.score > 3")
  ///     request.refusals().map(\.rule.id)       // ["all-over-to-many"]
  ///
  /// Names and types need not be right: parts with unknown names are refused, too.
  public func refusals(of store: AppleStore? = nil) -> [Refusal] {
    let subject = RefusalSubject(self)
    return RefusalRule.all.flatMap { rule -> [Refusal] in
      guard store.map(rule.stores.contains) ?? true else { return [] }
      let places = rule.find(subject)
      guard !places.isEmpty else { return [] }
      let wayRound = wayRound(rule, subject)
      return places.map { place in
        Refusal(
          rule: rule, part: place.part, origin: place.origin, appleText: place.appleText ?? rule.appleText,
          wayRound: place.isInPredicate ? wayRound : nil)
      }
    }
  }

  /// The predicate written so that it keeps a rule; nil where some of it still breaks the rule.
  private func wayRound(_ rule: RefusalRule, _ subject: RefusalSubject) -> Predicate? {
    guard let mended = rule.mend.flatMap({ subject.mended(by: $0) }) else { return nil }
    var request = self
    request.predicate = mended
    return rule.find(RefusalSubject(request)).allSatisfy { !$0.isInPredicate } ? mended : nil
  }
}
