internal import Foundation
internal import Modeling
internal import Queries

/// The arguments of a format, from the types that Foundation's initializers take.
enum FormatArguments {
  /// Parses a format with arguments.
  static func parse(_ format: String, _ arguments: [Any]) -> Result<Queries.Predicate, any Error> {
    Result { try Queries.Predicate.parse(format, arguments: arguments.map { .value(try value($0)) }) }
  }

  private static func value(_ argument: Any) throws -> AnyValue {
    switch argument {
    case let value as any PredicateValue: return value.predicateValue
    case let number as any BinaryInteger:
      guard let exact = Int64(exactly: number) else { throw PeriluneError(.wrongArgument("\(number)")) }
      return .int(exact)
    case let number as any BinaryFloatingPoint: return Double(number).predicateValue
    case let number as NSNumber:
      // Only its class distinguishes a boxed Boolean from a number.
      if type(of: number) == type(of: NSNumber(value: true)), let flag = argument as? Bool { return .bool(flag) }
      return Int64(exactly: number).map { .int($0) } ?? .double(number.doubleValue)
    case is NSNull: return .null
    // Objects of Foundation's classes become values.
    case let text as String: return text.predicateValue
    case let date as Date: return date.predicateValue
    case let uuid as UUID: return uuid.predicateValue
    case let url as URL: return url.predicateValue
    case let data as Data: return data.predicateValue
    case let list as [Any]: return .list(try list.map(value))
    default: throw PeriluneError(.wrongArgument("\(type(of: argument))"))
    }
  }
}
