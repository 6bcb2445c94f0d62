internal import LuaBindings
internal import ObjectGraph
internal import PeriluneKit
internal import Presentation
internal import Session
internal import Stores

/// The saves of a client that may only propose. The connection writes nothing but what is approved.
final class ProposedSaves {
  private let client: AttachedClient
  private let settings: ListenerSettings
  private let container: PersistentContainer

  init(_ client: AttachedClient, _ settings: ListenerSettings, _ container: PersistentContainer) {
    (self.client, self.settings, self.container) = (client, settings, container)
    container.permission = .nothing
  }

  private var attachment: Attachment { client.attachment }

  /// Waits until a save of the program's store is approved, and returns what to call when it has ended.
  ///
  /// What others have changed meanwhile is a conflict of the save, as the merge policies would save what was never shown.
  ///
  /// - Throws: what the store refuses the changes with; ProposalError if they are not approved.
  func approve(
    _ line: String, _ diff: String, in context: ObjectContext, of engine: Engine, rehearsing rehearse: () throws -> Void
  ) throws -> ((_ failure: (any Error)?) -> Void)? {
    // Scripts may have stores in memory of their own.
    guard context.store === container.store else { return nil }
    let policy = context.mergePolicy
    context.mergePolicy = .error
    do {
      try rehearsed(rehearse)
      let proposal = settings.proposals.add(of: attachment, settings.userName(attachment.peer.user), line, diff)
      defer { settings.proposals.remove(proposal) }
      try decided(proposal, engine)
      container.permission = .everything
      return { [container] failure in
        container.permission = .nothing
        context.mergePolicy = policy
        proposal.decision.end(failure.map { .failed(ErrorReport($0).message) } ?? .saved)
      }
    } catch {
      context.mergePolicy = policy
      throw error
    }
  }

  private func rehearsed(_ rehearse: () throws -> Void) throws {
    container.permission = .rehearsals
    defer { container.permission = .nothing }
    try rehearse()
  }

  /// Returns once the proposal is approved.
  private func decided(_ proposal: ConsoleProposal, _ engine: Engine) throws {
    let number = proposal.number
    do {
      try settings.record(.proposed, proposal, of: attachment)
      client.tellAtOnce("proposal \(number) waits for approval; Ctrl-C withdraws it")
      settings.onProposal?(proposal)
      let (verdict, decider) = try verdict(on: proposal, engine)
      try settings.record(verdict == .approved ? .approved : .refused, proposal, of: attachment, decider: decider)
      if case .refused(let reason) = verdict {
        let because = reason.isEmpty ? "" : ": \(reason)"
        throw ProposalError(message: "proposal \(number) was refused by \(decider)\(because)")
      }
    } catch {
      proposal.decision.end(.failed(ErrorReport(error).message))
      throw error
    }
  }

  private func verdict(on proposal: ConsoleProposal, _ engine: Engine) throws -> (Decision.Verdict, String) {
    // The limit is for the script, and not for the decision.
    try engine.lua.setTimeLimit(seconds: nil)
    defer { try? engine.lua.setTimeLimit(seconds: settings.limits.seconds) }
    while true {
      if let made = proposal.decision.made { return made }
      do { try attachment.waitForWake(engine) } catch {
        guard proposal.decision.make(.withdrawn, by: "") else { continue }
        try? settings.record(.withdrawn, proposal, of: attachment)
        throw error
      }
    }
  }
}
