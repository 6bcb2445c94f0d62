@testable import LuaRuntime

/// Calls `body` with a new state that has its libraries, and closes it.
func withState<Result>(
  limit: Int = 64 << 20, sandboxed: Bool = true, _ body: (LuaState) throws -> Result
) throws -> Result {
  let state = try LuaState(memoryLimit: limit)
  defer { state.close() }
  try state.openStandardLibraries(sandboxed: sandboxed)
  return try body(state)
}

extension LuaState {
  /// Runs a chunk and leaves its results on the main stack.
  func run(_ code: String, results: Int32 = 0) throws {
    try load(code, name: "=test")
    try stack.call(results: results)
  }

  /// What a chunk returns, as `tostring` says it; or the message of the error that it ends with.
  func text(of code: String) -> String {
    do {
      try run(code, results: 1)
      defer { stack.pop() }
      return try stack.toDisplayString(at: -1)
    } catch {
      return "error: \(error)"
    }
  }

  /// The error that a chunk ends with, if it does.
  @discardableResult
  func failure(of code: String) -> LuaError? {
    do {
      try run(code)
      return nil
    } catch let error as LuaError {
      return error
    } catch {
      return LuaError("not a LuaError: \(error)")
    }
  }
}

/// Counts how many of its instances live.
final class Life {
  final class Counter {
    var live = 0
  }
  let counter: Counter
  var value: Int64

  init(_ counter: Counter, value: Int64 = 0) {
    self.counter = counter
    self.value = value
    counter.live += 1
  }

  deinit { counter.live -= 1 }
}

struct Mishap: Error, Equatable, CustomStringConvertible {
  var description: String
}
