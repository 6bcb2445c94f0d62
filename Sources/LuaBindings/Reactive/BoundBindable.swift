internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Reactive

/// Bindings to the properties of an observable or a managed object: `Bindable(person).name`.
final class BoundBindable: Bound {
  static let luaName = "Bindable"
  var place: String { "Bindable" }

  /// The Lua value whose properties are bound; it keeps an object's slot in use.
  let subject: LuaReference
  /// Throws unless there is a property with this name.
  private let check: (String) throws -> Void

  init(_ subject: LuaReference, check: @escaping (String) throws -> Void) {
    self.subject = subject
    self.check = check
  }

  func summary() -> String { "bindings to properties" }

  /// The binding to a property: reads and assigns it as a script would.
  func binding(_ name: String, _ engine: Engine) throws -> BoundBinding {
    try check(name)
    let subject = subject
    return BoundBinding(engine) { [unowned engine] in
      try engine.lua.with(subject) { stack in
        try stack.get(field: name, at: -1)
        return stack.popReference()
      }
    } set: { [unowned engine] value in
      try engine.lua.with(subject) { stack in
        stack.push(value)
        try stack.set(field: name, at: -2)
      }
    }
  }

  static let functions: [GlobalFunction] = [
    GlobalFunction(
      "Bindable", "Bindable(object).name -> binding",
      "Bindings to the properties of an Observable or a managed object, by name.", sandbox: .allowed,
      example: "Bindable(Quake:first()).magnitude"
    ) { call in
      let index = call.index(1)
      let engine = call.engine
      if let observable = engine.classes.object(BoundObservable.self, at: index, on: call.stack) {
        return .object(BoundBindable(call.reference(1)) { _ = try observable.property($0) })
      }
      if let (object, context) = engine.values.objectAndContext(at: index, on: call.stack) {
        let objects = context.objects(of: object.entity)
        let check: (String) throws -> Void = { [unowned objects] name in
          guard objects.propertyNames.contains(name) else { throw objects.unknown(name) }
        }
        return .object(BoundBindable(call.reference(1), check: check))
      }
      throw call.expected("an Observable or a managed object", 1)
    }
  ]
}

extension BoundBindable {
  static func luaClass(of engine: Engine) -> LuaClass<BoundBindable> {
    let read: (Call, BoundBindable) throws -> ReturnValue? = { call, bindable in
      guard let name = call.stack.string(at: 2) else { return nil }
      return .object(try bindable.binding(name, call.engine))
    }
    return engine.classes.make(BoundBindable.self, indexing: Indexing(read: read))
  }
}
