internal import Modeling
internal import Queries
internal import Stores

/// What reading and writing slots of an entity needs at every step, computed once.
final class EntityShape {
  let entity: Entity
  let layout: EntityLayout
  let columnCount: Int
  /// For each column, the to-one whose first column it is.
  let referenceAtColumn: [Int?]
  /// For each column, whether it belongs to a to-one.
  let isReferenceColumn: [Bool]
  /// The values of a new object to begin with.
  let defaults: ChangedColumns
  /// For each column, whether a new object gets a value without being given one.
  let hasDefault: [Bool]
  /// For each property, its only column; -1 for relationships and properties without a column.
  let columnOfAttribute: [Int]
  /// For each property, its rules and type if it is an attribute.
  let rules: [ValueRules?]
  let types: [AttributeType?]
  let isWritable: [Bool]
  /// For each property, whether it is an attribute whose new value depends on nothing but the value given.
  let isSetByItsValue: [Bool]
  /// The relationships with counts, which a save must validate.
  let checkedRelationships: [Int]
  /// The to-ones whose inverse is a to-one, too.
  let partnerships: [Int]
  /// The columns compared to detect changes by others: all that the store does not compute.
  let comparedColumns: [Int]
  /// The entity's own flag, which each change of a value asks.
  let isReadOnly: Bool
  /// For each column, whether its value is opened when it is asked for; see `ColumnEncoding.isSealed`.
  let isSealed: [Bool]
  /// For each column, its type.
  let columnTypes: [AttributeType]
  /// Whether a new object has any value without being given one.
  let hasDefaults: Bool
  /// The attributes that a save must validate.
  let checkedAttributes: [CheckedAttribute]
  /// For each column, whether null breaks no rule for sure.
  private let keepsNull: [Bool]
  /// For each column, whether each value that is not null breaks no rule for sure.
  private let keepsValues: [Bool]
  /// The column that is the key itself, which the store fills if it is left out; -1 for none.
  let keyColumn: Int

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
    let columnOfAttribute = layout.properties.map { if case .column(let column) = $0 { column } else { -1 } }
    self.columnOfAttribute = columnOfAttribute
    rules = entity.rules
    isReadOnly = entity.isReadOnly
    isSealed = layout.columns.map(\.encoding.isSealed)
    columnTypes = layout.columns.map(\.type)
    hasDefaults = defaults.contains { $0 != nil }
    let checked: [CheckedAttribute] = entity.properties.indices.compactMap { index in
      guard let rules = entity.rules[index], columnOfAttribute[index] >= 0, entity.properties[index].isWritable else {
        return nil
      }
      return CheckedAttribute(
        property: index, column: columnOfAttribute[index], rules: rules,
        conditions: ValueConditions(entity.properties[index].attribute, of: entity))
    }
    checkedAttributes = checked
    func keeps(null isNull: Bool) -> [Bool] {
      layout.columns.indices.map { column in
        checked.allSatisfy { $0.column != column || $0.rules.isKept(byNull: isNull) && $0.conditions == nil }
      }
    }
    (keepsNull, keepsValues) = (keeps(null: true), keeps(null: false))
    types = entity.properties.map { $0.attribute?.type }
    isWritable = entity.properties.map(\.isWritable)
    isSetByItsValue = entity.properties.indices.map { index in
      let attribute = entity.properties[index].attribute
      return columnOfAttribute[index] >= 0 && entity.properties[index].isWritable && attribute != nil
        && attribute?.type != .transformable
    }
    checkedRelationships = entity.properties.indices.filter { index in
      guard let relationship = entity.properties[index].relationship, !relationship.isTransient else { return false }
      return !relationship.isOptional || relationship.minimumCount != nil || relationship.maximumCount != nil
    }
    keyColumn = layout.key.integerName.flatMap { name in layout.columns.firstIndex { $0.name == name } } ?? -1
    partnerships = entity.properties.indices.filter { index in
      guard case .reference = layout.properties[index], let inverse = entity.inverse(at: index) else { return false }
      return entity.destination(at: index).properties[inverse].relationship?.isToMany == false
    }
    comparedColumns = layout.columns.indices.filter { layout.columns[$0].isWritable }
    referenceAtColumn = references
    isReferenceColumn = belongs
    self.defaults = ChangedColumns(packing: defaults)
    hasDefault = defaults.map { $0 != nil }
  }

  /// Whether new values of columns break no rule of attributes for sure.
  func areKept(_ columns: ChangedColumns) -> Bool {
    columns.allSatisfy { $0.value.isNull ? keepsNull[$0.column] : keepsValues[$0.column] }
  }

  /// Returns a value in the type of the attribute at `index`.
  ///
  /// - Throws: GraphError.wrongValue.
  func coerced(_ value: Value, at index: Int) throws -> Value {
    guard let rules = rules[index] else { return value }
    do { return try rules.coerce(value) } catch { throw wrongValue(error, at: index) }
  }

  /// The error that no attribute at `index` can have a value.
  func wrongValue(_ error: ValueError, at index: Int) -> GraphError {
    GraphError(.wrongValue(error.of(entity), entity: entity.name, property: entity.properties[index].name))
  }
}

/// An attribute that a save validates. A class, as a structure would have all that its conditions hold counted for each
/// object.
final class CheckedAttribute {
  let property: Int
  let column: Int
  let rules: ValueRules
  /// The validation predicates; nil for none.
  let conditions: ValueConditions?

  init(property: Int, column: Int, rules: ValueRules, conditions: ValueConditions?) {
    self.property = property
    self.column = column
    self.rules = rules
    self.conditions = conditions
  }
}
