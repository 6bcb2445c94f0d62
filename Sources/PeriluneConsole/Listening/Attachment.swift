internal import Glibc
internal import LuaBindings
internal import LuaRuntime
internal import Modeling
internal import RemoteConsole
internal import Synchronization

/// A client at a socket: what it asks, on its way from the thread that reads sockets to the thread that runs its scripts.
final class Attachment: Sendable {
  let descriptor: Int32
  let number: Int
  let peer: ConsoleSocket.Peer
  /// Wakes the thread that runs scripts.
  let waker = WakePipe()
  private let state = Mutex(State())

  private struct State {
    var requests: [ClientRequest] = []
    var reason: String?
    var isClosed = false
    var hasLeft = false
    /// What stops the running script; nil while none runs.
    var running: Running?
    /// Whether the script that runs next is to stop, as the client interrupted it before it began.
    var interruptsNext = false
  }

  /// The engine of a running script. Unchecked: `interrupt` alone is called, which any thread may do while the script runs.
  private struct Running: @unchecked Sendable {
    let engine: Engine
  }

  /// The most requests that wait; a client that sends more is cut off.
  private static let mostRequests = 256

  init(_ descriptor: Int32, _ peer: ConsoleSocket.Peer, number: Int) {
    (self.descriptor, self.peer, self.number) = (descriptor, peer, number)
  }

  deinit { Glibc.close(descriptor) }

  // MARK: The thread that reads sockets

  /// Passes a request on; false if too many wait.
  func add(_ request: ClientRequest) -> Bool {
    let isAdded = state.withLock { state in
      if request == .interrupt {
        if let running = state.running { running.engine.interrupt() } else { state.interruptsNext = true }
        return true
      }
      state.interruptsNext = false
      guard state.requests.count < Self.mostRequests else { return false }
      state.requests.append(request)
      return true
    }
    waker.wake()
    return isAdded
  }

  /// Why the person attached; nil until it is said.
  var reason: String? {
    get { state.withLock { $0.reason } }
    set { state.withLock { $0.reason = newValue } }
  }

  /// Ends the connection, and stops what runs.
  func close() {
    state.withLock { state in
      state.isClosed = true
      state.requests = []
      state.running?.engine.interrupt()
    }
    shutdown(descriptor, Int32(SHUT_RDWR))
    waker.wake()
  }

  /// Ends the connection for good.
  func leave() {
    state.withLock { $0.hasLeft = true }
    close()
  }

  /// Whether the other end is gone, also when that has not been read yet.
  var isLost: Bool { isClosed || ConsoleSocket.isHungUp(descriptor) }

  // MARK: The thread that runs scripts

  /// Whether the client does not come back.
  var hasLeft: Bool { state.withLock { $0.hasLeft } }

  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Takes the next request; nil if none waits.
  func take() -> ClientRequest? {
    waker.drain()
    return state.withLock { $0.requests.isEmpty ? nil : $0.requests.removeFirst() }
  }

  /// Waits until the thread is woken.
  ///
  /// - Throws: LuaError if what runs is to stop, as at the end of the connection.
  func waitForWake(_ engine: Engine) throws {
    _ = DescriptorWait.wait(for: [waker.descriptor], seconds: 1)
    waker.drain()
    if isClosed { engine.interrupt() }
    try engine.lua.checkInterrupt()
  }

  /// Sends an event; false once the client is gone.
  func send(_ event: ServerEvent) -> Bool {
    guard !isClosed else { return false }
    if ConsoleSocket.send(Frame.bytes(of: event.message), to: descriptor, patience: 5) { return true }
    close()
    return false
  }

  /// Runs `body`, which a client's interruption and its end stop.
  func running<Result>(_ engine: Engine, _ body: () throws -> Result) rethrows -> Result {
    state.withLock { state in
      engine.lua.clearInterrupt()
      state.running = Running(engine: engine)
      if state.isClosed || state.interruptsNext { engine.interrupt() }
      state.interruptsNext = false
    }
    defer {
      state.withLock { state in
        state.running = nil
        engine.lua.clearInterrupt()
      }
    }
    return try body()
  }
}
