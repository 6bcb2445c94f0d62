internal import LuaRuntime
internal import Modeling

// Methods and computed properties that scripts add.
extension BoundEntity {
  /// The method that a script added to the entity or an ancestor.
  func scriptMethod(_ name: String) -> LuaReference? {
    var next: Entity? = entity
    while let ancestor = next {
      if let method = context.store.members(of: ancestor).methods[name] { return method }
      next = ancestor.parent
    }
    return nil
  }

  /// `function Quake:isMajor() ... end`
  func setMethod(_ name: String, _ call: Call) throws {
    // The built-in method calls a script's `validate`, which does not replace it.
    if name != "validate" { try checkName(name) }
    if name == "awakeFromFetch" {
      throw ScriptError(
        entity.name, .other("awakeFromFetch is never called, as rows are read in batches; use \(entity.name).computed"))
    }
    let isRemoval = call.stack.isNil(at: 3)
    guard isRemoval || call.stack.type(at: 3) == .function else {
      throw ScriptError("\(entity.name).\(name)", .expected("a function", found: call.stack.typeName(at: 3)))
    }
    context.store.members(of: entity).setMethod(name, isRemoval ? nil : call.stack.reference(at: 3))
    context.store.memberChanged(name, of: entity)
  }

  /// Throws if the name is already taken.
  func checkName(_ name: String) throws {
    let engine = context.engine
    let builtIn =
      engine.classes.members(of: BoundEntity.self).filter { !$0.isOverridable }.map(\.name)
      + engine.declarations.objectMethods.map(\.name) + engine.declarations.objectProperties.map(\.name)
    if builtIn.contains(name) { throw ScriptError(entity.name, .builtIn(name)) }
    if entity.index(of: name) != nil || entity.fetchedProperties.contains(where: { $0.name == name }) {
      throw ScriptError(entity.name, .other("'\(name)' is a property of the entity already"))
    }
  }
}
