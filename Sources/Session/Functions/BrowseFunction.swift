internal import LuaBindings
internal import LuaRuntime

/// `browse(request)`: on a full screen, where the client has one; otherwise it is shown as `show` does.
struct BrowseFunction: SessionPart {
  unowned let session: Session

  func run(_ stack: LuaStack) throws {
    guard stack.count > 0 else { throw ArgumentFailure(function: "browse", message: "a value is missing") }
    try engine.loop.checkCanWait("browse")
    guard let found = try BrowsedRequest(at: 1, on: stack, in: engine) else {
      throw ArgumentFailure(
        function: "browse", message: "expected an entity or a request of objects, got \(stack.typeName(at: 1))")
    }
    guard let screens = session.shownScreens else { return try session.show(at: 1, on: stack) }
    try screens.browse(found.request, found.context)
  }
}
