public import LuaRuntime
internal import Modeling

/// A function of the program around the engine, with typed values in place of Lua's stack.
///
///     engine.define(HostFunction("restart", "restart(name)", "Restarts a worker.") { arguments in ... })
///
/// It is for the sandbox as well: what it does is up to the program.
public struct HostFunction {
  /// The name of the global.
  public let name: String
  /// The call, as help shows it.
  public let signature: String
  /// What it does, in one sentence.
  public let summary: String
  /// Receives as many arguments as a call gives.
  public let body: ([HostValue]) throws -> HostValue

  /// Creates a function.
  public init(
    _ name: String, _ signature: String, _ summary: String, _ body: @escaping ([HostValue]) throws -> HostValue
  ) {
    (self.name, self.signature, self.summary, self.body) = (name, signature, summary, body)
  }
}

/// The parameters that a signature names, without brackets: `name` and `seconds` of `restart(name [, seconds])`.
public func parameterNames(of signature: String) -> [String] {
  guard let open = signature.firstIndex(of: "("), let close = signature[open...].firstIndex(of: ")") else { return [] }
  return signature[signature.index(after: open)..<close].split(separator: ",")
    .map { $0.filter { $0 != "[" && $0 != "]" && $0 != " " } }.filter { !$0.isEmpty }
}

extension Engine {
  /// Makes a function of the program a global, with a help line.
  public func define(_ function: HostFunction) {
    define(function.name, function.signature, function.summary, inSandbox: true) { [unowned self] stack in
      let call = Call(engine: self, stack: stack, name: function.name)
      return try call.push(call.result(of: function.body))
    }
  }

  /// Whether a name is one of Lua's or of the engine's globals.
  public func hasGlobal(_ name: String) -> Bool {
    defer { lua.stack.pop() }
    return lua.pushGlobal(name) != .nil
  }

  /// Sets a global to a value of the program.
  public func setGlobal(_ name: String, to value: HostValue) throws {
    lua.stack.push(try value.returned(in: self).kept(in: self))
    lua.setGlobal(name)
  }

  /// The value of a chunk for the program.
  ///
  /// - Throws: ScriptError for a value that a program cannot take, such as a function.
  public func hostValue(of value: LuaReference) throws -> HostValue {
    let stack = lua.stack
    stack.reserve(4)
    stack.push(value)
    defer { stack.pop() }
    return try HostValue(at: stack.count, of: Call(engine: self, stack: stack, name: "the value"))
  }
}

extension Call {
  /// The result of a body for the arguments.
  func result(of body: ([HostValue]) throws -> HostValue) throws -> ReturnValue {
    stack.reserve(8)
    var arguments: [HostValue] = []
    for number in 0..<count { arguments.append(try HostValue(at: index(number + 1), of: self)) }
    return try body(arguments).returned(in: engine)
  }
}
