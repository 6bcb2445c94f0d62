import Modeling
import SQLite
import Stores

/// The statements of an import, with the parameters of each field.
struct ImportPlan {
  /// For each column of the import, the attribute of its field's values.
  private(set) var attributes: [Attribute] = []
  /// For each column of the import: the layout's column that keeps dates as text; nil for others.
  private(set) var dateTexts: [Int?] = []
  /// For each column of the import: the first parameter.
  private(set) var parameters: [Int] = []
  /// For each column of the import, its reference, if it is one.
  private(set) var references: [Reference?] = []
  /// Parameters that have the same value in every row.
  private(set) var defaults: [(parameter: Int, column: Int, value: Value)] = []
  private(set) var insertText = ""
  private(set) var updateText: String?
  /// The number of parameters before the one of the value that identifies a row.
  private(set) var updateCount = 0

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
    var names: [String] = []
    for column in columns {
      parameters.append(names.count + 1)
      switch column.target {
      case .attribute(let index): names.append(try attributeColumn(index))
      case .reference(let index, let by, _): names += try referenceColumns(index, by)
      }
    }
    updateCount = names.count
    if let upsert { updateText = try update(names, upsert) }
    try addDefaults(&names)
    insertText = insert(names)
  }

  /// The column of an attribute.
  private mutating func attributeColumn(_ index: Int) throws -> String {
    let property = entity.properties[index]
    guard let attribute = property.attribute, attribute.isWritable,
      case .column(let column) = layout.properties[index], layout.columns[column].isWritable
    else { throw ImportError(fact: .notImportable(entity: entity.name, property: property.name)) }
    attributes.append(attribute)
    dateTexts.append(layout.columns[column].encoding.isDateText ? column : nil)
    references.append(nil)
    return layout.columns[column].name
  }

  private mutating func referenceColumns(_ index: Int, _ by: Int?) throws -> [String] {
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
    dateTexts.append(nil)
    references.append(Reference(relationship: index, attribute: by, columns: columns, target: target))
    return columns.map { layout.columns[$0].name }
  }

  /// Adds the defaults of attributes without a field. A mandatory attribute without either is an error before the first
  /// row.
  private mutating func addDefaults(_ names: inout [String]) throws {
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
          names.append(column.name)
          defaults.append((names.count, place, attribute.defaultValue))
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

  private func insert(_ names: [String]) -> String {
    var names = names.map(quotedName)
    var marks = names.map { _ in "?" }
    if let (name, value) = layout.discriminator {
      names.append(quotedName(name))
      marks.append(SQLFragment(value: value).displayText)
    }
    if names.isEmpty { return "INSERT INTO \(quotedName(layout.table)) DEFAULT VALUES" }
    return "INSERT INTO \(quotedName(layout.table)) (\(names.joined(separator: ", "))) "
      + "VALUES (\(marks.joined(separator: ", ")))"
  }

  private func update(_ names: [String], _ upsert: Int) throws -> String {
    guard case .column(let column) = layout.properties[upsert],
      columns.contains(where: { $0.target == .attribute(upsert) })
    else {
      throw ImportError(fact: .missingProperty(entity: entity.name, property: entity.properties[upsert].name))
    }
    let settings = names.map { "\(quotedName($0)) = ?" }.joined(separator: ", ")
    return "UPDATE \(quotedName(layout.table)) SET \(settings) WHERE \(quotedName(layout.columns[column].name)) = ?"
  }

  /// The column of the import with the values by which a reference to the same entity finds its destination.
  func field(ofReferred reference: ImportReference?) -> Int? {
    guard let attribute = reference?.attribute else { return nil }
    return columns.firstIndex { $0.target == .attribute(attribute) }
  }
}
