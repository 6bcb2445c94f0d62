internal import Modeling
internal import SwiftInterchange

// What the engine says of the open store's model and of its functions, as documents.
extension Engine {
  /// The model of the open store as Markdown, with the picture at the top; nil without a store.
  public func modelDocument(title: String, picture: String?) -> String? {
    globals.model.map { ModelMarkdown($0, title: title, picture: picture).text }
  }

  /// The entities of the open store and their relationships as SVG; nil without a store.
  public func modelDiagram(title: String) -> String? {
    globals.model.map { ModelDiagram($0, title: title).text }
  }

  /// The functions of scripts and the entities of the open store as LuaCATS annotations, which editors read.
  public var annotations: String {
    Annotations(catalog: catalog, model: globals.model, globals: Set(globals.names)).text
  }

  /// The classes of the main store's model for PeriluneKit, as Swift source, with notes on what it cannot express; nil
  /// without a store.
  public func typedSource(schema: String) -> (text: String, notes: [String])? {
    guard let model = globals.model else { return nil }
    let source = SwiftModelSource(model, .periluneKit, schema: schema)
    return (source.text, source.notes)
  }
}
