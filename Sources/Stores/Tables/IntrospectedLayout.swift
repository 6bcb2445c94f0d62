package import Layouts
package import Modeling

/// The model and layouts of a database that others made, derived from its tables.
///
/// A table is an entity, a foreign key a to-one with an inverse, a table of two foreign keys and nothing else a
/// many-to-many. Views and virtual tables are entities that cannot be written.
package struct IntrospectedLayout {
  package let model: Model
  package let layouts: [Entity: EntityLayout]
  package let notes: [String]

  /// Reads tables whose columns `attribute` describes: the attribute without its name, and how it
  /// is kept.
  ///
  /// - Throws: ModelError never, unless a rule of models was overlooked here.
  package init(
    _ tables: [ForeignTable], notes: [String],
    attribute: (ForeignTable, ForeignColumn) -> (attribute: Attribute, column: ColumnLayout)
  ) throws {
    var drafts = IntrospectedEntities(tables)
    for index in drafts.all.indices { drafts.addColumns(to: index, attribute) }
    try self.init(drafts, notes: notes)
  }

  /// Makes a model of entities that have their columns.
  package init(_ drafts: IntrospectedEntities, notes: [String]) throws {
    var drafts = drafts
    drafts.addForeignKeys()
    drafts.addJoins()
    for index in drafts.all.indices { drafts.addUniqueness(to: index) }
    let model = try Model(drafts.all.map(\.description))
    self.model = model
    layouts = Dictionary(
      uniqueKeysWithValues: zip(model.entities, drafts.all).map { ($0, drafts.layout(of: $1)) })
    self.notes = notes + drafts.notes
  }
}
