public import Foundation

/// The value of an attribute, or a constant in a predicate.
///
/// A value takes at most 24 bytes, with text and bytes behind a reference.
public enum Value: Hashable, Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  case double(Double)
  case decimal(Decimal)
  case string(String)
  case date(Timestamp)
  case uuid(UUID)
  case url(String)
  case data([UInt8])
  /// The value of a transformable or composite attribute.
  case json(JSON)
  /// An object, in predicates and relationship values.
  case object(ObjectID)
  /// A collection constant of a predicate, such as the right side of IN.
  indirect case list([Value])

  /// Whether the value is null.
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// The name of the value's kind in messages: `String`, `Integer`, `nil`, ...
  public var kindName: String {
    switch self {
    case .null: "nil"
    case .bool: "Bool"
    case .int: "Integer"
    case .double: "Double"
    case .decimal: "Decimal"
    case .string: "String"
    case .date: "Date"
    case .uuid: "UUID"
    case .url: "URL"
    case .data: "Data"
    case .json: "JSON"
    case .object(let id): id.entity.name
    case .list: "list"
    }
  }
}

/// An instant as seconds since 1970-01-01T00:00:00Z, as in SQLite's `unixepoch` and in stores of our own.
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Seconds since 1970, with fractions; exact to the microsecond for the years 1700 to 2240.
  public var seconds: Double

  /// Makes the instant `seconds` after 1970-01-01T00:00:00Z.
  public init(_ seconds: Double) { self.seconds = seconds }

  /// Whether `left` is earlier.
  public static func < (left: Timestamp, right: Timestamp) -> Bool { left.seconds < right.seconds }
}
