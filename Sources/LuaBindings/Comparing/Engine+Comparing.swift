package import Comparison
package import LuaRuntime
package import ObjectGraph
package import Stores

// Comparisons for programs that show them.
extension Engine {
  /// Returns a comparison of two open stores as a Lua value; nil if one of them is closed.
  package func reference(to comparison: StoreComparison) -> LuaReference? {
    guard let first = stores.bound(comparison.first), let second = stores.bound(comparison.second) else { return nil }
    classes.push(BoundDifference(comparison, first, second), on: lua.stack)
    return lua.stack.popReference()
  }

  /// The main context of the first store of a comparison; nil if the store is closed.
  package func context(of comparison: StoreComparison) -> ObjectContext? {
    stores.bound(comparison.first)?.mainContext.objectContext
  }

  /// The first store of a comparison; nil if it is closed.
  package func store(of comparison: StoreComparison) -> (any OpenedStore)? {
    stores.bound(comparison.first)?.objectStore
  }

  /// The comparison of the difference at `index`; nil for other values.
  ///
  /// - Throws: ScriptError if a store of it is closed.
  package func comparison(at index: Int32, on stack: LuaStack) throws -> StoreComparison? {
    guard let difference = classes.object(BoundDifference.self, at: index, on: stack) else { return nil }
    try difference.checkOpen(difference.place)
    return difference.comparison
  }
}
