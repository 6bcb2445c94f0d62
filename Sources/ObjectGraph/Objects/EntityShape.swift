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
  /// For each column, whether a new object has a value there that nobody gave it.
  let hasDefault: [Bool]
  /// For each property, the column that holds it alone; -1 for relationships and what has no column.
  let columnOfAttribute: [Int]
  /// For each property, its rules and type if it is an attribute.
  let rules: [ValueRules?]
  /// For each property, the conditions on its values beside the rules; nil for none.
  let conditions: [ValueConditions?]
  let types: [AttributeType?]
  let isWritable: [Bool]
  /// The properties that a save must look at: attributes with rules, and relationships with counts.
  let checkedRelationships: [Int]
  /// The to-ones whose inverse is a to-one, too.
  let partnerships: [Int]
  /// The columns that are compared when the row may have been changed by others: all but those the store computes.
  let comparedColumns: [Int]
  /// The column that SQLite numbers by itself when it is left out.
  let rowIDColumn: Int

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
    columnOfAttribute = layout.properties.map { if case .column(let column) = $0 { column } else { -1 } }
    rules = entity.rules
    conditions = entity.properties.map { ValueConditions($0.attribute, of: entity) }
    types = entity.properties.map { $0.attribute?.type }
    isWritable = entity.properties.map(\.isWritable)
    checkedRelationships = entity.properties.indices.filter { index in
      guard let relationship = entity.properties[index].relationship, !relationship.isTransient else { return false }
      return !relationship.isOptional || relationship.minimumCount != nil || relationship.maximumCount != nil
    }
    if case .rowID(let name) = layout.key {
      rowIDColumn = layout.columns.firstIndex { $0.name == name } ?? -1
    } else {
      rowIDColumn = -1
    }
    partnerships = entity.properties.indices.filter { index in
      guard case .reference = layout.properties[index], let inverse = entity.inverse(at: index) else { return false }
      return entity.destination(at: index).properties[inverse].relationship?.isToMany == false
    }
    comparedColumns = layout.columns.indices.filter { layout.columns[$0].isWritable }
    referenceAtColumn = references
    isReferenceColumn = belongs
    self.defaults = defaults
    hasDefault = defaults.map { $0 != nil }
  }
}
