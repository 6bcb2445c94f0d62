import Foundation
import Modeling

/// The columns of a Core Data store for the properties of a model, and the parts of the model that the store lacks.
struct CoreDataPlacement {
  /// The place of a property in the file.
  enum Place {
    case column(ColumnLayout)
    /// The column with the destination's key, and the column with its entity if the destination has descendants.
    case reference(column: String, entityColumn: String?)
    /// The inverse to-one relationship.
    case inverse(order: String?)
    case join(JoinLayout)
    case transient
  }

  let model: Model
  let schema: CoreDataSchema
  /// The columns' properties by the store's own model, if `model` is another one; nil if the store keeps none.
  let kept: KeptPlaces?
  private(set) var numbers: [Entity: Int64] = [:]
  var notes: [String] = []
  /// The places, by the entity that declares the property and the property's name.
  var places: [Entity: [String: Place]] = [:]
  /// The columns of each root entity's table that belong to a property, in capitals.
  private(set) var taken: [Entity: Set<String>] = [:]

  init(_ model: Model, _ schema: CoreDataSchema, kept: KeptPlaces? = nil) {
    self.model = model
    self.schema = schema
    self.kept = kept
  }

  /// Finds tables, then columns, then relationships that use columns of other entities.
  mutating func place() {
    for entity in model.entities where entity.parent == nil { number(entity) }
    let numbered = numbers.sorted { $0.value < $1.value }.map(\.key)
    for entity in numbered { placeAttributes(of: entity) }
    for entity in numbered { placeReferences(of: entity) }
    for entity in numbered { placeToMany(of: entity) }
  }

  // MARK: Entities

  private mutating func number(_ entity: Entity) {
    guard let found = schema.registration([entity.name] + [entity.description.renamingIdentifier].compactMap(\.self))
    else {
      notes.append("\(entity.name): the store does not know the entity; it and its subentities are left out.")
      return
    }
    if entity.parent == nil, schema.table("Z" + found.name) == nil, schema.table("Z" + entity.name) == nil {
      notes.append("\(entity.name): there is no table for it; it is left out.")
      return
    }
    numbers[entity] = found.number
    for child in entity.subentities { number(child) }
  }

  /// The table of an entity with a number.
  func table(of entity: Entity) -> CoreDataSchema.Table? {
    let root = entity.root
    let known = numbers[root].flatMap(schema.registration(number:))?.name
    return schema.table("Z" + root.name) ?? known.flatMap { schema.table("Z" + $0) }
  }

  func tableName(of entity: Entity) -> String { table(of: entity)?.name ?? "Z" + entity.root.name.uppercased() }

  // MARK: Columns

  /// Takes a free column of a fitting type by its base name, or by its base name followed by a digit.
  ///
  /// Properties of the same name in different branches of a hierarchy take their columns in the order of the entities'
  /// numbers; a digit distinguishes them. Elsewhere a digit is part of another property's name. Columns that the store's
  /// own model gives to properties of other names are not free.
  mutating func take(_ bases: [String], of entity: Entity, fits: (String) -> Bool) -> CoreDataSchema.Table.Column? {
    guard let table = table(of: entity) else { return nil }
    for base in bases {
      for name in [base] + (1...9).map({ base + String($0) }) {
        if name != base {
          guard kept == nil, taken[entity.root]?.contains(base) == true || isShared(base, in: entity.root) else {
            break
          }
        }
        guard let column = table.column(name), fits(column.declaredType) else { continue }
        guard kept?.claims[Self.key(table.name, column.name)] == nil, hold(column.name, in: entity) else { continue }
        return column
      }
    }
    return nil
  }

  /// Takes a column of the entity's table; returns whether it was free.
  mutating func hold(_ column: String, in entity: Entity) -> Bool {
    taken[entity.root, default: []].insert(column.uppercased()).inserted
  }

  /// Whether several properties of a hierarchy could have a column of that name, and the file has one.
  private func isShared(_ base: String, in root: Entity) -> Bool {
    guard table(of: root)?.column(base) != nil else { return false }
    func count(_ attributes: [Attribute]) -> Int {
      attributes.reduce(0) {
        $0 + ($1.type == .composite ? count($1.elements) : "Z" + $1.name.uppercased() == base ? 1 : 0)
      }
    }
    let properties = root.family.flatMap(\.description.properties)
    let toOnes = properties.compactMap(\.relationship).count { !$0.isToMany && "Z" + $0.name.uppercased() == base }
    return count(properties.compactMap(\.attribute)) + toOnes > 1
  }

  func names(_ name: String, _ identifier: String?) -> [String] { [name] + [identifier].compactMap(\.self) }

  private mutating func placeAttributes(of entity: Entity) {
    // By name, as the framework gives columns out.
    for attribute in entity.description.properties.compactMap(\.attribute).sorted(by: { $0.name < $1.name }) {
      if attribute.isTransient {
        places[entity, default: [:]][attribute.name] = .transient
      } else if let column = column(of: attribute, in: entity, as: keptColumn(of: attribute, in: entity)) {
        places[entity, default: [:]][attribute.name] = .column(column)
      } else {
        notes.append(missing(attribute.name, "column Z\(attribute.name.uppercased())", entity))
      }
    }
  }

  /// The column of an attribute or of an element: the one that `own` says, which the store's own model gives it, or else
  /// one of its name.
  private mutating func column(
    of attribute: Attribute, in entity: Entity, as own: ColumnLayout?
  ) -> ColumnLayout? {
    if attribute.type == .composite {
      // Composite elements with the same name share the table; each takes the next free column.
      var elements: [ColumnEncoding.ElementColumn] = []
      for element in attribute.elements {
        let part = own?.part(of: element, in: attribute)
        guard own == nil || part != nil, let column = column(of: element, in: entity, as: part) else { return nil }
        elements.append(.init(name: element.name, column: column))
      }
      guard !elements.isEmpty else { return nil }
      var column = ColumnLayout(name: attribute.name, type: .composite, isWritable: attribute.isWritable)
      column.encoding = .elements(elements)
      return column
    }
    let bases = names(attribute.name, attribute.renamingIdentifier).map { "Z" + $0.uppercased() }
    let found =
      own == nil
      ? take(bases, of: entity, fits: attribute.type.fits)?.name
      : own.flatMap { held($0, in: entity, fits: attribute.type.fits) }
    guard let found else { return nil }
    var column = ColumnLayout(name: found, type: attribute.type, isWritable: attribute.isWritable)
    column.encoding = attribute.coreDataEncoding
    return column
  }

  func missing(_ name: String, _ what: String, _ entity: Entity) -> String {
    "\(entity.name).\(name): the table \(tableName(of: entity)) has no \(what) of its type; it is left out."
  }
}

extension CoreDataPlacement {
  /// The place of a property, whichever ancestor declares it.
  func place(of name: String, in entity: Entity) -> Place? {
    var candidate: Entity? = entity
    while let entity = candidate {
      if let place = places[entity]?[name] { return place }
      candidate = entity.parent
    }
    return nil
  }

  /// The descriptions of the entities with a table, with their properties that have a place.
  var keptDescriptions: [EntityDescription] {
    let kept = model.entities.filter { numbers[$0] != nil }
    let names = Set(kept.map(\.name))
    return kept.map { entity in
      var description = entity.description
      description.properties = description.properties.filter { property in
        guard place(of: property.name, in: entity) != nil else { return false }
        return property.relationship.map { names.contains($0.destination) } ?? true
      }.map(withoutMissingInverse)
      func isKept(_ name: String) -> Bool {
        place(of: String(name.split(separator: ".").first ?? ""), in: entity) != nil
      }
      description.uniquenessConstraints = description.uniquenessConstraints.filter { $0.allSatisfy(isKept) }
      description.indexes = description.indexes.filter { !$0.isPlain || $0.properties.allSatisfy(isKept) }
      description.fetchedProperties = description.fetchedProperties.filter { names.contains($0.fetchRequest.entity) }
      return description
    }
  }

  /// A relationship whose inverse was left out has no inverse.
  private func withoutMissingInverse(_ property: Property) -> Property {
    guard case .relationship(var relationship) = property, let inverse = relationship.inverse,
      let destination = model.entity(named: relationship.destination), place(of: inverse, in: destination) == nil
    else { return property }
    relationship.inverse = nil
    return .relationship(relationship)
  }

  var keptConfigurations: [String: [String]] {
    model.configurations.mapValues { names in
      names.filter { name in model.entity(named: name).map { numbers[$0] != nil } ?? false }
    }
  }

  var keptTemplates: [String: FetchRequestTemplate] {
    model.fetchRequestTemplates.filter { template in
      model.entity(named: template.value.entity).map { numbers[$0] != nil } ?? false
    }
  }
}

extension Attribute {
  /// How Core Data encodes the attribute's values.
  var coreDataEncoding: ColumnEncoding {
    switch type {
    case .date: .referenceDate
    case .uuid: .uuidBytes
    case .decimal: .real
    case .data: allowsExternalBinaryDataStorage ? .externalData : .plain
    case .transformable: isArchivedByKey ? .archive : .transformed
    default: .plain
    }
  }
}

extension Attribute {
  /// Whether the attribute's transformer, if it names one, makes keyed archives.
  private var isArchivedByKey: Bool {
    let archivers: Set<String> = [
      "NSSecureUnarchiveFromData", "NSSecureUnarchiveFromDataTransformer", "NSSecureUnarchiveFromDataTransformerName",
      "NSKeyedUnarchiveFromData", "NSKeyedUnarchiveFromDataTransformerName",
    ]
    let transformer = valueTransformerName ?? ""
    return transformer.isEmpty || archivers.contains(transformer)
  }
}

extension AttributeType {
  /// Whether Core Data declares columns of the type like this.
  func fits(_ declaredType: String) -> Bool {
    switch self {
    case .integer16, .integer32, .integer64, .boolean: declaredType == "INTEGER"
    case .double, .float: declaredType == "FLOAT"
    case .decimal: declaredType == "DECIMAL"
    case .date: declaredType == "TIMESTAMP"
    case .string, .url: declaredType == "VARCHAR"
    case .uuid, .data, .transformable: declaredType == "BLOB"
    case .composite: false
    case .any: true
    }
  }
}
