internal import Modeling
internal import Stores

/// How to read a property of an object, determined once for each entity.
enum PropertyPlan {
  case column(Int, Kind)
  /// A composite attribute, which becomes a table of its elements.
  case composite
  /// Read through the object: the property has no column, or one that must be decoded.
  case byObject
  case toOne
  case toMany

  /// The Lua type of a column's value. It is plain bits, because every read copies it.
  enum Kind {
    /// Text that is pushed as bytes.
    case text(AttributeType)
    case number(AttributeType)
    case integer(AttributeType)
    case date
    /// All other types, through a Swift value.
    case other(AttributeType)

    init(_ type: AttributeType) {
      switch type {
      case .string, .url: self = .text(type)
      case .double, .float: self = .number(type)
      case .integer16, .integer32, .integer64: self = .integer(type)
      case .date: self = .date
      default: self = .other(type)
      }
    }

    /// The type as which unusual storage classes are decoded.
    var type: AttributeType {
      switch self {
      case .text(let type), .number(let type), .integer(let type), .other(let type): type
      case .date: .date
      }
    }
  }

  /// The plans of an entity's properties, by index.
  static func plans(for entity: Entity, in layout: EntityLayout) -> [PropertyPlan] {
    entity.properties.enumerated().map { index, property in
      switch property {
      case .relationship(let relationship): return relationship.isToMany ? .toMany : .toOne
      case .attribute(let attribute):
        guard case .column(let column) = layout.properties[index] else { return .byObject }
        if layout.columns[column].encoding.isSealed { return .byObject }
        let isComposite = attribute.type == .composite && !attribute.elements.isEmpty
        return isComposite ? .composite : .column(column, Kind(attribute.type))
      }
    }
  }
}
