internal import Modeling
internal import Queries
internal import Refusals

/// What Apple's store refuses of a request, or answers otherwise.
struct Refusals {
  private let subject: SourceChecker.Subject
  private let store: AppleStore

  init(_ subject: SourceChecker.Subject, _ store: AppleStore) { (self.subject, self.store) = (subject, store) }

  /// The refused parts of a condition; `place` finds them in the source.
  func findings(_ predicate: Predicate, _ place: (Range<Int>?) -> Range<Int>) -> [SourceFinding] {
    var request = FetchRequest(subject.entity)
    request.predicate = predicate
    return findings(request) { place($0?.range) }
  }

  /// The refused parts of a condition that was read from a text.
  func findings(_ predicate: Predicate, _ place: (Origin?) -> Range<Int>) -> [SourceFinding] {
    var request = FetchRequest(subject.entity)
    request.predicate = predicate
    return findings(request, place)
  }

  /// The refused parts of an order.
  func findings(_ order: SortDescriptor, _ place: (Origin?) -> Range<Int>) -> [SourceFinding] {
    var request = FetchRequest(subject.entity)
    request.sortDescriptors = [order]
    return findings(request, place)
  }

  private func findings(_ request: FetchRequest, _ place: (Origin?) -> Range<Int>) -> [SourceFinding] {
    request.refusals(of: store).compactMap { refusal in
      // Unknown keys are found by the check. What is only slow is no mistake, and what some versions of a system alone do not
      // take is not certain.
      guard refusal.rule.id != "unknown-key-path", !Self.uncertain.contains(refusal.rule.id),
        refusal.rule.versions == nil, let severity = severity(of: refusal),
        refusal.rule.id != "not-equal-and-nil" || mayBeNil(refusal.part, in: request.predicate)
      else { return nil }
      return SourceFinding(fact: .refusal(refusal), severity: severity, range: place(refusal.origin))
    }
  }

  /// Rules that do not hold for each use: a transformable attribute may be compared whole, where its transformer gives equal
  /// bytes for equal values; and apps ship requests with several quantifiers, though Apple's documents allow one.
  private static let uncertain: Set<String> = ["transformable-content", "several-quantifiers"]

  private func severity(of refusal: Refusal) -> SourceFinding.Severity? {
    switch refusal.rule.severity {
    case .slow: nil
    case .wrong: refusal.rule.id == "not-equal-and-nil" ? .note : .warning
    case .refused, .crash: .error
    }
  }

  /// Whether the left side of a comparison is an attribute that has no default, and so is nil until it is set.
  private func mayBeNil(_ part: String, in predicate: Predicate?) -> Bool {
    switch predicate {
    case .comparison(let comparison)?:
      guard predicate?.description == part, case .path(let path) = comparison.left else { return false }
      guard let attribute = (try? path.resolve(in: subject.entity))?.finalAttribute else { return true }
      return attribute.defaultValue.isNull
    case .and(let terms)?, .or(let terms)?: return terms.contains { mayBeNil(part, in: $0) }
    case .not(let inner)?: return mayBeNil(part, in: inner)
    default: return false
    }
  }
}
