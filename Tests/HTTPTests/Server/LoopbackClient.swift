import Glibc
import Testing

@testable import HTTP

/// A client of a server in this process, whose turns it runs while it waits.
final class LoopbackClient {
  private let server: HTTPServer
  let descriptor: Int32
  private(set) var received: [UInt8] = []
  private(set) var isClosedByServer = false

  init(_ server: HTTPServer) throws {
    self.server = server
    guard case .port(let port) = server.address else { throw Missing() }
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    _ = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    turn()
  }

  deinit { close(descriptor) }

  struct Missing: Error {}

  /// Runs the server until nothing more comes.
  func turn(_ count: Int = 4) {
    for _ in 0..<count {
      server.turn()
      // What was sent arrives a little later.
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      poll(&waiting, 1, 10)
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let read = recv(descriptor, &buffer, buffer.count, 0)
        if read == 0 { isClosedByServer = true }
        guard read > 0 else { break }
        received += buffer[..<read]
      }
    }
  }

  /// Sends a text, and returns what came for it.
  @discardableResult
  func send(_ text: String, turns: Int = 4) -> String {
    received = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if sent > 0 { rest = rest.dropFirst(sent) } else if errno != EAGAIN { break }
      turn(1)
      if isClosedByServer { break }
    }
    turn(turns)
    return String(decoding: received, as: UTF8.self)
  }

  static func get(_ path: String, _ headers: String = "") -> String {
    "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(headers)\r\n"
  }
}
