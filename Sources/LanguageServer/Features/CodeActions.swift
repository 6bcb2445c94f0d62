internal import Modeling
internal import Queries
internal import Session
internal import SourceChecking
internal import SwiftPrinting
internal import SwiftReading

/// What can be done at a place of a document: a nearest name written, a predicate written in its other form, or tried.
struct CodeActions {
  let document: TextDocument
  let range: Range<Int>
  /// The kinds that the client wants; nil for all.
  private let kinds: [String]?

  init(_ document: TextDocument, in range: Range<Int>, kinds: [String]?) {
    (self.document, self.range, self.kinds) = (document, range, kinds)
  }

  /// The actions as the protocol lists them.
  func json(in workspace: Workspace, among documents: [TextDocument]) -> JSON {
    var actions: [JSON] = []
    if wants("quickfix") {
      actions += corrections(workspace, documents) + methodCall(workspace) + placeholders(workspace, documents)
    }
    if wants("refactor.rewrite") { actions += rewriting(workspace, documents) }
    if kinds == nil { actions += trying(workspace, documents) }
    return .array(actions)
  }

  /// Whether the client wants a kind; `refactor` stands for `refactor.rewrite`, too.
  private func wants(_ kind: String) -> Bool {
    kinds.map { $0.contains { kind == $0 || kind.hasPrefix($0 + ".") } } ?? true
  }

  func edit(_ range: Range<Int>, _ text: String) -> JSON {
    let edit: JSON = .object(["range": document.json(range), "newText": .string(text)])
    return .object(["changes": .object([document.uri: .array([edit])])])
  }

  // MARK: Corrections

  private func corrections(_ workspace: Workspace, _ documents: [TextDocument]) -> [JSON] {
    workspace.findings(in: document, among: documents).compactMap { finding in
      let marked = finding.marked(in: document)
      guard let correction = finding.correction, marked.lowerBound <= range.upperBound,
        range.lowerBound <= marked.upperBound, let place = last(correction.wrong, in: marked)
      else { return nil }
      return .object([
        "title": .string("Write \(correction.right)"), "kind": .string("quickfix"), "isPreferred": .bool(true),
        "diagnostics": .array([finding.json(in: document)]), "edit": edit(place, correction.right),
      ])
    }
  }

  /// The last place of a word in a part of the document.
  private func last(_ word: String, in part: Range<Int>) -> Range<Int>? {
    let wanted = Array(word.utf8)
    guard !wanted.isEmpty, part.count >= wanted.count else { return nil }
    let start = (part.lowerBound...part.upperBound - wanted.count).last {
      document.bytes[$0..<$0 + wanted.count].elementsEqual(wanted)
    }
    return start.map { $0..<$0 + wanted.count }
  }

  // MARK: The other form

  /// `NSPredicate(format:)` as `#Predicate`, and the other way round, where all values have names.
  private func rewriting(_ workspace: Workspace, _ documents: [TextDocument]) -> [JSON] {
    guard document.language == .swift, let site = workspace.site(at: range.lowerBound, in: document, among: documents),
      let subject = workspace.subject(of: site, in: document, among: documents)
    else { return [] }
    let written: (form: SwiftForm, condition: Predicate?)
    switch site.subject {
    case .format(let format): written = (.macro, Self.condition(of: format))
    case .macro(let macro):
      let read = macro.predicate(of: subject.entity, hasOptionals: subject.isSwiftData)
      written = (.nspredicate, read.flatMap { $0.issues.isEmpty ? $0.predicate : nil })
    default: return []
    }
    var printer = SwiftPrinter(entity: subject.entity)
    printer.isInline = true
    guard let condition = written.condition, let text = try? printer.source(of: condition, as: written.form),
      !text.hasPrefix("let ")
    else { return [] }
    return [
      .object([
        "title": .string("Write as \(written.form == .macro ? "#Predicate" : "NSPredicate")"),
        "kind": .string("refactor.rewrite"), "edit": edit(site.range, text),
      ])
    ]
  }

  /// The condition of a format whose arguments are values or names; nil for others.
  private static func condition(of format: FormatSite) -> Predicate? {
    let reading = FormatReading(format) { number in
      guard let arguments = format.arguments, number < arguments.count else { return nil }
      let argument = arguments[number]
      let name = argument.source.firstRange(of: " as ").map { String(argument.source[..<$0.lowerBound]) }
      return SwiftPrinter.isName(name ?? argument.source) ? name ?? argument.source : nil
    }
    return reading.map { try? $0.predicate() } ?? nil
  }

  // MARK: Trying

  /// The command that counts the objects and says how to go on in Perilune.
  private func trying(_ workspace: Workspace, _ documents: [TextDocument]) -> [JSON] {
    guard let standing = workspace.standingText(at: range.lowerBound, in: document, among: documents),
      standing.isCountable
    else { return [] }
    let command = ServerCommand.tryPredicate
    return [
      .object(["title": .string(command.title), "command": command.json(document, at: range.lowerBound)])
    ]
  }
}
