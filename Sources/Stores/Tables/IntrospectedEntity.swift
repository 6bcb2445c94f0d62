package import Layouts
package import Modeling

/// An entity under construction: properties in order, each with its place in the table.
package struct IntrospectedEntity {
  package let table: ForeignTable
  package let name: String
  package var properties: [PropertyDraft] = []
  /// The names of the properties. A table that thousands of others lead to has as many.
  private(set) var names: Set<String> = []
  package var columns: [ColumnLayout] = []
  package var key = KeyLayout.columns([])
  package var isReadOnly = false
  package var uniquenessConstraints: [[String]] = []
  package var indexes: [[String]] = []

  /// Adds a property, by default behind the others.
  package mutating func add(_ property: PropertyDraft, at position: Int? = nil) {
    names.insert(property.property.name)
    properties.insert(property, at: position ?? properties.count)
  }

  package var description: EntityDescription {
    var description = EntityDescription(name, properties: properties.map(\.property))
    description.isReadOnly = isReadOnly
    description.uniquenessConstraints = uniquenessConstraints
    description.indexes = indexes.map { FetchIndex($0) }
    return description
  }

  /// The index in `columns` of a column of the table.
  package func columnIndex(_ name: String) -> Int? {
    let wanted = asciiLowercased(name)
    return columns.firstIndex { asciiLowercased($0.name) == wanted }
  }

  /// The property for a column: its attribute, or else the relationship that took its name.
  package func propertyName(ofColumn name: String) -> String? {
    guard let column = columnIndex(name) else { return nil }
    let shown = properties.first { $0.place == .column(column) }
    return (shown ?? properties.first { $0.referenceColumns == [column] })?.property.name
  }
}

/// A property while relationships are still being added; `.inverse` refers to a to-one relationship whose index is not
/// yet known.
package struct PropertyDraft {
  /// The place of the property.
  package enum Place: Hashable {
    case column(Int)
    case reference(KeyPlace, [Int], ReferenceTarget)
    case inverse(KeyPlace)
    case join(JoinLayout)
  }

  /// A foreign key, by its entity and its number.
  package struct KeyPlace: Hashable {
    package var entity: Int
    package var key: Int
  }

  package var property: Property
  package var place: Place

  package init(property: Property, place: Place) { (self.property, self.place) = (property, place) }

  package var referenceColumns: [Int]? {
    if case .reference(_, let columns, _) = place { columns } else { nil }
  }
}
