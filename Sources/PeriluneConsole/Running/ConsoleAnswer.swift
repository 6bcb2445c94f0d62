internal import LuaBindings
internal import LuaRuntime

/// What came of a script.
public struct ConsoleAnswer {
  /// What the script printed and what a prompt would show of its values: tables, objects, texts.
  public let text: String
  /// Warnings and remarks, such as how a request read many rows.
  public let remarks: [String]
  /// The first value; nil if the script returned none.
  private let first: LuaReference?
  private let engine: Engine

  init(text: String, remarks: [String], first: LuaReference?, engine: Engine) {
    (self.text, self.remarks, self.first, self.engine) = (text, remarks, first, engine)
  }

  /// The first value that the script returned, as a value of Swift.
  ///
  /// - Throws: ConsoleError for a value of another type.
  public func value<Value: ConsoleValue>(as type: Value.Type = Value.self) throws -> Value {
    do { return try Value.consoleValue(try first.map(engine.hostValue) ?? .value(.null)) } catch let mismatch
      as ConsoleMismatch
    {
      throw ConsoleError("the value" + (mismatch.place.isEmpty ? "" : mismatch.place) + ": " + mismatch.unplaced)
    }
  }
}

extension ConsoleMismatch {
  fileprivate var unplaced: String { "expected \(expected), got \(found)" }
}
