internal import Glibc
internal import RemoteConsole

/// What the thread of a client does until its session ends.
struct ClientThread {
  let settings: ListenerSettings
  let clients: Clients

  func run(_ arrival: Clients.Arrival) {
    let client = AttachedClient(arrival.attachment, arrival.hello)
    defer {
      client.attachment.close()
      clients.remove(client.attachment)
    }
    if let pause = settings.pause { return visit(pause, arrival) }
    // On Linux this is the thread's own priority: the program's threads go first.
    setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 5)
    do { try serveBeside(client) } catch { _ = client.attachment.send(.refused("\(error)")) }
  }

  /// Serves a client over a connection to the store of its own, also when it comes back after a lost connection.
  private func serveBeside(_ client: AttachedClient) throws {
    let attached = try AttachedSession.beside(client, settings)
    defer { attached.session.close() }
    // A script from a pipe ends with it.
    guard client.hello.isInteractive else { return serve(attached) }
    let token = clients.keepSession(of: client.attachment)
    client.token = token
    defer { clients.endSession(token) }
    while true {
      serve(attached)
      guard let arrival = clients.awaitReturn(token, of: client.attachment) else { return }
      client.resume(arrival)
    }
  }

  /// Serves a client until its connection ends.
  private func serve(_ attached: AttachedSession) {
    let client = attached.client
    settings.proposals.watch(client.attachment)
    defer { settings.proposals.endWatch(client.attachment) }
    if settings.letsPause(client.hello) { settings.pauses.add(client.attachment) }
    defer { settings.pauses.remove(client.attachment) }
    attached.serve()
  }

  /// Has the thread of a pause serve a client, which leaves with it.
  private func visit(_ pause: Pause, _ arrival: Clients.Arrival) {
    let left = pause.visit(Pause.Visitor(arrival.attachment, arrival.hello, settings))
    guard let last = left?.last else { return }
    var ending = ServerEvent.Ending(status: last.status, prompt: "", unsavedCount: 0)
    ending.hasExited = true
    _ = arrival.attachment.send(.end(id: last.id, ending))
  }
}
