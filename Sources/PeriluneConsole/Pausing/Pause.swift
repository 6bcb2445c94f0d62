internal import RemoteConsole
internal import Synchronization

/// A line of the program at which its thread waits while a client has a prompt there.
final class Pause: Sendable {
  /// The place, the reason and the names: `main.swift:12: why is this late (order)`.
  let title: String
  /// Wakes the thread of the program.
  let waker = WakePipe()
  private let state = Mutex(State())

  private struct State {
    var visitor: Visitor?
    var isOver = false
    var left = Left()
  }

  /// The client that has the prompt, and what wakes its own thread when it has it no more.
  struct Visitor: Sendable {
    let attachment: Attachment
    let hello: ClientRequest.Hello
    let settings: ListenerSettings
    fileprivate let released = WakePipe()

    init(_ attachment: Attachment, _ hello: ClientRequest.Hello, _ settings: ListenerSettings) {
      (self.attachment, self.hello, self.settings) = (attachment, hello, settings)
    }
  }

  /// How a client left a pause: by the line `last`, whose status the client still waits for, or without a line.
  struct Left {
    var last: (id: Int64, status: Int32)?
  }

  init(_ title: String) { self.title = title }

  /// The client that has come; nil as long as none has.
  var visitor: Visitor? { state.withLock { $0.visitor } }

  /// Whether the program goes on.
  var isOver: Bool {
    get { state.withLock { $0.isOver } }
    set {
      state.withLock { $0.isOver = newValue }
      waker.wake()
    }
  }

  /// Gives a client the prompt, and returns when it has it no more; nil if another has it, or the pause is over.
  ///
  /// Called on the thread of the client.
  func visit(_ visitor: Visitor) -> Left? {
    let isFirst = state.withLock { state in
      guard state.visitor == nil, !state.isOver else { return false }
      state.visitor = visitor
      return true
    }
    guard isFirst else { return nil }
    waker.wake()
    visitor.released.wait()
    return state.withLock { $0.left }
  }

  /// Notes the line that ended the pause.
  func end(by last: (id: Int64, status: Int32)) { state.withLock { $0.left.last = last } }

  /// Lets the client's own thread go on.
  func release() {
    state.withLock { state in
      state.isOver = true
      state.visitor?.released.wake()
    }
  }
}
