internal import Modeling
internal import Session
internal import SwiftReading

/// The predicates of a document, which editors list in its outline.
struct Symbols {
  /// The kind of a text among those of the protocol.
  private static let text: Int64 = 15
  private static let mostCharacters = 80

  private let document: TextDocument

  init(_ document: TextDocument) { self.document = document }

  /// The predicates as the protocol lists them, each with its entity.
  func json(in workspace: Workspace, among documents: [TextDocument]) -> JSON {
    switch document.language {
    case .lua?:
      let strings = workspace.session(of: document)?.session.strings(inScript: document.text) ?? []
      return .array(
        strings.compactMap { string in
          guard string.kind == .predicate else { return nil }
          return symbol(string.text, string.entity?.name, at: string.source(0..<string.text.utf8.count))
        })
    case .swift?:
      return .array(workspace.sites(of: document, among: documents).all.compactMap(symbol))
    case nil: return .array([])
    }
  }

  private func symbol(_ site: SourceSite) -> JSON? {
    switch site.subject {
    case .format(let format): symbol(format.format.text, site.entity, at: format.format.whole)
    case .macro: symbol(String(decoding: document.bytes[site.range], as: UTF8.self), site.entity, at: site.range)
    case .key, .keyPath, .entityName, .unread: nil
    }
  }

  private func symbol(_ text: String, _ entity: String?, at range: Range<Int>) -> JSON? {
    let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard !line.isEmpty else { return nil }
    let name = line.count > Self.mostCharacters ? line.prefix(Self.mostCharacters - 1) + "…" : line
    var members: [String: JSON] = [
      "name": .string(name), "kind": .int(Self.text), "range": document.json(range),
      "selectionRange": document.json(range),
    ]
    if let entity { members["detail"] = .string(entity) }
    return .object(members)
  }
}
