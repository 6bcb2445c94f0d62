internal import LuaBindings
internal import Modeling

/// The fields and methods of a class, as scripts see them.
///
///     try console.type(Worker.self) {
///       try $0.field("name", "The name of the worker.", \.name)
///       try $0.method("stop", "stop()", "Stops the worker.") { $0.stop() }
///     }
public struct ConsoleType<Object: ConsoleObject>: Sendable {
  private(set) var fields: [@Sendable () -> HostType.Field] = []
  private(set) var methods: [@Sendable (Engine) -> HostType.Method] = []

  /// Adds a field, which is read anew each time.
  public mutating func field<Value: ConsoleValue>(
    _ name: String, _ summary: String, _ value: @escaping @Sendable (Object) throws -> Value
  ) throws {
    guard Naming.isLuaIdentifier(name) else { throw ConsoleError("\(Object.self): '\(name)' is not a name of Lua") }
    fields.append {
      HostType.Field(name, summary) { object in
        try keepingWords { try value(Self.object(object)).hostValue() }
      }
    }
  }

  /// Adds a method: a closure of the object and the arguments.
  public mutating func method<each Argument: ConsoleValue, Result>(
    _ name: String, _ signature: String, _ summary: String,
    _ body: @escaping @Sendable (Object, repeat each Argument) throws -> Result
  ) throws {
    var count = 0
    for _ in repeat (each Argument).self { count += 1 }
    try check(name, signature, parameters: count, result: Result.self)
    let invoke: @Sendable (AnyObject, [HostValue]) throws -> HostValue = { object, values in
      var arguments = ArgumentReader("\(Object.self):\(name)", signature, values)
      let taken = (repeat try arguments.next((each Argument).self))
      let object = try Self.object(object)
      return try hostValue(of: keepingWords { try body(object, repeat each taken) })
    }
    methods.append { _ in HostType.Method(name, signature, summary, invoke) }
  }

  /// Adds an asynchronous method, for which the script's thread waits as for an asynchronous function.
  public mutating func method<each Argument: ConsoleValue & Sendable, Result: Sendable>(
    _ name: String, _ signature: String, _ summary: String,
    _ body: @escaping @isolated(any) @Sendable (Object, repeat each Argument) async throws -> Result
  ) throws {
    var count = 0
    for _ in repeat (each Argument).self { count += 1 }
    try check(name, signature, parameters: count, result: Result.self)
    let place = "\(Object.self):\(name)"
    let invoke: @Sendable (Engine, AnyObject, [HostValue]) throws -> HostValue = { engine, object, values in
      var arguments = ArgumentReader(place, signature, values)
      let taken = (repeat try arguments.next((each Argument).self))
      let object = try Self.object(object)
      return try hostValue(
        of: keepingWords { try awaiting(place, body.isolation, engine) { try await body(object, repeat each taken) } })
    }
    methods.append { engine in
      HostType.Method(name, signature, summary) { [unowned engine] in try invoke(engine, $0, $1) }
    }
  }

  private static func object(_ object: AnyObject) throws -> Object {
    guard let object = object as? Object else { throw ConsoleError("expected a \(Object.self)") }
    return object
  }

  /// The type for one session.
  func made(for engine: Engine) -> HostType {
    HostType(
      "\(Object.self)", includes: { $0 is Object }, fields: fields.map { $0() }, methods: methods.map { $0(engine) })
  }
}
