internal import Modeling
internal import Queries
internal import Session
internal import SourceChecking
internal import SwiftReading

/// How what is called at a place of a document is called: a function of Perilune or of the predicate language, and a format with its
/// arguments.
///
///     Quake:where("magnitude > %@ AND place == %@", 5, |      // the second %@: a String, compared with Quake.place
struct SignatureHelp {
  /// A call, and the parameter that stands at the place.
  private struct Signature {
    var text: String
    var summary = ""
    /// Where the parameters stand in the text, in bytes.
    var parameters: [(range: Range<Int>, summary: String)]
    var active: Int
  }

  private let document: TextDocument
  private let offset: Int

  init(_ document: TextDocument, at offset: Int) { (self.document, self.offset) = (document, offset) }

  /// The signatures as the protocol lists them, the innermost as the active one; null where nothing is known.
  func json(in workspace: Workspace, among documents: [TextDocument]) -> JSON {
    var signatures: [Signature] = []
    switch document.language {
    case .lua?: signatures = scriptCall(workspace)
    case .swift?: signatures = formatCall(workspace, documents)
    case nil: break
    }
    if let standing = workspace.standingText(at: offset, in: document, among: documents), standing.form == .predicate,
      let place = standing.offset(offset), let call = Self.predicateCall(standing.text, place)
    {
      signatures.append(Self.signature(call))
    }
    guard let last = signatures.last else { return .null }
    return .object([
      "signatures": .array(signatures.map(Self.json)), "activeSignature": .int(Int64(signatures.count - 1)),
      "activeParameter": .int(Int64(last.active)),
    ])
  }

  // MARK: Calls

  private static func signature(_ call: CallSignature) -> Signature {
    Signature(
      text: call.text, summary: call.summary, parameters: call.parameters.map { ($0, "") }, active: call.parameter)
  }

  private func scriptCall(_ workspace: Workspace) -> [Signature] {
    guard let session = workspace.session(of: document)?.session,
      let call = session.signature(inScript: document.text, at: offset)
    else { return [] }
    let format = call.format.flatMap {
      Self.format(FormatReading($0.text), $0.text, argument: call.argument - 1, of: $0.entity, session)
    }
    return [Self.signature(call)] + (format.map { [$0] } ?? [])
  }

  private func formatCall(_ workspace: Workspace, _ documents: [TextDocument]) -> [Signature] {
    let typed = withNextArgument
    let site = workspace.sites(of: typed, among: documents).all.last {
      $0.range.lowerBound < offset && offset < $0.range.upperBound
    }
    guard let site, case .format(let format) = site.subject, format.format.whole.upperBound < offset else { return [] }
    let subject = workspace.subject(of: site, in: document, among: documents)
    // The comma belongs to what is before it.
    let argument = (format.arguments ?? []).filter { !$0.isInserted }.prefix { $0.range.upperBound < offset }.count
    let inserted = (format.arguments ?? []).prefix { $0.isInserted }.count
    return Self.format(
      FormatReading(format.format.text, keys: format.arguments ?? []), format.format.text,
      argument: argument + inserted, of: subject?.entity,
      (subject?.session ?? workspace.session(of: document))?.session
    ).map { [$0] } ?? []
  }

  /// The document with a name where the next argument is not typed yet, so that the call is one.
  private var withNextArgument: TextDocument {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
    guard document.bytes[..<offset].last(where: { !isBlank($0) }) == UInt8(ascii: ","),
      let next = document.bytes[offset...].first(where: { !isBlank($0) }),
      [UInt8(ascii: ")"), UInt8(ascii: ",")].contains(next)
    else { return document }
    var typed = document
    let place = document.position(of: offset)
    typed.replace((place, place), with: "next")
    return typed
  }

  /// The function of the predicate language whose parentheses stand around a byte of a text.
  private static func predicateCall(_ text: String, _ place: Int) -> CallSignature? {
    let bytes = Array(text.utf8)
    var open: [(name: String, argument: Int)] = []
    var name = ""
    for word in PredicateWord.words(of: text).prefix(while: { $0.range.upperBound <= place }) {
      let own = String(decoding: bytes[word.range], as: UTF8.self)
      switch own {
      case "(", "{", "[": open.append((own == "(" ? name : "", 0))
      case ")", "}", "]": _ = open.popLast()
      case ",": if !open.isEmpty { open[open.count - 1].argument += 1 }
      default: break
      }
      name = word.kind == .function || word.kind == .keyword ? own : ""
    }
    return open.last.flatMap { CallSignature(predicateFunction: $0.name, argument: $0.argument) }
  }

  // MARK: Formats

  /// A format, with what is expected for each of its placeholders.
  private static func format(
    _ reading: FormatReading, _ text: String, argument: Int, of entity: Entity?, _ session: Session?
  ) -> Signature? {
    guard !reading.placeholders.isEmpty else { return nil }
    let counterparts = reading.counterparts
    let parameters = reading.placeholders.enumerated().map { number, placeholder -> (Range<Int>, String) in
      if placeholder.specification.hasSuffix("K") {
        return (placeholder.range, "a key path" + (entity.map { " of \($0.name)" } ?? ""))
      }
      guard let (expression, isList) = counterparts[number] else { return (placeholder.range, "") }
      var other = expression.description
      if case .path(let path) = expression, let entity,
        let help = session?.help(onKeyPath: path.components.map(\.name).joined(separator: "."), of: entity)
      {
        other = help.signature
      }
      return (placeholder.range, (isList ? "a list for " : "for ") + Markdown.code(other))
    }
    return Signature(text: text, parameters: parameters, active: argument)
  }

  // MARK: The protocol

  private static func json(_ signature: Signature) -> JSON {
    var members: [String: JSON] = [
      "label": .string(signature.text), "activeParameter": .int(Int64(signature.active)),
      "parameters": .array(
        signature.parameters.map { range, summary in
          // Counted in UTF-16 in each encoding of positions.
          let ends = [range.lowerBound, range.upperBound].map {
            JSON.int(Int64(String(decoding: signature.text.utf8.prefix($0), as: UTF8.self).utf16.count))
          }
          var parameter: [String: JSON] = ["label": .array(ends)]
          if !summary.isEmpty { parameter["documentation"] = Markdown.json(summary) }
          return .object(parameter)
        }),
    ]
    if !signature.summary.isEmpty { members["documentation"] = Markdown.json(Markdown.escaped(signature.summary)) }
    return .object(members)
  }
}
