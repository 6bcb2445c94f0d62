internal import Modeling
internal import Storage

/// What reading and writing slots of one entity needs to know at every step, worked out once.
final class EntityShape {
  let entity: Entity
  let layout: EntityLayout
  let columnCount: Int
  /// For each column, the to-one that it is the first column of.
  let referenceAtColumn: [Int?]
  /// For each column, whether it belongs to a to-one.
  let isReferenceColumn: [Bool]
  /// The default values of a new object, all columns.
  let defaults: [Value?]

  init(_ entity: Entity, _ layout: EntityLayout) {
    self.entity = entity
    self.layout = layout
    columnCount = layout.columns.count
    var references = [Int?](repeating: nil, count: layout.columns.count)
    var belongs = [Bool](repeating: false, count: layout.columns.count)
    var defaults = [Value?](repeating: nil, count: layout.columns.count)
    for (index, property) in layout.properties.enumerated() {
      switch property {
      case .reference(let columns, _):
        references[columns[0]] = index
        for column in columns { belongs[column] = true }
      case .column(let column):
        if let value = entity.properties[index].attribute?.defaultValue, !value.isNull { defaults[column] = value }
      case .inverse, .join, .none: break
      }
    }
    referenceAtColumn = references
    isReferenceColumn = belongs
    self.defaults = defaults
  }
}
