/// The type of an attribute, with the names of Core Data's attribute types.
public enum AttributeType: String, CaseIterable, Codable, Hashable, Sendable {
  case integer16 = "Integer16"
  case integer32 = "Integer32"
  case integer64 = "Integer64"
  case decimal = "Decimal"
  case double = "Double"
  case float = "Float"
  case string = "String"
  case boolean = "Bool"
  case date = "Date"
  case uuid = "UUID"
  case url = "URL"
  case data = "Data"
  /// Any JSON value; Core Data's transformable attributes hold archives instead.
  case transformable = "Transformable"
  /// A record of named elements, stored as one JSON object.
  case composite = "Composite"
  /// A column of a plain SQLite file without a declared type: each row's value keeps its own type.
  case any = "Any"

  /// The range of integers that the type holds; nil for other types.
  public var integerRange: ClosedRange<Int64>? {
    switch self {
    case .integer16: Int64(Int16.min)...Int64(Int16.max)
    case .integer32: Int64(Int32.min)...Int64(Int32.max)
    case .integer64: Int64.min...Int64.max
    default: nil
    }
  }

  /// Whether values of the type are numbers: they can be summed and compared with one another.
  public var isNumeric: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .decimal, .double, .float: true
    default: false
    }
  }

  /// Whether string operators accept values of the type.
  public var isTextual: Bool { self == .string || self == .url }
}
