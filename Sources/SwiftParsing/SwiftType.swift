package import Modeling
internal import Queries

/// The type that a value has in Swift.
package indirect enum SwiftType: Hashable, Sendable {
  case attribute(AttributeType)
  case object(Entity)
  case list(SwiftType)

  package static let bool = SwiftType.attribute(.boolean)
  package static let integer = SwiftType.attribute(.integer64)
  package static let string = SwiftType.attribute(.string)
  package static let date = SwiftType.attribute(.date)

  /// The type's name; objects go by their identifiers, of which the stores make `identifier`.
  package func name(ofObjects identifier: String = "PersistentIdentifier") -> String {
    switch self {
    case .object: identifier
    case .list(let element): "[\(element.name(ofObjects: identifier))]"
    case .attribute(let type): type.swiftName
    }
  }

  /// The attribute type, if it is one.
  package var attributeType: AttributeType? { if case .attribute(let type) = self { type } else { nil } }

  package var isNumber: Bool { attributeType?.isNumeric == true }
}

extension AttributeType {
  /// Whether Swift calls the values of an attribute so.
  package static func isSwiftName(_ name: String) -> Bool {
    allCases.contains { $0.swiftName == name } || ["Int64", "UInt", "Any"].contains(name)
  }

  /// The type of the values that Swift calls so.
  package init?(swiftName name: String) {
    guard let type = Self.allCases.first(where: { $0.swiftName == name }) ?? (name == "Int64" ? .integer64 : nil),
      type.swiftName != "Any"
    else { return nil }
    self = type
  }

  /// Whether a value of the type may be what Swift declares as the other: whole numbers and fractions of any width are alike,
  /// since the language that is read into has one kind of each.
  package func isSameKind(as other: AttributeType) -> Bool {
    if self == other || self == .any || self == .transformable || self == .composite { return true }
    func isFraction(_ type: AttributeType) -> Bool { type == .double || type == .float || type == .decimal }
    return isNumeric && other.isNumeric && isFraction(self) == isFraction(other)
  }

  /// What a property of a model class that holds it is declared as.
  package var swiftName: String {
    switch self {
    case .integer16: "Int16"
    case .integer32: "Int32"
    case .integer64: "Int"
    case .decimal: "Decimal"
    case .double: "Double"
    case .float: "Float"
    case .string: "String"
    case .boolean: "Bool"
    case .date: "Date"
    case .uuid: "UUID"
    case .url: "URL"
    case .data: "Data"
    case .transformable, .composite, .any: "Any"
    }
  }
}
