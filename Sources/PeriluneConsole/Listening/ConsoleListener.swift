internal import Foundation
internal import Glibc
internal import RemoteConsole
internal import Synchronization

/// A socket at which `perilune attach` reaches a console, until it is closed.
///
/// It has one thread that reads from the socket, and one for each client. Nothing of the program waits for a script.
public final class ConsoleListener: Sendable {
  /// Where it listens.
  public let address: ConsoleAddress
  private let loop: ListenerLoop

  init(_ address: ConsoleAddress, _ settings: ListenerSettings) throws {
    self.address = address
    let path =
      switch address {
      case .socket(let path): path
      }
    let descriptor: Int32
    do throws(ConsoleSocket.Failure) { descriptor = try ConsoleSocket.listen(at: path) } catch {
      throw ConsoleError(error.sentence(path))
    }
    var settings = settings
    do { try settings.keepTranscript(in: path + ".transcript") } catch {
      Glibc.close(descriptor)
      unlink(path)
      throw error
    }
    loop = ListenerLoop(descriptor, path, settings)
    loop.start()
  }

  deinit { close() }

  /// The number of clients.
  public var clientCount: Int { loop.clientCount }

  /// Stops listening, ends all clients and what they run, and removes the file of the socket.
  public func close() { loop.close() }
}

extension ConsoleSocket.Failure {
  fileprivate func sentence(_ path: String) -> String {
    switch self {
    case .system(let number): "'\(path)' is no place to listen: \(String(cString: strerror(number)))"
    case .longPath(let limit):
      "'\(path)' is no place to listen: expected at most \(limit) bytes, got \(path.utf8.count)"
    case .taken: "'\(path)' is taken: another process listens there"
    case .openFolder: "the folder of '\(path)' is open to other users: expected one of your own of mode 0700"
    }
  }
}
