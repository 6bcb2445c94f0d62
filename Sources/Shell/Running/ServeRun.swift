internal import Glibc
internal import HTTP
internal import LuaBindings
internal import LuaRuntime
internal import Modeling
internal import Page
internal import Presentation
internal import Session

/// `perilune serve`: shows a store in the browsers of this machine until Ctrl-C.
package struct ServeRun: ProgramRun {
  package var options: RunOptions
  private let store: StoreAccess
  private let address: ListeningSocket.Address

  /// - Parameter path: A file for a socket in place of a port.
  package init(_ store: StoreAccess, port: UInt16, path: String?, _ options: RunOptions) {
    (self.store, self.options) = (store, options)
    address = path.map { .path($0) } ?? .port(port)
  }

  package func run(in surroundings: Surroundings) -> Int32 {
    inSession(surroundings, store) { session in
      let status = open(in: session)
      return status == 0 ? serve(session) : status
    }
  }

  private func open(in session: EngineSession) -> Int32 {
    if let path = store.path, case .data = FileArgument(argument: path) {
      return session.openData([DataFile(path, format: nil)], path: path)
    }
    return store.open(in: session)
  }

  private func serve(_ session: EngineSession) -> Int32 {
    let surroundings = session.surroundings
    let server: PageServer
    do {
      server = try PageServer(session.session, at: address)
    } catch {
      return surroundings.fail(Self.sentence(error), ExitStatus.inputOutput)
    }
    defer { server.close() }
    server.onExchange = { next in
      if !options.isQuiet { surroundings.say("a browser has opened the page; another one can by \(next)\n") }
    }
    surroundings.show(server.url + "\n")
    if case .path(let path) = server.address, !options.isQuiet { surroundings.say("over the socket \(path)\n") }
    if surroundings.outputIsTerminal { Self.openInBrowser(server.url, surroundings.environment) }
    return session.guarding {
      do { try session.engine.loop.run(seconds: nil) } catch let error as LuaError {
        // Ctrl-C is how it ends.
        guard case .interrupted = error.kind else { throw error }
        session.engine.lua.clearInterrupt()
      }
    }
  }

  private static func sentence(_ failure: ListeningSocket.Failure) -> String {
    let reason = String(cString: strerror(failure.errno))
    switch failure.address {
    case .port(let port): return "port \(port) of 127.0.0.1 cannot be listened on: \(reason)"
    case .path(let path): return "the socket '\(path)' cannot be listened on: \(reason)"
    }
  }

  /// Opens the address where there is a desktop.
  private static func openInBrowser(_ url: String, _ environment: [String: String]) {
    guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else { return }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor: Int32 in 0...2 { posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0) }
    let arguments: [UnsafeMutablePointer<CChar>?] = [strdup("xdg-open"), strdup(url), nil]
    defer { for argument in arguments { free(argument) } }
    var child = pid_t()
    posix_spawnp(&child, "xdg-open", &actions, nil, arguments, environ)
  }
}
