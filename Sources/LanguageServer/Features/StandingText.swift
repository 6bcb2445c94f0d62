internal import Modeling
internal import ObjectGraph
internal import Queries
internal import Session
internal import SourceChecking
internal import SwiftReading

/// A predicate or a key path that stands in a document, as a text or as a macro.
struct StandingText {
  /// What it is.
  enum Form {
    case predicate, keyPath, aggregate, macro
  }

  let form: Form
  /// The text as the program has it; for a macro its source.
  let text: String
  /// Where it stands, in bytes of the document.
  let range: Range<Int>
  let subject: Workspace.Subject?
  /// The condition, where all of it is known but the values of variables.
  let condition: Predicate?
  /// The value of `#Expression`, where all of it is known.
  var value: Expression?
  /// The byte of the text at a byte of the document.
  let offset: (Int) -> Int?
  /// The place in the document of a range of the text.
  let source: (Range<Int>) -> Range<Int>

  /// The key path up to the name at a byte of the text; empty where there is none.
  func keyPath(at offset: Int) -> (path: String, range: Range<Int>) {
    let bytes = Array(text.utf8)
    func isPart(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "_") || byte >= 0x80 || byte.isLetterOrDigit }
    var (start, end) = (min(offset, bytes.count), min(offset, bytes.count))
    while end < bytes.count, isPart(bytes[end]) { end += 1 }
    while start > 0, isPart(bytes[start - 1]) { start -= 1 }
    let name = start..<end
    while start > 0, isPart(bytes[start - 1]) || bytes[start - 1] == UInt8(ascii: ".") { start -= 1 }
    return (String(decoding: bytes[start..<end], as: UTF8.self), name)
  }
}

extension UInt8 {
  fileprivate var isLetterOrDigit: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}

extension Workspace {
  /// The predicate or the key path at a byte of a document; nil where there is none.
  func standingText(at offset: Int, in document: TextDocument, among documents: [TextDocument]) -> StandingText? {
    switch document.language {
    case .lua?: standingString(at: offset, in: document)
    case .swift?:
      site(at: offset, in: document, among: documents).flatMap { standingText($0, in: document, among: documents) }
    case nil: nil
    }
  }

  /// The predicates and the key paths of a document, in its order. O(length).
  func standingTexts(in document: TextDocument, among documents: [TextDocument]) -> [StandingText] {
    switch document.language {
    case .lua?:
      guard let session = session(of: document) else { return [] }
      return session.session.strings(inScript: document.text).map { standingText($0, session) }
    case .swift?:
      return sites(of: document, among: documents).all.compactMap { standingText($0, in: document, among: documents) }
    case nil: return []
    }
  }

  private func standingString(at offset: Int, in document: TextDocument) -> StandingText? {
    guard let session = session(of: document) else { return nil }
    return session.session.string(inScript: document.text, at: offset).map { standingText($0, session) }
  }

  private func standingText(_ string: ScriptString, _ session: QuietSession) -> StandingText {
    let form: StandingText.Form =
      switch string.kind {
      case .predicate: .predicate
      case .keyPath: .keyPath
      case .aggregate: .aggregate
      }
    return StandingText(
      form: form, text: string.text, range: string.source(0..<string.text.utf8.count),
      subject: string.entity.map { subject($0, session) },
      condition: form == .predicate ? try? Predicate.parse(string.text) : nil,
      offset: { string.offset(ofSource: $0) }, source: { string.source($0) })
  }

  /// The place of Swift source whose text or macro a byte stands in.
  func site(at offset: Int, in document: TextDocument, among documents: [TextDocument]) -> SourceSite? {
    sites(of: document, among: documents).all.last { site in
      let range: Range<Int>
      switch site.subject {
      case .format(let format): range = format.format.whole
      case .key(let text), .entityName(let text): range = text.whole
      case .macro, .keyPath: range = site.range
      case .unread: return false
      }
      return range.contains(offset) || range.upperBound == offset
    }
  }

  private func standingText(
    _ site: SourceSite, in document: TextDocument, among documents: [TextDocument]
  ) -> StandingText? {
    let subject = subject(of: site, in: document, among: documents)
    func standing(_ form: StandingText.Form, _ text: PlacedText, _ condition: Predicate?) -> StandingText {
      StandingText(
        form: form, text: text.text, range: text.whole, subject: subject, condition: condition,
        offset: { text.offset(ofSource: $0) }, source: { text.source($0) })
    }
    switch site.subject {
    case .format(let format): return standing(.predicate, format.format, try? FormatReading(format).predicate())
    case .key(let text): return standing(.keyPath, text, nil)
    case .macro(let macro):
      let start = site.range.lowerBound
      let read = subject.flatMap { macro.predicate(of: $0.entity, hasOptionals: $0.isSwiftData) }
      let value = subject.flatMap { macro.expression(of: $0.entity, hasOptionals: $0.isSwiftData) }
      return StandingText(
        form: .macro, text: String(decoding: document.bytes[site.range], as: UTF8.self), range: site.range,
        subject: subject, condition: read.flatMap { $0.issues.isEmpty ? $0.predicate : nil },
        value: value.flatMap { $0.issues.isEmpty ? $0.expression : nil },
        offset: { $0 - start }, source: { start + $0.lowerBound..<start + $0.upperBound })
    case .keyPath, .entityName, .unread: return nil
    }
  }

  // MARK: Entities

  /// The entity that a predicate is about, and the context of its store where there is one.
  struct Subject {
    let entity: Entity
    let isSwiftData: Bool
    let context: ObjectContext?
    let session: QuietSession?
  }

  private func subject(_ entity: Entity, _ session: QuietSession) -> Subject {
    Subject(
      entity: entity, isSwiftData: session.engine.store?.model.hasSwiftTypes == true,
      context: storePath != nil ? session.engine.stores.context(of: entity) : nil, session: session)
  }

  /// What a place of Swift source is about; nil where that is not known.
  func subject(of site: SourceSite, in document: TextDocument, among documents: [TextDocument]) -> Subject? {
    guard let name = site.entity else { return nil }
    if isModelNamed {
      guard let session = session(of: document), let model = session.engine.store?.model,
        let entity = SourceModel(model, isSwiftData: model.hasSwiftTypes).entity(name)
      else { return nil }
      return subject(entity, session)
    }
    let models = project(of: document, among: documents)?.models ?? []
    guard let model = models.first(where: { $0.entity(name) != nil }), let entity = model.entity(name) else {
      return nil
    }
    return Subject(entity: entity, isSwiftData: model.isSwiftData, context: nil, session: session(of: document))
  }
}
