internal import LuaRuntime
internal import ObjectGraph

/// A property of the objects of all entities. It is pushed by hand, as the properties of entities are.
struct ObjectProperty: Sendable {
  let declaration: Declaration
  let push: @Sendable (ManagedObject, BoundContext, LuaStack) throws -> Void

  init(
    _ name: String, _ signature: String, _ summary: String, sandbox: SandboxRule,
    _ push: @escaping @Sendable (ManagedObject, BoundContext, LuaStack) throws -> Void
  ) {
    declaration = Declaration(name: name, signature: signature, summary: summary, sandbox: sandbox)
    self.push = push
  }

  var name: String { declaration.name }
}
