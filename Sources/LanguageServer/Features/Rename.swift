internal import JSONRPC
internal import LuaBindings
internal import Modeling
internal import Session
internal import SourceChecking
internal import SwiftInterchange

/// The renaming of a property in scripts, in the file of their model, and in the texts of predicates.
///
/// Classes and members in Swift are renamed by the server of that language.
struct Rename {
  /// The property.
  let property: DeclaredProperty
  /// Where its name stands at the asked place.
  let range: Range<Int>

  /// The property at a byte of a document; nil where none is.
  init?(at offset: Int, in document: TextDocument, _ workspace: Workspace, among documents: [TextDocument]) {
    if let standing = workspace.standingText(at: offset, in: document, among: documents), standing.form != .macro {
      guard let entity = standing.subject?.entity, let place = standing.offset(offset),
        let use = KeyPathUses(in: standing.text, of: entity).all.first(where: {
          $0.range.contains(place) || $0.range.upperBound == place
        })
      else { return nil }
      (property, range) = (use.property, standing.source(use.range))
      return
    }
    guard document.language == .lua, let model = workspace.session(of: document)?.engine.store?.model,
      let use = ScriptMembers(of: document.text, model).all.first(where: {
        $0.range.contains(offset) || $0.range.upperBound == offset
      }), let property = DeclaredProperty(use.name, of: use.entity)
    else { return nil }
    (self.property, range) = (property, use.range)
  }

  /// The edits of all documents and files of the workspace.
  ///
  /// - Throws: MessageError for a name that the property cannot have.
  func edit(to name: String, _ workspace: Workspace, among documents: [TextDocument]) throws(MessageError) -> JSON {
    guard Naming.isLuaIdentifier(name) else {
      throw MessageError(.failed, "'\(BoundedText(name, 80).text)' is not a name")
    }
    let family = property.entity.root.family
    if let other = family.first(where: { $0.index(of: name) != nil }) {
      throw MessageError(.failed, "\(other.name) has a property '\(name)' already")
    }
    var changes: [String: JSON] = [:]
    for document in workspace.texts(among: documents) where document.text.contains(property.name) {
      let edits = Set(uses(in: document, workspace, documents)).sorted { $0.lowerBound < $1.lowerBound }
      guard !edits.isEmpty else { continue }
      changes[document.uri] = .array(
        edits.map { .object(["range": document.json($0), "newText": .string(name)]) })
    }
    return .object(["changes": .object(changes)])
  }

  private func uses(
    in document: TextDocument, _ workspace: Workspace, _ documents: [TextDocument]
  ) -> [Range<Int>] {
    switch document.language {
    case .lua?: usesInScript(document, workspace)
    case .swift?: usesInTexts(document, workspace, documents)
    case nil: []
    }
  }

  private func usesInScript(_ document: TextDocument, _ workspace: Workspace) -> [Range<Int>] {
    guard let session = workspace.session(of: document), let model = session.engine.store?.model,
      // Another model may have an entity of that name.
      let own = model.entity(named: property.entity.name).flatMap({ DeclaredProperty(property.name, of: $0) })
    else { return [] }
    var found = ScriptMembers(of: document.text, model).all.filter {
      $0.name == own.name && DeclaredProperty($0.name, of: $0.entity) == own
    }.map(\.range)
    for string in session.session.strings(inScript: document.text) {
      guard let entity = string.entity else { continue }
      found += KeyPathUses(in: string.text, of: entity).all.filter { $0.property == own }.map {
        string.source($0.range)
      }
    }
    return found + ModelDeclarations(document.bytes, own).ranges
  }

  private func usesInTexts(
    _ document: TextDocument, _ workspace: Workspace, _ documents: [TextDocument]
  ) -> [Range<Int>] {
    SourceSites(document.text).all.flatMap { site -> [Range<Int>] in
      let text: PlacedText
      switch site.subject {
      case .format(let format): text = format.format
      case .key(let key): text = key
      default: return []
      }
      guard let entity = workspace.subject(of: site, in: document, among: documents)?.entity else { return [] }
      return KeyPathUses(in: text.text, of: entity).all.filter {
        $0.property.name == property.name && $0.property.entity.name == property.entity.name
      }.map { text.source($0.range) }
    }
  }
}
