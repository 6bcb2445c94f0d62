internal import FullScreens
internal import LuaBindings
internal import Modeling
internal import PeriluneKit
internal import Presentation
internal import RemoteConsole
internal import Session

/// A session that runs what an attached client asks for, with a transcript.
final class AttachedSession {
  let client: AttachedClient
  let session: Session
  let settings: ListenerSettings
  /// The connection to the store; the program's own has another owner.
  private let container: PersistentContainer?
  /// What saves of the program's store pass through where they are proposals.
  let proposedSaves: ProposedSaves?
  /// The pause whose prompt this is; nil for a session beside the program.
  let pause: Pause?
  /// What the running line has saved.
  private var savedDiff = ""
  /// The line that runs, or ran last.
  private var line = ""
  /// The number of the last proposal that the client knows of.
  private var lastProposal = 0

  /// Makes one of a session, whose client is `client` as long as this serves it.
  init(
    _ client: AttachedClient, _ session: Session, _ settings: ListenerSettings,
    over container: PersistentContainer? = nil, proposedSaves: ProposedSaves? = nil, pause: Pause? = nil
  ) {
    (self.client, self.session, self.settings) = (client, session, settings)
    (self.container, self.proposedSaves, self.pause) = (container, proposedSaves, pause)
    client.screens = SessionScreens(session) { [unowned client, unowned session, limits = settings.limits] in
      AttachedTerminal(client, session.engine, limits)
    }
    client.isInterrupted = { [unowned session] in session.engine.lua.isInterrupted }
  }

  private var attachment: Attachment { client.attachment }
  private var engine: Engine { session.engine }

  // MARK: Requests

  /// Greets the client, and answers requests until it leaves or the pause is over.
  func serve() {
    let former = engine.host.willSave
    recordSaves()
    defer { engine.host.willSave = former }
    var welcome = ServerEvent.Welcome(banner: banner, prompt: prompt)
    (welcome.unsavedCount, welcome.token) = (unsavedCount, client.token)
    // Before the welcome, behind which there is a prompt.
    if let pause { client.tellAtOnce("paused at \(pause.title); .go goes on") }
    _ = attachment.send(.welcome(welcome))
    while let request = nextRequest() { perform(request) }
  }

  private var isOver: Bool { attachment.isClosed || pause?.isOver == true }

  /// Waits for a request, and serves timers and observers of the scripts meanwhile; nil once this is over.
  private func nextRequest() -> ClientRequest? {
    while !isOver {
      if let request = attachment.take() { return request }
      announceProposals()
      if visitPause() { continue }
      let watched = [attachment.waker.descriptor] + engine.loop.descriptors
      let seconds = engine.loop.secondsToNextTimer
      guard let ready = DescriptorWait.wait(for: watched, seconds: seconds) else { continue }
      if ready == [attachment.waker.descriptor] { continue }
      limited { session.parts.runs.runLoopTurn(ready) }
    }
    return nil
  }

  /// Tells a person of the new proposals of others.
  private func announceProposals() {
    guard client.hello.isInteractive, settings.access != .readOnly else { return }
    for proposal in settings.proposals.open where proposal.number > lastProposal {
      lastProposal = proposal.number
      client.tellAtOnce("proposal \(proposal.number) of \(proposal.userName) waits: .proposals shows it")
    }
  }

  /// Lets the client have the prompt of a pause of the program; false if there is none for it.
  private func visitPause() -> Bool {
    guard pause == nil, settings.letsPause(client.hello), let pause = settings.pauses.current else { return false }
    var hello = client.hello
    hello.width = client.layout.width
    guard let left = pause.visit(Pause.Visitor(attachment, hello, settings)) else { return false }
    if let last = left.last { end(last.id, last.status) }
    return true
  }

  private func perform(_ request: ClientRequest) {
    switch request {
    case .evaluate(let id, let text): evaluate(id, text)
    case .save(let id): end(id, recorded("save()") { session.guarding { try engine.save() } })
    case .complete(let id, let text, let offset):
      reply(id, limited { session.complete(text, at: offset) }.json)
    case .isComplete(let id, let text): reply(id, .bool(session.isComplete(text) != .incomplete))
    case .arguments(let id, let text):
      let hint = session.registry.arguments(behind: text) ?? ArgumentHint(engine).text(behind: text)
      reply(id, hint.map(JSON.string) ?? .null)
    case .colours(let id, let text, let offset):
      reply(id, .array(LuaColours(engine).marks(of: text, at: offset).map(Self.json)))
    case .resize(let width, let height): client.resize(width, height)
    case .hello, .interrupt, .answer, .keys, .leave: break
    }
  }

  private func evaluate(_ id: Int64, _ text: String) {
    let status = recorded(text) {
      client.hello.isInteractive ? session.evaluate(block: text) : session.enter(text, chunk: "=stdin")
    }
    // The client's own session ends the line that ends a pause, with its own prompt.
    if let pause, pause.isOver { pause.end(by: (id, status)) } else { end(id, status) }
  }

  private func end(_ id: Int64, _ status: Int32) {
    var ending = ServerEvent.Ending(
      status: session.requestedExit ?? status, prompt: prompt, unsavedCount: unsavedCount)
    ending.rowCount = session.parts.console.answeredRows
    ending.hasExited = session.requestedExit != nil
    session.requestedExit = nil
    session.parts.console.answeredRows = nil
    // What the line observes is watched before the client hears of its end.
    _ = engine.loop.descriptors
    _ = attachment.send(.end(id: id, ending))
  }

  private func reply(_ id: Int64, _ value: JSON) { _ = attachment.send(.reply(id: id, value)) }

  // MARK: The transcript

  /// Keeps what each save changes, for the transcript; those that are proposals wait.
  private func recordSaves() {
    let former = engine.host.willSave
    engine.host.willSave = { [unowned self] context, rehearse in
      // A child saves into its parent, whose save writes.
      guard context.parent == nil else { return try former?(context, rehearse) }
      let text = DiffText().text(try context.diff())
      let approved = try proposedSaves?.approve(line, text, in: context, of: engine, rehearsing: rehearse)
      let ended = try former?(context, rehearse)
      return { [unowned self] failure in
        approved?(failure)
        if failure == nil { savedDiff += text }
        ended?(failure)
      }
    }
  }

  /// Runs a line between its two entries in the transcript. A line that the transcript does not take does not run.
  private func recorded(_ line: String, _ body: () -> Int32) -> Int32 {
    var entry = settings.entry(.begun, of: attachment, line)
    (self.line, savedDiff) = (line, "")
    do { try settings.record(entry) } catch { return refuse(error) }
    client.events.begin()
    let start = monotonicSeconds()
    let status = limited(body)
    client.flush()
    entry = settings.entry(.ended, of: attachment, line)
    (entry.status, entry.rows) = (status, session.parts.console.answeredRows)
    entry.milliseconds = (monotonicSeconds() - start) * 1000
    entry.diff = savedDiff.isEmpty ? nil : savedDiff
    do { try settings.record(entry) } catch {
      client.events.end(sending: false)
      return refuse(error)
    }
    client.events.end(sending: true)
    return status
  }

  private func refuse(_ error: any Error) -> Int32 {
    _ = client.events.send("error: the transcript does not take the line: \(error)\n", isMessage: true)
    return ExitStatus.inputOutput
  }

  /// Runs `body` within the time limit; the client can stop it.
  private func limited<Result>(_ body: () -> Result) -> Result {
    try? engine.lua.setTimeLimit(seconds: settings.limits.seconds)
    defer { try? engine.lua.setTimeLimit(seconds: nil) }
    return attachment.running(engine, body)
  }
}
