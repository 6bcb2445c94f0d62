internal import Modeling
internal import Queries
internal import SwiftParsing
package import SwiftReading

/// Looks for mistakes in what Swift source says about a model, without compiling it.
///
/// ```swift
/// let checker = SourceChecker([SourceModel(model, isSwiftData: false)])
/// checker.check(#"NSPredicate(format: "magnitude >>= 6")"#).findings       // one, at >>=
/// ```
///
/// What is not certain is not said: where the entity of a predicate is not known, its syntax alone is checked, and where
/// several models have the entity, it must be wrong in all of them.
package struct SourceChecker: Sendable {
  private let models: [SourceModel]
  /// Whether the requests are read, too.
  private let readsRequests: Bool

  /// What was found in a file.
  package struct Result: Sendable {
    /// The findings, in the order of the file.
    package var findings: [SourceFinding] = []
    /// The requests whose objects a store can be asked how it would find.
    package var requests: [SourceRequest] = []
    /// The number of predicates, orders and keys that were checked.
    package var checked = 0
    /// The number of those whose entity is not known, so that their syntax alone was checked.
    package var withoutEntity = 0
    /// The number of those that are put together where the program runs, and were not checked.
    package var unread = 0

    /// A result of which nothing is known yet.
    package init() {}
  }

  /// A checker against models; without one it checks syntax alone.
  package init(_ models: [SourceModel], readsRequests: Bool = false) {
    (self.models, self.readsRequests) = (models, readsRequests)
  }

  /// Checks the text of a file. O(length).
  package func check(_ text: String) -> Result { check(text, SourceSites(text)) }

  /// Checks the places of a text.
  package func check(_ text: String, _ sites: SourceSites) -> Result {
    var result = Result()
    for site in sites.all {
      if case .unread = site.subject {
        result.unread += 1
        continue
      }
      result.checked += 1
      let subjects = subjects(of: site)
      if subjects.isEmpty, site.needsEntity { result.withoutEntity += 1 }
      // It must be wrong in all models that have the entity.
      let found = subjects.isEmpty ? [findings(site, nil)] : subjects.map { findings(site, $0) }
      result.findings += found.min { $0.count < $1.count } ?? []
      if readsRequests, subjects.count == 1, let request = SourceRequest(site, subjects[0]) {
        result.requests.append(request)
      }
    }
    silence(&result, sites, text)
    return result
  }

  private func subjects(of site: SourceSite) -> [Subject] {
    guard let name = site.entity else { return [] }
    return models.compactMap { model in
      model.entity(name).map { Subject(entity: $0, isSwiftData: model.isSwiftData, isLikely: site.isLikely) }
    }
  }

  /// The entity that a site is about.
  struct Subject {
    var entity: Entity
    var isSwiftData: Bool
    /// Whether the site may be about another entity; then an unknown key counts where it is nearly one that there is. Short
    /// keys are near to others by chance.
    var isLikely = false

    /// Whether an unknown key is one of another entity, as far as is known.
    func isElsewhere(_ key: String, nearest: String?) -> Bool {
      isLikely && (key.count < 5 || nearest.map { abs($0.count - key.count) > 2 } ?? true)
    }
  }

  private func findings(_ site: SourceSite, _ subject: Subject?) -> [SourceFinding] {
    switch site.subject {
    case .format(let format): FormatCheck(format, site, subject).findings
    case .key(let text): KeyCheck(text, site.use, subject).findings
    case .keyPath(let names, let range): KeyCheck(names, range, site.use, subject).findings
    case .macro(let macro): macroFindings(macro, site, subject)
    case .entityName(let name): entityFindings(name)
    case .unread: []
    }
  }

  /// An entity that no model has, where one has a name that is near: models may be elsewhere.
  private func entityFindings(_ name: PlacedText) -> [SourceFinding] {
    let known = models.filter { !$0.isSwiftData }.flatMap { $0.model.entities.map(\.name) }
    guard !known.contains(name.text), !models.contains(where: { $0.entity(name.text) != nil }),
      let nearest = nearestName(to: name.text, in: known), abs(nearest.count - name.text.count) <= 2
    else { return [] }
    return [SourceFinding(fact: .entity(name.text, nearest: nearest), severity: .error, range: name.whole)]
  }

  // MARK: Macros

  private func macroFindings(_ macro: MacroSite, _ site: SourceSite, _ subject: Subject?) -> [SourceFinding] {
    guard let subject else { return [] }
    if let read = macro.expression(of: subject.entity, hasOptionals: subject.isSwiftData) {
      return findings(read.issues, site)
    }
    guard let read = macro.predicate(of: subject.entity, hasOptionals: subject.isSwiftData) else { return [] }
    if !read.issues.isEmpty { return findings(read.issues, site) }
    return Refusals(subject, subject.isSwiftData ? .swiftData : .sqlite).findings(read.predicate) { $0 ?? site.range }
  }

  /// The mistakes in a macro that hold for a model. What else does not compile is the compiler's to say, in its words.
  private func findings(_ issues: [SwiftReadingError.Issue], _ site: SourceSite) -> [SourceFinding] {
    issues.compactMap { issue in
      switch issue.fact {
      case .unknownProperty, .predicate(.unknownProperty), .otherResult: break
      default: return nil
      }
      return SourceFinding(fact: .swift(issue.fact), severity: .error, range: issue.origin?.range ?? site.range)
    }
  }

  // MARK: Silence

  /// Leaves out the findings of lines that a comment silences; one without a reason is a finding itself.
  private func silence(_ result: inout Result, _ sites: SourceSites, _ text: String) {
    defer { result.findings.sort { $0.range.lowerBound < $1.range.lowerBound } }
    guard !sites.silences.isEmpty else { return }
    let lines = SourceLines(text)
    func isSilent(_ range: Range<Int>) -> Bool { sites.silences[lines.line(of: range.lowerBound)] != nil }
    result.findings.removeAll { isSilent($0.range) }
    result.requests.removeAll { ($0.predicate ?? $0.order).map(isSilent) == true }
    for silence in sites.silences.values where silence.reason.isEmpty {
      result.findings.append(
        SourceFinding(fact: .silenceWithoutReason, severity: .warning, range: silence.range))
    }
  }
}

extension SourceSite {
  /// Whether it says more than a syntax, so that its entity matters.
  fileprivate var needsEntity: Bool { if case .entityName = subject { false } else { true } }
}
