internal import Glibc
internal import LuaBindings
internal import Modeling
internal import PeriluneKit
internal import Presentation
internal import RemoteConsole
internal import Session

/// The session of an attached client, on a thread and a connection to the store of its own.
final class AttachedSession {
  let attachment: Attachment
  /// What is shown of the running line.
  let events: HeldEvents
  let hello: ClientRequest.Hello
  private let settings: ListenerSettings
  private let container: PersistentContainer
  private(set) var layout: Layout
  private(set) var output = OutputSink.inMemory()
  /// Set once, when this is made.
  private(set) var session: Session!
  /// What the running line has saved.
  private var savedDiff = ""
  /// The line that runs, or ran last.
  private var line = ""
  /// What saves pass through where they are proposals.
  private var proposedSaves: ProposedSaves?
  /// The number of the last proposal that the client knows of.
  private var lastProposal = 0

  init(_ attachment: Attachment, _ hello: ClientRequest.Hello, _ settings: ListenerSettings) throws {
    (self.attachment, self.hello, self.settings) = (attachment, hello, settings)
    events = HeldEvents(attachment)
    layout = Layout(hello)
    container = try settings.opening.open()
    container.viewContext.transactionAuthor = "console:\(settings.userName(attachment.peer.user))"
    output = OutputSink(capacity: 1 << 14) { [unowned self] bytes in
      events.send(String(decoding: bytes, as: UTF8.self), isMessage: false) ? nil : .brokenPipe
    }
    session = try Session(
      program: container, settings.limits, self, mode: hello.mode, isReadOnly: settings.access == .readOnly
    ) { parts in
      ProposalCommands(
        proposals: settings.proposals, attachment: attachment, userName: settings.userName(attachment.peer.user),
        access: settings.access, parts: parts
      ).all
    }
    session.isAtPrompt = hello.isInteractive
    for definition in settings.definitions { try definition.install(engine) }
    if settings.access == .propose {
      proposedSaves = ProposedSaves(attachment, settings, container) { [unowned self] in tellAtOnce($0) }
    }
    recordSaves()
  }

  var engine: Engine { session.engine }

  func close() { session.close() }

  /// Keeps what each save changes, for the transcript.
  private func recordSaves() {
    let former = engine.host.willSave
    engine.host.willSave = { [unowned self] context, rehearse in
      // A child saves into its parent, whose save writes.
      guard context.parent == nil else { return try former?(context, rehearse) }
      let text = DiffText().text(try context.diff())
      let isOfProgram = context.store === container.store
      let approved =
        try isOfProgram ? proposedSaves?.approve(line, text, in: context, of: engine, rehearsing: rehearse) : nil
      let ended = try former?(context, rehearse)
      return { [unowned self] failure in
        approved?(failure)
        if failure == nil { savedDiff += text }
        ended?(failure)
      }
    }
  }

  // MARK: Requests

  /// Answers requests until the client leaves.
  func serve() {
    settings.proposals.watch(attachment)
    defer { settings.proposals.endWatch(attachment) }
    var welcome = ServerEvent.Welcome(banner: banner, prompt: prompt)
    welcome.unsavedCount = engine.stores.unsavedChangeCount
    _ = attachment.send(.welcome(welcome))
    while let request = nextRequest() { perform(request) }
  }

  /// Waits for a request, and serves timers and observers of the scripts meanwhile; nil once the client is gone.
  private func nextRequest() -> ClientRequest? {
    while !attachment.isClosed {
      if let request = attachment.take() { return request }
      announceProposals()
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
    guard hello.isInteractive, settings.access != .readOnly else { return }
    for proposal in settings.proposals.open where proposal.number > lastProposal {
      lastProposal = proposal.number
      tellAtOnce("proposal \(proposal.number) of \(proposal.userName) waits: .proposals shows it")
    }
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
    case .resize(let width): layout.width = width
    case .hello, .interrupt, .answer: break
    }
  }

  private func evaluate(_ id: Int64, _ text: String) {
    let status = recorded(text) {
      hello.isInteractive ? session.evaluate(block: text) : session.enter(text, chunk: "=stdin")
    }
    end(id, status)
  }

  private func end(_ id: Int64, _ status: Int32) {
    var ending = ServerEvent.Ending(
      status: session.requestedExit ?? status, prompt: prompt, unsavedCount: engine.stores.unsavedChangeCount)
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

  /// Runs a line between its two entries in the transcript. A line that the transcript does not take does not run.
  private func recorded(_ line: String, _ body: () -> Int32) -> Int32 {
    var entry = settings.entry(.begun, of: attachment, line)
    (self.line, savedDiff) = (line, "")
    do { try settings.record(entry) } catch { return refuse(error) }
    events.begin()
    let start = monotonicSeconds()
    let status = limited(body)
    output.flush()
    entry = settings.entry(.ended, of: attachment, line)
    (entry.status, entry.rows) = (status, session.parts.console.answeredRows)
    entry.milliseconds = (monotonicSeconds() - start) * 1000
    entry.diff = savedDiff.isEmpty ? nil : savedDiff
    do { try settings.record(entry) } catch {
      events.end(sending: false)
      return refuse(error)
    }
    events.end(sending: true)
    return status
  }

  private func refuse(_ error: any Error) -> Int32 {
    _ = events.send("error: the transcript does not take the line: \(error)\n", isMessage: true)
    return ExitStatus.inputOutput
  }

  /// Runs `body` within the time limit; the client can stop it.
  private func limited<Result>(_ body: () -> Result) -> Result {
    try? engine.lua.setTimeLimit(seconds: settings.limits.seconds)
    defer { try? engine.lua.setTimeLimit(seconds: nil) }
    return attachment.running(engine, body)
  }

  // MARK: Texts

  /// `shop · orders.sqlite (2 entities, 8 kB), read-only`
  private var banner: String {
    [settings.programName, session.parts.title.summary].compactMap(\.self)
      .joined(separator: " \(layout.charset.dot) ") + (proposedSaves == nil ? "" : ", saves wait for approval")
  }

  /// `orders:ro`
  private var prompt: String {
    let title = session.parts.title
    let count = engine.stores.unsavedChangeCount
    let state = title.state ?? (proposedSaves == nil ? nil : "propose")
    return title.name + (state.map { ":" + $0 } ?? "") + (count > 0 ? "*\(Quantity.grouped(count))" : "")
  }

  private static func json(_ mark: LuaColours.Mark) -> JSON {
    .array([.int(Int64(mark.range.lowerBound)), .int(Int64(mark.range.upperBound)), .string(mark.role.rawValue)])
  }
}
