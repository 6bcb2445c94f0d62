import Foundation
import Modeling

/// The layouts of a Core Data store: the entities of its model over its Z tables.
///
/// An entity and its descendants share the table of their root and are distinguished by `Z_ENT`. Anything in the model
/// that the file lacks is left out of the model and listed in `notes`; nothing is guessed.
struct CoreDataLayout {
  /// The model without anything that the file lacks.
  let model: Model
  private(set) var layouts: [Entity: EntityLayout] = [:]
  /// The names of everything left out.
  private(set) var notes: [String] = []
  /// The number of each entity in `Z_ENT`.
  private(set) var numbers: [Entity: Int64] = [:]

  let schema: CoreDataSchema
  /// For each entity the names of its stored properties, in the order of the history's bits.
  private(set) var recordedProperties: [Entity: [String]] = [:]
  /// The reason why objects of an entity cannot be written.
  private(set) var obstacles: [Entity: CoreDataObstacle] = [:]
  let placement: CoreDataPlacement
  /// Where the model comes from.
  let origin: Origin

  /// Where the model of a store comes from.
  enum Origin {
    /// The store keeps it.
    case store
    /// It was read off the tables.
    case tables
    /// It was given; the store keeps the other one, or none that can be read.
    case given(kept: Model?)
  }

  /// Fits `model` to the file.
  ///
  /// - Throws: `.modelOfOtherStore` if no entity has a table.
  init(_ wanted: Model, _ schema: CoreDataSchema, _ origin: Origin, path: String) throws {
    self.schema = schema
    self.origin = origin
    let own: Model? = if case .given(let kept) = origin { kept } else { nil }
    var placement = CoreDataPlacement(wanted, schema, kept: own.map { KeptPlaces($0, schema) })
    placement.place()
    self.placement = placement
    notes = placement.notes
    let kept = placement.keptDescriptions
    guard !kept.isEmpty || wanted.entities.isEmpty else {
      throw StoreError(.modelOfOtherStore(known: schema.registrations.map(\.name)), path: path)
    }
    // The remaining model is still valid: lists and templates lose the names of missing properties.
    model = try Model(
      kept, version: wanted.version, fetchRequestTemplates: placement.keptTemplates,
      configurations: placement.keptConfigurations, cloudKitConfigurations: wanted.cloudKitConfigurations)
    for entity in model.entities {
      guard let original = wanted.entity(named: entity.name), let number = placement.numbers[original] else { continue }
      numbers[entity] = number
      recordedProperties[entity] = placement.recordedNames(of: original, number)
      let layout = layout(of: entity, original, number, placement)
      layouts[entity] = layout
      obstacles[entity] = obstacle(of: entity, original, layout)
    }
  }

  private func layout(
    of entity: Entity, _ original: Entity, _ number: Int64, _ placement: CoreDataPlacement
  ) -> EntityLayout {
    var columns: [ColumnLayout] = []
    func append(_ column: ColumnLayout) -> Int {
      columns.append(column)
      return columns.count - 1
    }
    let properties = entity.properties.enumerated().map { index, property -> PropertyLayout in
      switch placement.place(of: property.name, in: original) {
      case .column(let column): return .column(append(column))
      case .reference(let column, let entityColumn):
        var reference = ColumnLayout(name: column, type: .integer64, isWritable: true)
        reference.entityColumn = entityColumn
        return .reference([append(reference)], .key)
      case .inverse(let order): return entity.inverse(at: index).map { .inverse($0, order: order) } ?? .none
      case .join(let join): return .join(join)
      case .transient, nil: return .none
      }
    }
    return EntityLayout(
      table: placement.tableName(of: original), key: .rowID("Z_PK"), columns: columns, properties: properties,
      discriminator: ("Z_ENT", .int(number)))
  }

  /// The reason why objects of the entity are read-only: the file lacks columns that Core Data would write.
  private func obstacle(of entity: Entity, _ original: Entity, _ layout: EntityLayout) -> CoreDataObstacle? {
    let missing = original.properties.map(\.name).filter { entity.index(of: $0) == nil }
    if !missing.isEmpty { return .missingProperties(entity: entity.name, properties: missing) }
    for (property, place) in zip(entity.properties, layout.properties) {
      guard let attribute = property.attribute, attribute.isDerived, case .column(let column) = place else { continue }
      if !schema.triggersSet(layout.columns[column].name) {
        return .derivedAttribute(entity: entity.name, attribute: attribute.name)
      }
    }
    return nil
  }
}
