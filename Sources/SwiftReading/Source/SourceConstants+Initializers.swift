internal import Modeling
internal import Queries
internal import SwiftParsing

internal import struct Foundation.Data
internal import struct Foundation.Date
internal import struct Foundation.Decimal
internal import struct Foundation.UUID

extension SourceConstants {
  /// The value of an initialiser of Foundation, or of a method on its value.
  func value(of callee: SwiftSyntax, _ arguments: [SwiftArgument]) -> Value? {
    switch callee.kind {
    case .name(let type): return value(ofType: type, arguments)
    case .member(let base?, "init"):
      guard case .name(let type) = base.kind else { return nil }
      return value(ofType: type, arguments)
    case .member(let base?, let method): return value(ofMethod: method, base, arguments)
    default: return nil
    }
  }

  private func value(ofType type: String, _ arguments: [SwiftArgument]) -> Value? {
    let label = arguments.first?.label
    let value = arguments.first.flatMap { self.value(of: $0.value) }
    switch (type, label, value) {
    case ("Date", nil, nil) where arguments.isEmpty, ("NSDate", nil, nil) where arguments.isEmpty: return Self.now
    case ("Date", let label?, let seconds?), ("NSDate", let label?, let seconds?): return Self.date(label, seconds)
    case ("Date", nil, .string(let text)?): return Timestamp(iso8601: text).map(Value.date)
    case ("UUID", "uuidString", .string(let text)?), ("NSUUID", "uuidString", .string(let text)?):
      return UUID(uuidString: text).map(Value.uuid)
    case ("URL", "string", .string(let text)?), ("NSURL", "string", .string(let text)?): return .url(text)
    case ("Decimal", "string", .string(let text)?), ("NSDecimalNumber", "string", .string(let text)?):
      return Decimal(exactly: text).map(Value.decimal)
    case ("Decimal", nil, let number?), ("NSDecimalNumber", "value", let number?): return Self.decimal(number)
    case ("NSNumber", "value", let number?), ("NSNumber", "booleanLiteral", let number?): return number
    case ("NSNull", nil, nil): return .null
    case ("Data", nil, .list(let bytes)?): return Self.data(bytes)
    case ("Data", "base64Encoded", .string(let text)?): return Data(base64Encoded: text).map { .data(Array($0)) }
    case ("Set", nil, .list(let values)?), ("Array", nil, .list(let values)?): return .list(values)
    case ("Set", nil, nil) where arguments.isEmpty, ("Array", nil, nil) where arguments.isEmpty: return .list([])
    case ("Double", nil, let number?), ("Float", nil, let number?): return CastType.double.convert(number)
    case ("Int", nil, let number?), ("Int64", nil, let number?): return CastType.integer.convert(number)
    case ("String", nil, .string(let text)?), ("NSString", "string", .string(let text)?): return .string(text)
    default: return nil
    }
  }

  private static var now: Value { .date(.now) }

  private static func date(_ label: String, _ seconds: Value) -> Value? {
    guard case .double(let seconds)? = CastType.double.convert(seconds) else { return nil }
    switch label {
    case "timeIntervalSince1970": return .date(Timestamp(seconds))
    case "timeIntervalSinceReferenceDate":
      return .date(Timestamp(seconds + Date.timeIntervalBetween1970AndReferenceDate))
    case "timeIntervalSinceNow": return .date(Timestamp(Timestamp.now.seconds + seconds))
    default: return nil
    }
  }

  private static func decimal(_ number: Value) -> Value? {
    switch number {
    case .int(let integer): .decimal(Decimal(integer))
    case .double(let double): Decimal(shortest: double).map(Value.decimal)
    case .decimal: number
    default: nil
    }
  }

  private static func data(_ values: [Value]) -> Value? {
    var bytes: [UInt8] = []
    for value in values {
      guard case .int(let number) = value, let byte = UInt8(exactly: number) else { return nil }
      bytes.append(byte)
    }
    return .data(bytes)
  }

  private func value(ofMethod method: String, _ base: SwiftSyntax, _ arguments: [SwiftArgument]) -> Value? {
    let label = arguments.first?.label
    let argument = arguments.first.flatMap { value(of: $0.value) }
    if method == "date", label == "from", case .string(let text)? = argument,
      case .call(let formatter, _, _) = base.kind, case .name("ISO8601DateFormatter") = formatter.kind
    {
      return Timestamp(iso8601: text).map(Value.date)
    }
    guard case .date(let date)? = value(of: base), arguments.count == 1, let argument,
      case .double(let seconds)? = CastType.double.convert(argument)
    else { return nil }
    return method == "addingTimeInterval" || method == "advanced" ? .date(Timestamp(date.seconds + seconds)) : nil
  }

  /// `Date.now`, `.distantPast`, `Double.infinity`, `Int.max`
  func value(ofMember name: String, of base: SwiftSyntax?) -> Value? {
    switch base?.kind {
    case nil: Self.date(name) ?? Self.double(name)
    case .name("Date"): Self.date(name)
    case .name("Double"), .name("Float"): Self.double(name)
    case .name("Int"), .name("Int64"): Self.limit(name, of: .integer64)
    case .name("Int32"): Self.limit(name, of: .integer32)
    case .name("Int16"): Self.limit(name, of: .integer16)
    case .name("Decimal") where name == "zero": .decimal(0)
    default: nil
    }
  }

  private static func double(_ name: String) -> Value? {
    switch name {
    case "infinity": .double(.infinity)
    case "nan": .double(.nan)
    case "pi": .double(.pi)
    case "zero": .double(0)
    default: nil
    }
  }

  private static func limit(_ name: String, of type: AttributeType) -> Value? {
    switch name {
    case "max": type.integerRange.map { .int($0.upperBound) }
    case "min": type.integerRange.map { .int($0.lowerBound) }
    case "zero": .int(0)
    default: nil
    }
  }

  private static func date(_ name: String) -> Value? {
    switch name {
    case "now": return Self.now
    case "distantPast": return .date(Timestamp(Date.distantPast.timeIntervalSince1970))
    case "distantFuture": return .date(Timestamp(Date.distantFuture.timeIntervalSince1970))
    default: return nil
    }
  }
}
