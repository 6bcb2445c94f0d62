internal import Foundation
public import Modeling

/// The target types of CAST; the raw value is Apple's class name.
public enum CastType: String, CaseIterable, Hashable, Sendable {
  case string = "NSString"
  case number = "NSNumber"
  case decimal = "NSDecimalNumber"
  case date = "NSDate"
  case uuid = "NSUUID"
  case url = "NSURL"
  case data = "NSData"
  case integer = "Integer"
  case double = "Double"
  case bool = "Bool"
  /// Our own: the text of a JSON value.
  case json = "JSON"

  /// Finds a type by Apple's class name or its short form, such as `Date`; case does not matter.
  public init?(named name: String) {
    let key = name.lowercased()
    let short = key.hasPrefix("ns") ? String(key.dropFirst(2)) : key
    let names: [String: CastType] = [
      "string": .string, "number": .number, "decimalnumber": .decimal, "decimal": .decimal, "date": .date,
      "uuid": .uuid, "url": .url, "data": .data, "integer": .integer, "int": .integer, "double": .double,
      "float": .double, "bool": .bool, "boolean": .bool, "json": .json,
    ]
    guard let type = names[short] else { return nil }
    self = type
  }

  /// The type of its results.
  public var attributeType: AttributeType {
    switch self {
    case .string: .string
    case .number, .double: .double
    case .decimal: .decimal
    case .date: .date
    case .uuid: .uuid
    case .url: .url
    case .data: .data
    case .integer: .integer64
    case .bool: .boolean
    case .json: .transformable
    }
  }

  /// The value converted to this type; nil if it cannot be.
  ///
  /// Numbers and dates convert as in Foundation, by seconds since 2001. A text for a date is ISO 8601, or a number of
  /// seconds since 1970; a text for data is hexadecimal digits.
  public func convert(_ value: Value) -> Value? {
    // The store keeps a URL as its text, and converts that text.
    if case .url(let text) = value { return convert(.string(text)) }
    return switch self {
    case .string: Self.text(of: value).map(Value.string)
    case .number: Self.number(from: value)
    case .decimal: Self.decimal(from: value).map(Value.decimal)
    case .date: Self.date(from: value).map(Value.date)
    case .uuid: Self.uuid(from: value).map(Value.uuid)
    case .url: Self.text(of: value).map(Value.url)
    case .data: Self.data(from: value).map(Value.data)
    case .integer: Self.integer(from: value).map(Value.int)
    case .double: Self.number(from: value)?.doubleValue.map(Value.double)
    case .bool: Self.bool(from: value).map(Value.bool)
    case .json: Self.json(from: value).map(Value.json)
    }
  }

  private static func text(of value: Value) -> String? {
    switch value {
    case .string(let text), .url(let text): text
    case .bool(let flag): flag ? "1" : "0"
    case .int(let number): String(number)
    case .double(let number): number.foundationText
    case .decimal(let number): number.canonicalText
    case .date(let date): date.iso8601
    case .uuid(let uuid): uuid.uuidString
    case .null, .data, .json, .object, .list: nil
    }
  }

  private static func number(from value: Value) -> Value? {
    switch value {
    case .int, .double: value
    case .decimal: value.doubleValue.map(Value.double)
    case .bool(let flag): .int(flag ? 1 : 0)
    case .date(let date): .double(date.seconds - Timestamp.referenceDate)
    case .string(let text): Int64(text).map(Value.int) ?? Double(text).map(Value.double)
    default: nil
    }
  }

  private static func decimal(from value: Value) -> Decimal? {
    switch value {
    case .string(let text): Decimal(exactly: text)
    case .decimal(let number): number
    default: number(from: value)?.decimalValue
    }
  }

  private static func date(from value: Value) -> Timestamp? {
    switch value {
    case .date(let date): date
    case .string(let text): Timestamp(iso8601: text) ?? Double(text).map(Timestamp.init)
    case .int, .double, .decimal: value.doubleValue.map { Timestamp($0 + Timestamp.referenceDate) }
    default: nil
    }
  }

  private static func uuid(from value: Value) -> UUID? {
    switch value {
    case .uuid(let uuid): uuid
    case .string(let text): UUID(lenient: text)
    default: nil
    }
  }

  private static func data(from value: Value) -> [UInt8]? {
    switch value {
    case .data(let bytes): return bytes
    case .string(let text):
      let digits = Array(text.utf8)
      guard digits.count % 2 == 0 else { return nil }
      var bytes: [UInt8] = []
      for index in stride(from: 0, to: digits.count, by: 2) {
        guard let byte = UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16) else {
          return nil
        }
        bytes.append(byte)
      }
      return bytes
    default: return nil
    }
  }

  private static func integer(from value: Value) -> Int64? {
    switch number(from: value) {
    case .int(let number): number
    case .double(let number): Int64(exactly: number.rounded(.towardZero))
    case .decimal(let number): Int64(exactly: (Double(number.canonicalText) ?? .nan).rounded(.towardZero))
    default: nil
    }
  }

  private static func json(from value: Value) -> JSON? {
    switch value {
    case .json(let json): json
    case .string(let text): try? JSON.parse(text)
    default: nil
    }
  }

  private static func bool(from value: Value) -> Bool? {
    if case .string(let text) = value,
      let flag = ["yes": true, "true": true, "no": false, "false": false][text.lowercased()]
    {
      return flag
    }
    return number(from: value)?.doubleValue.map { $0 != 0 }
  }
}

extension Double {
  /// The number as `NSNumber.stringValue` writes it, which is documented as `%0.16g`: 10 for 10.0.
  fileprivate var foundationText: String {
    if let whole = Int64(exactly: self), whole.magnitude < 10_000_000_000_000_000 { return String(whole) }
    return String(format: "%0.16g", self)
  }
}

extension Timestamp {
  /// Seconds from 1970 to Foundation's reference date, 2001-01-01T00:00:00Z.
  static let referenceDate = 978_307_200.0
}
