internal import AppleModels
internal import LuaBindings
internal import Modeling
internal import Session
internal import SourceChecking
internal import SwiftReading

/// Where a model declares the entity or the property that is named at a place of a document: in a `model.lua`, an `@Model` class,
/// or the document of an `.xcdatamodeld`.
///
/// A class in Swift that is named outside of strings is known to the server of that language.
struct ModelDefinition {
  private let entity: String
  private var property: DeclaredProperty?
  private let document: TextDocument

  /// The definition of what a byte of a document names; nil where that is nothing of a model.
  init?(at offset: Int, in document: TextDocument, _ workspace: Workspace, among documents: [TextDocument]) {
    self.document = document
    if let uses = PropertyUses(at: offset, in: document, workspace, among: documents) {
      property = uses.property
      entity = uses.property.entity.name
      return
    }
    switch document.language {
    case .lua?:
      guard let name = workspace.session(of: document)?.session.entity(inScript: document.text, at: offset) else {
        return nil
      }
      entity = name
    case .swift?:
      guard let site = workspace.site(at: offset, in: document, among: documents),
        case .entityName(let text) = site.subject
      else {
        return nil
      }
      entity = text.text
    case nil: return nil
    }
  }

  /// The place as the protocol writes it; null where no file declares it.
  func json(_ workspace: Workspace, among documents: [TextDocument]) -> JSON {
    for model in workspace.modelFiles(for: document, among: documents) {
      guard let (document, range) = place(in: model, workspace, documents) else { continue }
      return .object(["uri": .string(document.uri), "range": document.json(range)])
    }
    return .null
  }

  private func place(in model: String, _ workspace: Workspace, _ documents: [TextDocument]) -> (
    TextDocument, Range<Int>
  )? {
    if model.hasSuffix(".lua") || model.hasSuffix(".swift") {
      guard let document = workspace.text(ofFile: model, among: documents) else { return nil }
      let range =
        model.hasSuffix(".swift")
        ? ClassDeclaration.place(ofClass: entity, property: property?.name, in: document.text)
        : property.map { ModelDeclarations(document.bytes, $0).field }
          ?? ModelDeclarations.place(ofEntity: entity, in: document.bytes)
      return range.map { (document, $0) }
    }
    guard
      let (file, line) = AppleModel.declaration(
        ofEntity: entity, property: property?.name, in: model, version: workspace.modelVersion(of: model)),
      let document = workspace.text(ofFile: file, among: documents)
    else { return nil }
    let start = document.offset(of: Position(line: line - 1, character: 0))
    return (document, document.line(around: start))
  }
}
