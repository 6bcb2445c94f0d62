internal import LuaRuntime
internal import Reactive

/// A script's own object, whose properties are observed one by one: `Observable { name = "fat", age = 18 }`.
final class BoundObservable: Bound {
  static let luaName = "Observable"
  var place: String { "Observable" }

  let values: ObservableValues<LuaReference>

  init(_ values: ObservableValues<LuaReference>) { self.values = values }

  func summary() -> String { "Observable { \(values.names.joined(separator: ", ")) }" }

  /// The property with a name.
  func property(_ name: String) throws -> State<LuaReference> {
    if let property = values[name] { return property }
    throw ScriptError("", .unknownMember(name, of: place, nearest: nearest(name, values.names)))
  }

  static let functions: [GlobalFunction] = [
    GlobalFunction(
      "Observable", "Observable { name = value, ... } -> observable",
      "An observable object with the properties of the table; `null` declares a property without a value.",
      sandbox: .allowed, example: #"local o = Observable { name = "Ada" } o.name = "Grace""#
    ) { call in
      guard call.type(1) == .table else { throw call.expected("a table of named properties", 1) }
      let values = ObservableValues(try call.namedValues(1)) { [unowned engine = call.engine] in
        engine.values.areSame($0, $1)
      }
      return .object(BoundObservable(values))
    }
  ]
}

extension BoundObservable {
  static func luaClass(of engine: Engine) -> LuaClass<BoundObservable> {
    let read: (Call, BoundObservable) throws -> ReturnValue? = { call, observable in
      guard let name = call.stack.string(at: 2) else { return nil }
      return .reference(try observable.property(name).value)
    }
    let write: (Call, BoundObservable) throws -> Bool = { call, observable in
      guard let name = call.stack.string(at: 2) else { return false }
      try observable.property(name).set(call.reference(1))
      return true
    }
    return engine.classes.make(BoundObservable.self, indexing: Indexing(read: read, write: write)) { definition in
      definition.metamethod(.pairs) { [unowned engine] stack in
        guard let observable = engine.classes.object(BoundObservable.self, at: 1, on: stack) else { return 0 }
        var names = observable.values.names.makeIterator()
        stack.pushFunction { stack in
          while let name = names.next() {
            stack.push(name)
            stack.push(try observable.property(name).value)
            if !stack.isNil(at: -1) { return 2 }
            stack.pop(2)
          }
          return 0
        }
        return 1
      }
    }
  }
}
