internal import Comparison
internal import LuaBindings
internal import LuaRuntime

/// `browse(request)`, `browse(difference)`: on a full screen, where the client has one; otherwise it is shown.
struct BrowseFunction {
  let console: Console
  /// The screens, if one can be shown now.
  let screens: Screens?

  func run(_ stack: LuaStack) throws {
    guard stack.count > 0 else { throw ArgumentFailure(function: "browse", message: "a value is missing") }
    try console.engine.loop.checkCanWait("browse")
    if let comparison = try console.engine.comparison(at: 1, on: stack) { return try browse(comparison) }
    guard let found = try BrowsedRequest(at: 1, on: stack, in: console.engine) else {
      throw ArgumentFailure(
        function: "browse",
        message: "expected an entity, a request of objects or a difference, got \(stack.typeName(at: 1))")
    }
    guard let screens else { return try console.show(at: 1, on: stack) }
    try screens.browse(found.request, found.context)
  }

  private func browse(_ comparison: StoreComparison) throws {
    guard let screens else { return _ = try console.show(comparison) }
    try screens.browseDifferences(comparison)
  }
}
