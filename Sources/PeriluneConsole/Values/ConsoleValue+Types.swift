public import Foundation
public import LuaBindings
internal import Modeling

extension Int: ConsoleValue {
  /// Integer.
  public static var consoleNoun: String { "integer" }
  /// Reads an integer, or a number that is whole.
  public static func consoleValue(_ value: HostValue) throws -> Int {
    switch value {
    case .value(.int(let number)): return Int(number)
    case .value(.double(let number)):
      if let whole = Int(exactly: number) { return whole }
    default: break
    }
    throw ConsoleMismatch.of(value, self)
  }
  /// The integer.
  public func hostValue() -> HostValue { .value(.int(Int64(self))) }
}

extension Double: ConsoleValue {
  /// Number.
  public static var consoleNoun: String { "number" }
  /// Reads a number.
  public static func consoleValue(_ value: HostValue) throws -> Double {
    switch value {
    case .value(.int(let number)): Double(number)
    case .value(.double(let number)): number
    case .value(.decimal(let number)): NSDecimalNumber(decimal: number).doubleValue
    default: throw ConsoleMismatch.of(value, self)
    }
  }
  /// The number.
  public func hostValue() -> HostValue { .value(.double(self)) }
}

extension Decimal: ConsoleValue {
  /// Number.
  public static var consoleNoun: String { "number" }
  /// Reads a decimal or an integer.
  public static func consoleValue(_ value: HostValue) throws -> Decimal {
    switch value {
    case .value(.decimal(let number)): return number
    case .value(.int(let number)): return Decimal(number)
    case .value(.double(let number)):
      // A decimal has no infinity, and none beyond 10 to the power of 127; Foundation's own initializer traps there.
      if abs(number) < 1e127, let exact = Decimal(string: "\(number)") { return exact }
    default: break
    }
    throw ConsoleMismatch.of(value, self)
  }
  /// The decimal.
  public func hostValue() -> HostValue { .value(.decimal(self)) }
}

extension Bool: ConsoleValue {
  /// Boolean.
  public static var consoleNoun: String { "boolean" }
  /// Reads a boolean.
  public static func consoleValue(_ value: HostValue) throws -> Bool {
    guard case .value(.bool(let flag)) = value else { throw ConsoleMismatch.of(value, self) }
    return flag
  }
  /// The boolean.
  public func hostValue() -> HostValue { .value(.bool(self)) }
}

extension String: ConsoleValue {
  /// String.
  public static var consoleNoun: String { "string" }
  /// Reads a text.
  public static func consoleValue(_ value: HostValue) throws -> String {
    switch value {
    case .value(.string(let text)), .value(.url(let text)): text
    default: throw ConsoleMismatch.of(value, self)
    }
  }
  /// The text.
  public func hostValue() -> HostValue { .value(.string(self)) }
}

extension Date: ConsoleValue {
  /// Date.
  public static var consoleNoun: String { "date" }
  /// Reads a date.
  public static func consoleValue(_ value: HostValue) throws -> Date {
    guard case .value(.date(let instant)) = value else { throw ConsoleMismatch.of(value, self) }
    return Date(timeIntervalSince1970: instant.seconds)
  }
  /// The date.
  public func hostValue() -> HostValue { .value(.date(Timestamp(timeIntervalSince1970))) }
}

extension Data: ConsoleValue {
  /// String of bytes.
  public static var consoleNoun: String { "string of bytes" }
  /// Reads the bytes of a string.
  public static func consoleValue(_ value: HostValue) throws -> Data {
    switch value {
    case .value(.data(let bytes)): Data(bytes)
    case .value(.string(let text)): Data(text.utf8)
    default: throw ConsoleMismatch.of(value, self)
    }
  }
  /// The bytes as a string.
  public func hostValue() -> HostValue { .value(.data(Array(self))) }
}

extension UUID: ConsoleValue {
  /// UUID.
  public static var consoleNoun: String { "UUID" }
  /// Reads the text of a UUID.
  public static func consoleValue(_ value: HostValue) throws -> UUID {
    switch value {
    case .value(.uuid(let uuid)): return uuid
    case .value(.string(let text)):
      if let uuid = UUID(uuidString: text) { return uuid }
    default: break
    }
    throw ConsoleMismatch.of(value, self)
  }
  /// The UUID as a string.
  public func hostValue() -> HostValue { .value(.uuid(self)) }
}
