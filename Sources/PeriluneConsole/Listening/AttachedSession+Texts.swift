internal import LuaBindings
internal import Modeling
internal import PeriluneKit
internal import Presentation
internal import Session

extension AttachedSession {
  /// A session over a connection to the store of its own, for a thread beside the program.
  static func beside(_ client: AttachedClient, _ settings: ListenerSettings) throws -> AttachedSession {
    let container = try settings.opening.open()
    let userName = settings.userName(client.attachment.peer.user)
    container.viewContext.transactionAuthor = "console:\(userName)"
    let session = try Session(
      program: container, settings.limits, client, mode: client.hello.mode, isReadOnly: settings.access == .readOnly,
      screens: Screens(of: { [unowned client] in client })
    ) { parts in
      ProposalCommands(
        proposals: settings.proposals, client: client, userName: userName, access: settings.access,
        parts: parts
      ).all
    }
    session.isAtPrompt = client.hello.isInteractive
    for definition in settings.definitions { try definition.install(session.engine) }
    let proposedSaves = settings.access == .propose ? ProposedSaves(client, settings, container) : nil
    return AttachedSession(client, session, settings, over: container, proposedSaves: proposedSaves)
  }

  /// `shop · orders.sqlite (2 entities, 8 kB), read-only`
  var banner: String {
    [settings.programName, session.parts.title.summary].compactMap(\.self)
      .joined(separator: " \(client.layout.charset.dot) ") + (proposedSaves == nil ? "" : ", saves wait for approval")
  }

  /// `orders:ro*2`
  var prompt: String {
    let title = session.parts.title
    let state = pause == nil ? title.state ?? (proposedSaves == nil ? nil : "propose") : "paused"
    let count = session.engine.stores.unsavedChangeCount
    return title.name + (state.map { ":" + $0 } ?? "") + (count > 0 ? "*\(Quantity.grouped(count))" : "")
  }

  /// The changes that the client would lose by leaving; those of a pause are the program's.
  var unsavedCount: Int { pause == nil ? session.engine.stores.unsavedChangeCount : 0 }

  /// The message with a mark.
  static func json(_ mark: LuaColours.Mark) -> JSON {
    .array([.int(Int64(mark.range.lowerBound)), .int(Int64(mark.range.upperBound)), .string(mark.role.rawValue)])
  }
}
