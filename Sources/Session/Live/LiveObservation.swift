internal import LiveQueries
internal import LuaBindings
internal import LuaRuntime
internal import Reactive

/// An answer whose rows are observed until this is cancelled.
package final class LiveObservation {
  private let watched: WatchedQuery
  private let cancelToken: () -> Void

  /// Observes the rows of an answer, whose changes `receive` gets; nil for an answer that cannot be live.
  init?(_ answer: Answer, _ engine: Engine, receive: @escaping (LiveChange) -> Void) throws {
    let stack = engine.lua.stack
    stack.reserve(4)
    stack.push(answer.value)
    defer { stack.pop() }
    guard let watched = try WatchedQuery(at: -1, on: stack, in: engine) else { return nil }
    self.watched = watched
    let token = watched.query.onChange(name: "client") { receive(LiveChange(answer: answer, change: $0)) }
    cancelToken = { token.cancel() }
  }

  package func cancel() {
    cancelToken()
    watched.close()
  }
}
