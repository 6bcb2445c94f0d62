internal import LuaRuntime

/// The members that a script added to an entity: `function Quake:isMajor()`, `Quake.computed.year = function(self) ...
/// end`.
///
/// They apply to all contexts of the store and to subentities.
final class EntityMembers {
  private(set) var methods: [String: LuaReference] = [:]
  private(set) var computed: [String: LuaReference] = [:]

  /// Adds, replaces or (nil) removes a method.
  func setMethod(_ name: String, _ function: LuaReference?) { methods[name] = function }

  /// Adds, replaces or (nil) removes a computed property.
  func setComputed(_ name: String, _ function: LuaReference?) { computed[name] = function }
}
