internal import Modeling
internal import Queries
internal import SwiftReading

/// Checks `NSPredicate(format:)` with its arguments.
struct FormatCheck {
  private(set) var findings: [SourceFinding] = []
  private let site: SourceSite
  private let format: FormatSite
  private let subject: SourceChecker.Subject?
  private let reading: FormatReading
  private var placeholders: [PlaceholderKinds.Placeholder] { reading.placeholders }

  init(_ format: FormatSite, _ site: SourceSite, _ subject: SourceChecker.Subject?) {
    (self.format, self.site, self.subject) = (format, site, subject)
    reading = FormatReading(format)
    for value in format.inserted { add(.text(value.source, isKey: value.isKey), .warning, value.range) }
    guard !format.format.text.isEmpty else { return }
    checkArguments()
    checkPredicate()
  }

  private mutating func add(_ fact: SourceFinding.Fact, _ severity: SourceFinding.Severity, _ range: Range<Int>) {
    findings.append(SourceFinding(fact: fact, severity: severity, range: range))
  }

  private func source(_ origin: Origin?) -> Range<Int> {
    guard let origin, origin.text == format.format.text, !origin.range.isEmpty else { return format.format.whole }
    return format.format.source(origin.range)
  }

  // MARK: Arguments

  private mutating func checkArguments() {
    guard let arguments = format.arguments else { return }
    if arguments.count != placeholders.count {
      let isTooMany = arguments.count > placeholders.count
      let range = isTooMany ? arguments[placeholders.count].range : source(of: placeholders[arguments.count])
      add(
        .argumentCount(placeholders: placeholders.count, given: arguments.count), isTooMany ? .warning : .error, range)
    }
    guard !format.isListOfObjects else { return }
    for (placeholder, argument) in zip(placeholders, arguments) where !argument.isInserted {
      guard let kind = argument.kind, let instead = Self.instead(of: placeholder.specification, for: kind) else {
        continue
      }
      add(
        .placeholder("%" + placeholder.specification, argument: argument.source, instead: instead), .error,
        source(of: placeholder))
    }
  }

  private func source(of placeholder: PlaceholderKinds.Placeholder) -> Range<Int> {
    format.format.source(placeholder.range)
  }

  /// The placeholder for a kind of argument, where another one is written.
  private static func instead(of specification: String, for kind: SiteArgument.Kind) -> String? {
    let letter = specification.last ?? "@"
    let isObject = letter == "@" || letter == "K"
    let isFraction = "fFeEgGaA".contains(letter)
    let isInteger = "dDiuUxXoOcC".contains(letter)
    guard isObject || isFraction || isInteger else { return nil }
    switch kind {
    case .object: return isObject ? nil : "%@"
    case .integer: return isInteger ? nil : "%ld"
    case .double: return isFraction ? nil : "%f"
    }
  }

  // MARK: The predicate

  private mutating func checkPredicate() {
    let predicate: Predicate
    do { predicate = try reading.predicate() } catch {
      for issue in error.issues where !Self.isOfArguments(issue.fact) {
        add(.predicate(issue.fact), .error, source(issue.origin))
      }
      return
    }
    guard let subject else { return }
    do {
      try predicate.check(in: subject.entity)
    } catch {
      guard !error.issues.contains(where: { isElsewhere($0.fact, subject) }) else { return }
      for issue in error.issues where !isOfUnknownKey(issue) && Known.isCertain(issue.fact) {
        add(.predicate(issue.fact), .error, source(issue.origin))
      }
      return
    }
    guard !reading.hasUnknownKey else { return }
    findings += Refusals(subject, .sqlite).findings(predicate) { [self] in source($0) }
  }

  /// Errors of arguments, which are found without the parser.
  private static func isOfArguments(_ fact: PredicateError.Fact) -> Bool {
    switch fact {
    case .tooFewArguments, .tooManyArguments, .wrongArgument: true
    default: false
    }
  }

  private func isElsewhere(_ fact: PredicateError.Fact, _ subject: SourceChecker.Subject) -> Bool {
    guard case .unknownProperty(let name, _, let nearest) = fact else { return false }
    return subject.isElsewhere(name, nearest: nearest)
  }

  private func isOfUnknownKey(_ issue: PredicateError.Issue) -> Bool {
    guard case .unknownProperty(let name, _, _) = issue.fact else { return false }
    // A class may give a property another name than its key.
    let compiled = (format.arguments ?? []).filter(\.isCompiledKey).flatMap { argument in
      argument.key?.text.split(separator: ".").map(String.init) ?? []
    }
    return FormatReading.isUnknown(name) || compiled.contains(name)
  }
}

/// What is known of Apple's store beyond the model.
enum Known {
  /// Whether an error of the check is one for Apple's store, too.
  static func isCertain(_ fact: PredicateError.Fact) -> Bool {
    switch fact {
    case .unknownProperty(let name, _, _): !virtualKeys.contains(name)
    case .unboundVariable, .unknownVariable: false
    default: true
    }
  }

  /// Keys that each object has besides those of its entity.
  static let virtualKeys: Set<String> = ["self", "objectID", "entity", "persistentModelID", "description"]
}
