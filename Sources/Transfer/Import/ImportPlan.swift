import Modeling
import Stores

/// The columns that an import writes, with the parameters of each field.
struct ImportPlan {
  /// For each column of the import, the attribute of its field's values.
  private(set) var attributes: [Attribute] = []
  /// For each column of the import: the first parameter.
  private(set) var parameters: [Int] = []
  /// For each column of the import, its reference, if it is one.
  private(set) var references: [Reference?] = []
  /// Columns that have the same value in every inserted row; their parameters follow those of the fields.
  private(set) var defaults: [(column: Int, value: Value)] = []
  /// The layout's columns of the fields, in the order of their parameters.
  private(set) var written: [Int] = []
  /// The layout's column by which existing rows are found; nil if none are looked for.
  private(set) var known: Int?

  private let entity: Entity
  private let layout: EntityLayout
  private let columns: [ImportColumn]

  /// A to-one relationship, and how its fields identify the destination.
  struct Reference {
    let relationship: Int
    let attribute: Int?
    let columns: [Int]
    let target: ReferenceTarget
  }

  init(_ store: any ObjectStore, _ entity: Entity, _ columns: [ImportColumn], upsert: Int?) throws {
    self.entity = entity
    self.columns = columns
    layout = store.layout(of: entity)
    for column in columns {
      parameters.append(written.count + 1)
      switch column.target {
      case .attribute(let index): written.append(try attributeColumn(index))
      case .reference(let index, let by, _): written += try referenceColumns(index, by)
      }
    }
    if let upsert { known = try knownColumn(upsert) }
    try addDefaults()
  }

  /// The column of an attribute.
  private mutating func attributeColumn(_ index: Int) throws -> Int {
    let property = entity.properties[index]
    guard let attribute = property.attribute, attribute.isWritable,
      case .column(let column) = layout.properties[index], layout.columns[column].isWritable
    else { throw ImportError(fact: .notImportable(entity: entity.name, property: property.name)) }
    attributes.append(attribute)
    references.append(nil)
    return column
  }

  private mutating func referenceColumns(_ index: Int, _ by: Int?) throws -> [Int] {
    let property = entity.properties[index]
    guard case .reference(let columns, let target) = layout.properties[index], let relationship = property.relationship
    else { throw ImportError(fact: .notImportable(entity: entity.name, property: property.name)) }
    var attribute =
      by.flatMap { entity.destination(at: index).properties[$0].attribute } ?? Attribute("key", .integer64)
    // The field belongs to the to-one relationship, which does not have the destination's rules.
    attribute.name = property.name
    attribute.isOptional = relationship.isOptional
    attribute.minimum = .null
    attribute.maximum = .null
    attribute.minimumLength = nil
    attribute.maximumLength = nil
    attribute.regularExpression = nil
    attributes.append(attribute)
    references.append(Reference(relationship: index, attribute: by, columns: columns, target: target))
    return columns
  }

  /// Adds the defaults of attributes without a field. A mandatory attribute without either is an error before the first
  /// row.
  private mutating func addDefaults() throws {
    var names = Set(written.map { layout.columns[$0].name })
    let fields = Set(
      columns.map { column in
        switch column.target {
        case .attribute(let index): index
        case .reference(let index, _, _): index
        }
      })
    for (index, property) in entity.properties.enumerated() where !fields.contains(index) {
      switch (property, layout.properties[index]) {
      case (.attribute(let attribute), .column(let place)):
        let column = layout.columns[place]
        guard column.isWritable, attribute.isWritable, !column.hasStoreDefault, !names.contains(column.name) else {
          continue
        }
        if !attribute.defaultValue.isNull {
          names.insert(column.name)
          defaults.append((place, attribute.defaultValue))
        } else if !attribute.isOptional {
          throw ImportError(fact: .missingProperty(entity: entity.name, property: attribute.name))
        }
      case (.relationship(let relationship), .reference(let places, _)):
        let isFilled = places.allSatisfy { names.contains(layout.columns[$0].name) }
        if !relationship.isOptional, !isFilled {
          throw ImportError(fact: .missingProperty(entity: entity.name, property: relationship.name))
        }
      default: continue
      }
    }
  }

  private func knownColumn(_ upsert: Int) throws -> Int {
    guard case .column(let column) = layout.properties[upsert],
      columns.contains(where: { $0.target == .attribute(upsert) })
    else {
      throw ImportError(fact: .missingProperty(entity: entity.name, property: entity.properties[upsert].name))
    }
    return column
  }

  /// The column of the import with the values by which a reference to the same entity finds its destination.
  func field(ofReferred reference: ImportReference?) -> Int? {
    guard let attribute = reference?.attribute else { return nil }
    return columns.firstIndex { $0.target == .attribute(attribute) }
  }
}
