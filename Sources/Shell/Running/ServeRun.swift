internal import HTTP
internal import LuaBindings
internal import LuaRuntime
internal import Modeling
internal import Page
internal import Presentation
internal import Session
internal import SourceChecking

/// `perilune serve`: shows a store in the browsers of this machine until Ctrl-C.
package struct ServeRun: ProgramRun {
  package var options: RunOptions
  private let store: StoreAccess
  private let address: ListeningSocket.Address
  /// A folder whose scripts are pages.
  private let notebook: String?

  /// - Parameter path: A file for a socket in place of a port.
  package init(_ store: StoreAccess, port: UInt16, path: String?, notebook: String?, _ options: RunOptions) {
    (self.store, self.options, self.notebook) = (store, options, notebook)
    address = path.map { .path($0) } ?? .port(port)
  }

  package func run(in surroundings: Surroundings) -> Int32 {
    if let notebook, !SourceTree.isFolder(notebook) {
      return surroundings.fail("--notebook: '\(notebook)' is no folder", ExitStatus.failed)
    }
    return inSession(surroundings, store) { session in
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
      server = try PageServer(
        session.session, at: address, permitsChanges: !store.isReadOnly, notebook: notebook)
    } catch {
      return surroundings.fail(error.sentence, ExitStatus.inputOutput)
    }
    defer { server.close() }
    session.announceExchanges(of: server)
    surroundings.show(server.url + "\n")
    if case .path(let path) = server.address, !options.isQuiet { surroundings.say("over the socket \(path)\n") }
    if surroundings.outputIsTerminal { session.openInBrowser(server.url) }
    return session.guarding {
      do { try session.engine.loop.run(seconds: nil) } catch let error as LuaError {
        // Ctrl-C is how it ends.
        guard case .interrupted = error.kind else { throw error }
        session.engine.lua.clearInterrupt()
      }
    }
  }
}
