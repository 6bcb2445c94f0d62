internal import Glibc
internal import HTTP
internal import LuaRuntime
internal import Page
internal import Presentation
internal import Session

// `.serve`: the store of the prompt in the browser, in the same context.
extension EngineSession {
  /// `.serve [PORT|stop]`
  var serveCommand: Command {
    Command(
      name: "serve", arguments: "[PORT|stop]", summary: "show the store in the browser, in the context of the prompt",
      parameters: [.oneOf("stop")], inSandbox: .refused(because: "it lets browsers reach the store")
    ) { [unowned self] (invocation) throws(CommandFailure) in
      guard isAtPrompt else { throw .needsTerminal("serve") }
      switch try invocation.optionalArgument() {
      case "stop":
        printText(pageServer == nil ? "nothing is served\n" : "the page has ended\n")
        endPages()
      case nil: try servePages(at: 0)
      case let text?:
        guard let port = UInt16(text), port > 0 else {
          let message = "'\(text)' is no port: expected a number from 1 to 65535, or stop"
          session.parts.console.report(Diagnostic(message))
          throw .failed(status: ExitStatus.failed)
        }
        try servePages(at: port)
      }
    }
  }

  private func servePages(at port: UInt16) throws(CommandFailure) {
    if let pageServer { return printText(pageServer.url + "\n") }
    do {
      let server = try PageServer(session, at: .port(port), permitsChanges: true)
      announceExchanges(of: server)
      pageServer = server
      printText(server.url + "\n")
      openInBrowser(server.url)
    } catch {
      session.parts.console.report(Diagnostic(error.sentence))
      throw .failed(status: ExitStatus.inputOutput)
    }
  }

  /// Shows a page that a function of a script makes. In a script it lasts until Ctrl-C; at the prompt the prompt goes on.
  func serveApplication(_ function: LuaReference, port: UInt16) throws {
    if pageServer == nil {
      do {
        let server = try PageServer(session, at: .port(port), permitsChanges: true)
        announceExchanges(of: server)
        pageServer = server
      } catch {
        throw ArgumentFailure(function: "serve", message: error.sentence)
      }
    }
    guard let pageServer else { return }
    pageServer.show(application: function)
    printText(pageServer.url + "\n")
    if isAtPrompt || surroundings.outputIsTerminal { openInBrowser(pageServer.url) }
    if isAtPrompt { return }
    defer { endPages() }
    flush()
    do { try engine.loop.run(seconds: nil) } catch let error as LuaError {
      // Ctrl-C is how it ends.
      guard case .interrupted = error.kind else { throw error }
      engine.lua.clearInterrupt()
    }
  }

  /// Ends the pages of the prompt; tabs say so.
  func endPages() {
    pageServer?.close()
    pageServer = nil
  }

  /// Says by which address another browser can come, as each address serves once.
  func announceExchanges(of server: PageServer) {
    server.onExchange = { [unowned self] next in
      if !options.isQuiet { surroundings.say("a browser has opened the page; another one can by \(next)\n") }
    }
  }

  /// Opens an address where there is a desktop.
  func openInBrowser(_ url: String) {
    let environment = surroundings.environment
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

extension ListeningSocket.Failure {
  /// Why there is no socket, in words.
  var sentence: String {
    let reason = String(cString: strerror(errno))
    return switch address {
    case .port(let port): "port \(port) of 127.0.0.1 cannot be listened on: \(reason)"
    case .path(let path): "the socket '\(path)' cannot be listened on: \(reason)"
    }
  }
}
