internal import Foundation
internal import LuaBindings
internal import Modeling

/// A function or a type of the program, for each session that scripts run in.
struct Definition: Sendable {
  let name: String
  let install: @Sendable (Engine) throws -> Void
}

/// The arguments of a call, taken one after the other by their types.
struct ArgumentReader {
  private let place: String
  private let names: [String]
  private let values: [HostValue]
  private var count = 0

  /// Takes the arguments of the function at `place`, whose signature names them.
  init(_ place: String, _ signature: String, _ values: [HostValue]) {
    (self.place, names, self.values) = (place, parameterNames(of: signature), values)
  }

  /// The next argument; no value where the call has no more.
  mutating func next<Value: ConsoleValue>(_ type: Value.Type) throws -> Value {
    let value = count < values.count ? values[count] : .value(.null)
    let name = count < names.count ? names[count] : "argument \(count + 1)"
    count += 1
    do { return try Value.consoleValue(value) } catch let mismatch as ConsoleMismatch {
      throw ArgumentError(message: "\(place): \(mismatch.within(name).sentence)")
    }
  }
}

/// A value that a function does not take.
struct ArgumentError: ReportedError {
  var message: String
  var report: ErrorReport { ErrorReport("argument", message) }
}

/// An error that a function of the program threw, in its own words.
struct ThrownError: ReportedError {
  var message: String
  var report: ErrorReport { ErrorReport("host", message) }
}

/// Runs code of the program; an error with a text for users keeps it.
func keepingWords<Result>(_ body: () throws -> Result) throws -> Result {
  do { return try body() } catch let error as any LocalizedError {
    guard let text = error.errorDescription else { throw error }
    throw ThrownError(message: text)
  }
}

/// The value of a function's result for scripts; nothing for `Void`.
func hostValue(of result: Any) throws -> HostValue {
  try (result as? any ConsoleValue)?.hostValue() ?? .value(.null)
}

/// Throws for a function that cannot be defined as it is said.
func check(_ name: String, _ signature: String, parameters: Int, result: Any.Type) throws {
  guard Naming.isLuaIdentifier(name) else { throw ConsoleError("'\(name)' is not a name of Lua") }
  let named = parameterNames(of: signature)
  guard signature.hasPrefix("\(name)("), named.count == parameters else {
    let example = "\(name)(\((0..<parameters).map { "value\($0 + 1)" }.joined(separator: ", ")))"
    throw ConsoleError(
      "\(name): the signature \"\(signature)\" names \(Quantity.count(named.count, "parameter")), "
        + "and the function takes \(parameters): expected one like \"\(example)\"")
  }
  guard result == Void.self || result is any ConsoleValue.Type else {
    throw ConsoleError("\(name): a result of type \(result) is no ConsoleValue")
  }
}
