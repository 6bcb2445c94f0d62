internal import Modeling
internal import SwiftPrinting

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
    annotations(StoredFacts())
  }

  /// The annotations with the values of texts that take few, with counts and ranges, or with both.
  ///
  /// - Throws: PredicateError, StoreError.
  package func annotations(values: Bool, statistics: Bool) throws -> String {
    var facts = StoredFacts()
    if let model = globals.model, let context = globals.store?.mainContext.objectContext {
      if values { try facts.readValues(model, in: context) }
      if statistics { try facts.readStatistics(model, in: context) }
    }
    return annotations(facts)
  }

  private func annotations(_ facts: StoredFacts) -> String {
    Annotations(catalog: catalog, model: globals.model, globals: Set(globals.names), facts: facts).text
  }

  /// The classes of the main store's model for PeriluneKit, as Swift source, with notes on what it cannot express; nil
  /// without a store.
  public func typedSource(schema: String) -> (text: String, notes: [String])? {
    guard let model = globals.model else { return nil }
    let source = SwiftModelSource(model, .periluneKit, schema: schema)
    return (source.text, source.notes)
  }
}
