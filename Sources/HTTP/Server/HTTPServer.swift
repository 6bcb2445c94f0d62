internal import CEpoll
internal import Glibc
internal import Modeling

/// A server of HTTP/1.1 for browsers of this machine, driven by the loop of its owner.
///
///     let server = try HTTPServer(socket) { request in HTTPResponse(type: "text/plain", "hello") }
///     // wait until server.descriptor has input, or server.interval has passed
///     server.turn()
///
/// It has no thread. Requests are answered one after the other, in the turn in which they are whole.
package final class HTTPServer {
  private let socket: ListeningSocket
  private let limits: HTTPLimits
  private let answer: (HTTPRequest) -> HTTPResponse
  /// The descriptor of the kernel's list of what is watched.
  package let descriptor: Int32
  private var connections: [Int32: Connection] = [:]
  /// What each connection is watched for.
  private var watched: [Int32: UInt32] = [:]
  private var nextCheck = 0.0

  /// - Throws: ListeningSocket.Failure where the system has no descriptors left.
  package init(
    _ socket: ListeningSocket, limits: HTTPLimits = .standard, answer: @escaping (HTTPRequest) -> HTTPResponse
  ) throws(ListeningSocket.Failure) {
    (self.socket, self.limits, self.answer) = (socket, limits, answer)
    descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard descriptor >= 0 else { throw ListeningSocket.Failure(address: socket.address, errno: errno) }
    watch(socket.descriptor, for: EPOLLIN.rawValue, EPOLL_CTL_ADD)
  }

  deinit {
    for connection in connections.values { connection.close() }
    close(descriptor)
  }

  package var address: ListeningSocket.Address { socket.address }

  /// The seconds after which a turn is due without input; nil for never.
  package var interval: Double? { connections.isEmpty ? nil : Self.checkInterval }

  private static let checkInterval = 1.0

  /// How many connections are open.
  package var connectionCount: Int { connections.count }

  /// Handles what has come, and what has taken too long.
  package func turn() {
    var events = [epoll_event](repeating: epoll_event(), count: 64)
    let count = epoll_wait(descriptor, &events, Int32(clamping: events.count), 0)
    for event in events.prefix(max(Int(count), 0)) {
      if event.data.fd == socket.descriptor { accept() } else { handle(event) }
    }
    let now = monotonicSeconds()
    if now >= nextCheck {
      nextCheck = now + Self.checkInterval
      for connection in connections.values { connection.expire(at: now) }
    }
    updateWatches()
  }

  /// Sends what was written to streams outside of a turn.
  package func flush() { updateWatches() }

  private func handle(_ event: epoll_event) {
    guard let connection = connections[event.data.fd] else { return }
    if event.events & EPOLLOUT.rawValue != 0 { connection.write(answer) }
    let isInput = event.events & (EPOLLIN.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0
    if isInput, !connection.isClosed { connection.read(answer) }
  }

  private func accept() {
    while let accepted = socket.accept() {
      if connections.count >= limits.connections { makeRoom() }
      guard connections.count < limits.connections else {
        close(accepted)
        continue
      }
      // The number of a connection that has closed may come again.
      watched[accepted] = nil
      connections[accepted] = Connection(accepted, limits)
    }
  }

  /// Closes the connection without a request that has been open for the longest time.
  private func makeRoom() {
    let idle = connections.values.filter(\.isIdle).min { $0.deadline < $1.deadline }
    idle?.close()
    updateWatches()
  }

  /// Has the kernel watch each connection for what it waits for, and forgets those that are closed.
  private func updateWatches() {
    for (number, connection) in connections {
      if connection.isClosed {
        connections[number] = nil
        // Closing a descriptor has removed it from the kernel's list.
        watched[number] = nil
        continue
      }
      let wanted =
        (connection.wantsInput ? EPOLLIN.rawValue : 0) | (connection.hasOutput ? EPOLLOUT.rawValue : 0)
      guard watched[number] != wanted else { continue }
      watch(number, for: wanted, watched[number] == nil ? EPOLL_CTL_ADD : EPOLL_CTL_MOD)
      watched[number] = wanted
    }
  }

  private func watch(_ number: Int32, for events: UInt32, _ operation: Int32) {
    var event = epoll_event(events: events, data: epoll_data_t(fd: number))
    epoll_ctl(descriptor, operation, number, &event)
  }
}
