internal import LuaRuntime
internal import Modeling

/// A type of the program around the engine whose objects scripts hold: its fields and methods.
public final class HostType {
  /// A field: a value that is read anew each time.
  public struct Field {
    let name: String
    let summary: String
    let get: (AnyObject) throws -> HostValue

    /// Creates a field.
    public init(_ name: String, _ summary: String, get: @escaping (AnyObject) throws -> HostValue) {
      (self.name, self.summary, self.get) = (name, summary, get)
    }
  }

  /// A method, which receives its object and the arguments of a call.
  public struct Method {
    let name: String
    let signature: String
    let summary: String
    let body: (AnyObject, [HostValue]) throws -> HostValue

    /// Creates a method.
    public init(
      _ name: String, _ signature: String, _ summary: String,
      _ body: @escaping (AnyObject, [HostValue]) throws -> HostValue
    ) {
      (self.name, self.signature, self.summary, self.body) = (name, signature, summary, body)
    }
  }

  /// The name in help and in messages: `Worker`.
  public let name: String
  let fields: [Field]
  let methods: [Method]
  /// Whether an object is of the type.
  let includes: (AnyObject) -> Bool

  /// Creates a type of the objects that `includes` accepts.
  public init(_ name: String, includes: @escaping (AnyObject) -> Bool, fields: [Field], methods: [Method]) {
    (self.name, self.includes, self.fields, self.methods) = (name, includes, fields, methods)
  }

  /// The members as help shows them.
  var entries: [CatalogEntry] {
    let variable = name.prefix(1).lowercased() + name.dropFirst()
    return fields.map { field in
      CatalogEntry(
        kind: .property, owner: name, name: field.name, signature: "\(variable).\(field.name)", summary: field.summary,
        example: nil)
    }
      + methods.map { method in
        CatalogEntry(
          kind: .method, owner: name, name: method.name, signature: "\(variable):\(method.signature)",
          summary: method.summary, example: nil)
      }
  }
}

/// An object of the program in Lua.
final class HostInstance {
  let object: AnyObject

  init(_ object: AnyObject) { self.object = object }
}

/// The Lua classes of the program's types.
final class HostTypes {
  unowned(unsafe) var engine: Engine!
  /// Later types come first: a subclass may be described behind its superclass.
  private var classes: [(type: HostType, luaClass: LuaClass<HostInstance>)] = []
  /// The values of objects that Lua holds: an object is one value.
  private var known: [ObjectIdentifier: Weak] = [:]

  private struct Weak {
    weak var instance: HostInstance?
  }

  /// Adds a type, before its first object is pushed.
  func add(_ type: HostType) throws {
    for entry in type.entries { engine.addToCatalog(entry) }
    classes.insert((type, try makeClass(of: type)), at: 0)
  }

  func push(_ object: AnyObject, on stack: LuaStack) throws {
    guard let luaClass = classes.first(where: { $0.type.includes(object) })?.luaClass else {
      throw ScriptError("\(type(of: object))", .other("the program has not described this type for scripts"))
    }
    let key = ObjectIdentifier(object)
    let instance = known[key]?.instance ?? HostInstance(object)
    if known.count > 1000 { known = known.filter { $0.value.instance != nil } }
    known[key] = Weak(instance: instance)
    luaClass.push(instance, on: stack)
  }

  func instance(at index: Int32, on stack: LuaStack) -> HostInstance? {
    classes.lazy.compactMap { $0.luaClass.object(at: index, on: stack) }.first
  }

  private func makeClass(of type: HostType) throws -> LuaClass<HostInstance> {
    let fields = Dictionary(type.fields.map { ($0.name, $0) }) { first, _ in first }
    return try LuaClass(engine.lua, name: type.name, keepsIdentity: true, objectBytes: 64) { definition in
      for method in type.methods {
        let signature = Signature(method.signature)
        definition.method(method.name) { [unowned engine = engine!] instance, stack in
          let call = Call(engine: engine, stack: stack, name: "\(type.name):\(method.name)", skipping: 1)
          try signature.refuseSurplus(of: call)
          return try engine.turns.followingWrites {
            try call.push(call.result { try method.body(instance.object, $0) })
          }
        }
      }
      definition.index { [unowned engine = engine!] instance, stack in
        let key = stack.repairedString(at: 2) ?? ""
        guard let field = fields[key] else {
          let names = type.fields.map(\.name) + type.methods.map(\.name)
          throw ScriptError("", .unknownMember(key, of: type.name, nearest: nearest(key, names)))
        }
        let call = Call(engine: engine, stack: stack, name: "\(type.name).\(key)", skipping: 2)
        return try call.push(field.get(instance.object).returned(in: engine))
      }
      definition.newIndex { instance, stack in
        throw ScriptError("", .notSettable(stack.repairedString(at: 2) ?? "", of: type.name))
      }
      definition.toString { instance in (instance.object as? any CustomStringConvertible)?.description ?? type.name }
    }
  }
}

extension Engine {
  /// Adds a type of the program.
  public func define(_ type: HostType) throws { try hostTypes.add(type) }
}
