internal import LiveQueries
internal import LuaBindings
internal import LuaRuntime
internal import Reactive

/// An answer whose rows are observed until this is cancelled.
package final class LiveObservation {
  private let watched: WatchedQuery
  private let cancelToken: () -> Void

  fileprivate init(_ watched: WatchedQuery, cancelToken: @escaping () -> Void) {
    (self.watched, self.cancelToken) = (watched, cancelToken)
  }

  package func cancel() {
    cancelToken()
    watched.close()
  }
}

extension Session {
  /// Observes the rows of an answer, whose changes the client receives; nil for an answer that cannot be live.
  package func observe(_ answer: Answer) throws -> LiveObservation? {
    let stack = engine.lua.stack
    stack.reserve(4)
    stack.push(answer.value)
    defer { stack.pop() }
    guard let watched = try WatchedQuery(at: -1, on: stack, in: engine) else { return nil }
    let token = watched.query.onChange(name: "client") { [unowned self] change in
      try? client.receive(.change(LiveChange(answer: answer, change: change)))
    }
    return LiveObservation(watched) { token.cancel() }
  }
}
