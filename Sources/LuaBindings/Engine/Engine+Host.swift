public import LuaRuntime
public import Modeling

// Functions for programs that embed the engine, other than running chunks.
extension Engine {
  /// Makes a function of the program a global with that name and a help line.
  ///
  /// `example` is Lua that runs on the sample store of earthquakes. The arguments are at 1, 2, ...; `body` returns the number of results on the top of the stack. The sandbox refuses
  /// the function unless `inSandbox` declares that it accesses only its arguments, the store and standard output.
  public func define(
    _ name: String, _ signature: String, _ summary: String, inSandbox isSafe: Bool = false, example: String? = nil,
    _ body: @escaping (LuaStack) throws -> Int32
  ) {
    addToCatalog(
      CatalogEntry(kind: .function, owner: "", name: name, signature: signature, summary: summary, example: example))
    if options.isSandboxed, !isSafe {
      lua.setGlobal(name) { _ in throw RefusedInSandbox(name) }
    } else {
      let signature = Signature(signature)
      lua.setGlobal(name) { [unowned self] stack in
        try signature.refuseSurplus(of: Call(engine: self, stack: stack, name: name))
        return try turns.followingWrites { try body(stack) }
      }
    }
  }

  /// Runs the text of a script with its arguments in `...`, and returns its results.
  ///
  /// A first line that begins with `#` is skipped. The text may contain any bytes.
  public func run(_ source: [UInt8], name: String, arguments: [String] = []) throws -> [LuaReference] {
    let text = source.first == UInt8(ascii: "#") ? Array("--".utf8) + source : source
    let stack = lua.stack
    let top = stack.count
    try lua.load(text, name: name)
    stack.reserve(Int32(clamping: arguments.count) + 4)
    for argument in arguments { stack.push(argument) }
    try stack.call(arguments: Int32(clamping: arguments.count), results: LuaStack.allResults)
    var results: [LuaReference] = []
    while stack.count > top { results.append(stack.popReference()) }
    return results.reversed()
  }

  /// The model in a Lua value; nil for other values.
  public func model(_ value: LuaReference) -> Model? {
    lua.stack.push(value)
    defer { lua.stack.pop() }
    return classes.object(BoundModel.self, at: -1, on: lua.stack)?.model
  }

  /// The model in a global variable; nil for other values.
  public func model(global name: String) -> Model? {
    lua.pushGlobal(name)
    defer { lua.stack.pop() }
    return classes.object(BoundModel.self, at: -1, on: lua.stack)?.model
  }

}

// State of scripts.
extension Engine {
  /// Runs `body` with the locals of the Lua function that called the running host function as locals of the session.
  ///
  /// Assignments to them take effect in the function. `body` receives the place of the call, `script.lua:12`, and the
  /// names.
  public func withLocalsOfCaller(_ body: (_ place: String, _ names: [String]) -> Void) throws {
    try locals.withLocalsOfCaller(lua, body)
  }

  /// The top-level locals of the session.
  public var localNames: [String] { locals.names.sorted() }
}
