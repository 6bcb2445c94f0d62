import Modeling

/// The properties of a store's columns, by the model that the store keeps.
///
/// Columns whose names collide, `ZID` and `ZID1`, are numbered in the order in which that model lists its properties. Another
/// model of the same store, which lists them differently or lacks some, finds its columns here by entity and name.
struct KeptPlaces {
  /// A property of the kept model.
  struct Property {
    let property: Modeling.Property
    /// Its place; nil if the file has none.
    let place: CoreDataPlacement.Place?
    /// The number of a relationship's destination.
    let destination: Int64?
    /// The name of a relationship's inverse.
    let inverse: String?
    let isInherited: Bool

    var name: String { property.name }
  }

  /// The content of the columns, by `TABLE.COLUMN` in capitals.
  let claims: [String: CoreDataClaim]
  /// The properties, inherited ones among them, by the entity's number and their names.
  private var properties: [Int64: [String: Property]] = [:]

  init(_ model: Model, _ schema: CoreDataSchema) {
    var placement = CoreDataPlacement(model, schema)
    placement.place()
    claims = placement.claims
    for (entity, number) in placement.numbers {
      for (index, property) in entity.properties.enumerated() {
        let isRelationship = property.relationship != nil
        let inverse = entity.inverse(at: index).map { entity.destination(at: index).properties[$0].name }
        properties[number, default: [:]][property.name] = Property(
          property: property, place: placement.place(of: property.name, in: entity),
          destination: isRelationship ? placement.numbers[entity.destination(at: index)] : nil, inverse: inverse,
          isInherited: index < entity.parent?.properties.count ?? 0)
      }
    }
  }

  /// The property of an entity that has the first of these names.
  func property(_ names: [String], of number: Int64) -> Property? {
    names.firstResult { properties[number]?[$0] }
  }

  /// The properties of an entity that are stored, by name, which is the order of their bits in the history.
  func stored(of number: Int64) -> [Property] {
    (properties[number] ?? [:]).values.filter { !$0.property.isTransient }.sorted { $0.name < $1.name }
  }

  /// Whether a property has a column of the table.
  func hasClaims(on table: CoreDataSchema.Table) -> Bool {
    table.columns.contains { claims[CoreDataPlacement.key(table.name, $0.name)] != nil }
  }
}
