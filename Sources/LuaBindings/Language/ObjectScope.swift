internal import LuaRuntime
internal import ObjectGraph

/// An entered object, whose properties can be typed by their names alone.
struct ObjectScope {
  var value: LuaReference
  var object: ManagedObject
  var names: [String]
  /// The object's name in the prompt.
  var label: String
}
