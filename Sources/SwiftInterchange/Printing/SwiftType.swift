internal import Modeling
internal import Queries

/// The type that a value has in Swift.
indirect enum SwiftType: Hashable, Sendable {
  case attribute(AttributeType)
  case object(Entity)
  case list(SwiftType)

  static let bool = SwiftType.attribute(.boolean)
  static let integer = SwiftType.attribute(.integer64)
  static let string = SwiftType.attribute(.string)
  static let date = SwiftType.attribute(.date)

  /// The type's name; objects go by their identifiers, of which the stores make `identifier`.
  func name(ofObjects identifier: String = "PersistentIdentifier") -> String {
    switch self {
    case .object: identifier
    case .list(let element): "[\(element.name(ofObjects: identifier))]"
    case .attribute(let type): type.swiftName
    }
  }

  /// The attribute type, if it is one.
  var attributeType: AttributeType? { if case .attribute(let type) = self { type } else { nil } }

  var isNumber: Bool { attributeType?.isNumeric == true }
}

extension AttributeType {
  /// Whether Swift calls the values of an attribute so.
  static func isSwiftName(_ name: String) -> Bool {
    allCases.contains { $0.swiftName == name } || ["Int64", "UInt", "Any"].contains(name)
  }

  /// What a property of a model class that holds it is declared as.
  var swiftName: String {
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
