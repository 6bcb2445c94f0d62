internal import LuaBindings
internal import Modeling
internal import Session
internal import Stores

/// A store of the command line, for the calls of tools.
///
/// Reading tools share a session, in which no script runs. Each script has a session of its own, so that nothing is left of it.
final class ServedStore {
  /// The name that the parameter `store` takes.
  let name: String
  private let path: String
  private let limits: ServerLimits
  private var reading: ToolSession?

  init(path: String, name: String, limits: ServerLimits) {
    (self.path, self.name, self.limits) = (path, name, limits)
  }

  /// The session of reading tools.
  ///
  /// - Throws: ToolFailure where the store cannot be opened.
  func readingSession() throws(ToolFailure) -> ToolSession {
    if let reading { return reading }
    let made = try session(.reading)
    reading = made
    return made
  }

  /// A new session.
  ///
  /// - Throws: ToolFailure where the store cannot be opened.
  func session(_ purpose: ToolSession.Purpose) throws(ToolFailure) -> ToolSession {
    let session = try ToolSession(purpose, limits)
    var options = StoreOptions(path: path)
    options.readOnly = purpose == .reading
    options.writesCoreData = purpose != .reading
    try session.open(options)
    return session
  }

  func close() {
    reading?.close()
    reading = nil
  }
}

/// The limits of each call.
package struct ServerLimits {
  /// The longest time, in seconds.
  package var seconds = 5.0
  /// The most memory that a call may add to the process, in bytes.
  package var memory = 256 << 20

  package init() {}

  /// The characters of an answer, where a call asks for no other number.
  static let characters = 20_000
}
