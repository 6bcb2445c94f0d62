internal import LuaRuntime
internal import ObjectGraph

/// A method of the objects of all entities.
struct ObjectMethod: Sendable {
  let declaration: Declaration
  let body: @Sendable (Call, ManagedObject, BoundContext) throws -> ReturnValue

  init(
    _ name: String, _ signature: String, _ summary: String, sandbox: SandboxRule, example: String,
    _ body: @escaping @Sendable (Call, ManagedObject, BoundContext) throws -> ReturnValue
  ) {
    declaration = Declaration(
      name: name, signature: signature, summary: summary, sandbox: sandbox, example: example)
    self.body = body
  }

  var name: String { declaration.name }

  /// Calls the method for the object at 1.
  func call(_ place: String, _ signature: Signature, _ engine: Engine, _ stack: LuaStack) throws -> Int32 {
    guard let (object, context) = engine.values.objectAndContext(at: 1, on: stack) else {
      throw ScriptError(place, .expected("an object", found: stack.typeName(at: 1)))
    }
    try context.checkOpen(place)
    let call = Call(engine: engine, stack: stack, owner: context.entity(object.entity), name: name)
    try signature.refuseSurplus(of: call)
    return try call.push(body(call, object, context))
  }
}
