public import LuaBindings
internal import Modeling

extension Optional: ConsoleValue where Wrapped: ConsoleValue {
  /// The wrapped type.
  public static var consoleNoun: String { Wrapped.consoleNoun + " or nothing" }
  /// Reads a value; no value is nil.
  public static func consoleValue(_ value: HostValue) throws -> Wrapped? {
    if case .value(.null) = value { return nil }
    do { return try Wrapped.consoleValue(value) } catch var mismatch as ConsoleMismatch {
      if mismatch.place.isEmpty { mismatch.expected = article(consoleNoun) }
      throw mismatch
    }
  }
  /// The value, or no value.
  public func hostValue() throws -> HostValue { try self?.hostValue() ?? .value(.null) }
}

extension Array: ConsoleValue where Element: ConsoleValue {
  /// List.
  public static var consoleNoun: String { "list of \(plural(Element.consoleNoun))" }
  /// Reads a table of elements 1 to n, or the objects of a result.
  public static func consoleValue(_ value: HostValue) throws -> [Element] {
    guard case .list(let elements) = value else { throw ConsoleMismatch.of(value, self) }
    return try elements.enumerated().map { number, element in
      do { return try Element.consoleValue(element) } catch let mismatch as ConsoleMismatch {
        throw mismatch.within("[\(number + 1)]")
      }
    }
  }
  /// The elements as a table.
  public func hostValue() throws -> HostValue { .list(try map { try $0.hostValue() }) }
}

extension Dictionary: ConsoleValue where Key == String, Value: ConsoleValue {
  /// Table.
  public static var consoleNoun: String { "table of \(plural(Value.consoleNoun)) by name" }
  /// Reads a table of named fields.
  public static func consoleValue(_ value: HostValue) throws -> [String: Value] {
    if case .list(let elements) = value, elements.isEmpty { return [:] }
    guard case .record(let fields) = value else { throw ConsoleMismatch.of(value, self) }
    return try Dictionary(
      uniqueKeysWithValues: fields.sorted { $0.key < $1.key }.map { name, field in
        do { return (name, try Value.consoleValue(field)) } catch let mismatch as ConsoleMismatch {
          throw mismatch.within(".\(name)")
        }
      })
  }
  /// The values as a table of named fields.
  public func hostValue() throws -> HostValue { .record(try mapValues { try $0.hostValue() }) }
}

/// The plural of a noun: `strings`, `strings of bytes`.
private func plural(_ noun: String) -> String {
  let end = noun.firstIndex(of: " ") ?? noun.endIndex
  return noun[..<end] + "s" + noun[end...]
}
