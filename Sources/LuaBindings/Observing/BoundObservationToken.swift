internal import LuaRuntime
internal import Reactive

/// A registration of a function for an event, which lasts until it is cancelled; releasing the token does not cancel
/// it.
final class BoundObservationToken: Bound {
  static let luaName = "ObservationToken"
  var place: String { "token" }

  private var onCancel: (() -> Void)?

  init(_ onCancel: @escaping () -> Void) { self.onCancel = onCancel }

  /// Makes a token that cancels another.
  convenience init(_ token: Reactive.ObservationToken) { self.init { token.cancel() } }

  func summary() -> String { onCancel == nil ? "cancelled observation" : "observation" }

  /// Ends the observation; may be called twice.
  func cancel() {
    onCancel?()
    onCancel = nil
  }

  static let members: [Member<BoundObservationToken>] = [
    .method("cancel", "token:cancel()", "Ends the calls of the function.", sandbox: .allowed, example: "()") {
      _, token in
      token.cancel()
      return .nothing
    }
  ]
}

extension BoundObservationToken {
  static func luaClass(of engine: Engine) -> LuaClass<BoundObservationToken> {
    engine.classes.make(BoundObservationToken.self) { $0.close { $0.cancel() } }
  }
}
