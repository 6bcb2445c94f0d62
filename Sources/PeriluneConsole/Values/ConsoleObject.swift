public import LuaBindings
internal import Modeling
public import PeriluneKit

/// A class whose objects scripts hold: `Console.type` describes its fields and methods. An object is the same value each time.
///
///     extension Worker: ConsoleObject {}
public protocol ConsoleObject: AnyObject, ConsoleValue, Sendable {}

extension ConsoleObject {
  /// The name of the class.
  public static var consoleNoun: String { "\(Self.self)" }
  /// Reads an object of the class.
  public static func consoleValue(_ value: HostValue) throws -> Self {
    guard case .instance(let object) = value, let object = object as? Self else {
      throw ConsoleMismatch.of(value, self)
    }
    return object
  }
  /// The object.
  public func hostValue() -> HostValue { .instance(self) }
}

extension ManagedObject: ConsoleValue {
  /// The name of the entity.
  public class var consoleNoun: String { entityName }
  /// Reads an object of the class; on the thread of the program it is the program's own.
  public static func consoleValue(_ value: HostValue) throws -> Self {
    guard case .object(let object) = value else { throw ConsoleMismatch.of(value, self) }
    guard let instance = instance(of: object) else {
      throw ConsoleMismatch(expected: "an object of the store's main context", found: "one of another context")
    }
    guard let own = instance as? Self else { throw ConsoleMismatch.of(value, self) }
    return own
  }
  /// The object.
  public func hostValue() -> HostValue { .object(graphObject) }
}
