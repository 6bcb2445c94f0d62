internal import LuaBindings
internal import Modeling
internal import Session
internal import SourceChecking
internal import SwiftReading

/// The places that name a property: in scripts, in the file of their model, and in the texts of predicates.
///
/// Classes and members in Swift are known to the server of that language.
struct PropertyUses {
  /// The property.
  let property: DeclaredProperty
  /// Whether the places where models declare it are among them.
  var includesDeclarations = true
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

  /// The documents and files of the workspace that name the property, each with the places in their order.
  func all(_ workspace: Workspace, among documents: [TextDocument]) -> [(document: TextDocument, ranges: [Range<Int>])]
  {
    workspace.texts(among: documents).filter { $0.text.contains(property.name) }.compactMap { document in
      let ranges = Set(uses(in: document, workspace, documents)).sorted { $0.lowerBound < $1.lowerBound }
      return ranges.isEmpty ? nil : (document, ranges)
    }
  }

  /// The places as the protocol lists them.
  func locations(_ workspace: Workspace, among documents: [TextDocument]) -> JSON {
    .array(
      all(workspace, among: documents).sorted { $0.document.uri < $1.document.uri }.flatMap { document, ranges in
        ranges.map { .object(["uri": .string(document.uri), "range": document.json($0)]) }
      })
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
    return includesDeclarations ? found + ModelDeclarations(document.bytes, own).ranges : found
  }

  private func usesInTexts(
    _ document: TextDocument, _ workspace: Workspace, _ documents: [TextDocument]
  ) -> [Range<Int>] {
    workspace.sites(of: document, among: documents).all.flatMap { site -> [Range<Int>] in
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
