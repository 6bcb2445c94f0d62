import Layouts
import Modeling
import Stores

/// The tables that are recorded, and how their rows are known.
struct RecordedTables {
  let model: Model
  let layouts: [Entity: EntityLayout]
  let tables: PostgresTables
  var interners = KeyInterners()

  /// The triggers that write to some books.
  func triggers(_ books: RecordingBooks, _ names: HistoryNames) -> RecordingTriggers {
    RecordingTriggers(books, model, layouts, tables, names)
  }

  /// The layout of an entity of the model.
  func layout(of entity: Entity) -> EntityLayout {
    guard let layout = layouts[entity] else { preconditionFailure("\(entity.name) belongs to another model") }
    return layout
  }

  /// The numbers of the keys of an entity's rows; nil where a row's key is an integer.
  func interner(of entity: Entity) -> KeyInterner? { interners.interner(of: entity, layout) }
}
