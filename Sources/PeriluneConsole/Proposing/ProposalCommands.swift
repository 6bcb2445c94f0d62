internal import LuaBindings
internal import Modeling
internal import Presentation
internal import Session

/// The commands with which a client sees and decides what other clients propose.
struct ProposalCommands {
  let proposals: Proposals
  unowned let client: AttachedClient
  let userName: String
  let access: ConsoleAccess
  let parts: SessionParts

  var all: [Command] { [list, approve, refuse] }

  /// `.proposals`
  private var list: Command {
    Command(
      name: "proposals", arguments: "", summary: "show what other clients ask to save", inSandbox: .allowed
    ) { (invocation) throws(CommandFailure) in
      guard invocation.arguments.isEmpty else { throw .usage(invocation.command.usage) }
      let open = proposals.open
      invocation.context.print(open.isEmpty ? "there are no proposals\n" : open.map(\.text).joined())
    }
  }

  /// `.approve N`
  private var approve: Command {
    Command(
      name: "approve", arguments: "N", summary: "save what another client proposes", parameters: [numbers],
      changesThings: true, inSandbox: .allowed
    ) { (invocation) throws(CommandFailure) in
      let proposal = try proposal(try invocation.requiredArgument())
      try parts.tools.perform {
        try decide(proposal, .approved)
        let outcome = try outcome(of: proposal)
        if case .failed(let reason) = outcome {
          throw ProposalError(message: "proposal \(proposal.number) was not saved: \(reason)")
        }
        parts.console.tell(Remark(.done, "proposal \(proposal.number) is saved"))
      }
    }
  }

  /// `.refuse N [REASON]`
  private var refuse: Command {
    Command(
      name: "refuse", arguments: "N [REASON]", summary: "have the save of another client fail", parameters: [numbers],
      changesThings: true, inSandbox: .allowed
    ) { (invocation) throws(CommandFailure) in
      guard let number = invocation.arguments.first else { throw .usage(invocation.command.usage) }
      let proposal = try proposal(number)
      try parts.tools.perform {
        try decide(proposal, .refused(invocation.arguments.dropFirst().joined(separator: " ")))
        parts.console.tell(Remark(.done, "proposal \(proposal.number) is refused"))
      }
    }
  }

  private var numbers: Command.Parameter {
    .words { [proposals] in proposals.open.map { Completions.Candidate(String($0.number), $0.line) } }
  }

  private func proposal(_ number: String) throws(CommandFailure) -> ConsoleProposal {
    let open = proposals.open
    if let proposal = open.first(where: { String($0.number) == number }) { return proposal }
    if open.isEmpty {
      parts.console.report(Diagnostic("there are no proposals"))
      throw .failed(status: ExitStatus.failed)
    }
    throw .invalidArgument(number, expected: open.map { String($0.number) }, nearest: nil)
  }

  private func decide(_ proposal: ConsoleProposal, _ verdict: Decision.Verdict) throws {
    guard access != .readOnly else {
      throw ProposalError(message: "this client only reads, and so decides about no proposals")
    }
    let attachment = client.attachment
    let decider = "client \(attachment.number) (\(userName))"
    guard proposal.decision.make(verdict, by: decider, waker: attachment.waker) else {
      throw ProposalError(message: "proposal \(proposal.number) is decided already")
    }
  }

  /// Waits until the other client has saved.
  private func outcome(of proposal: ConsoleProposal) throws -> Decision.Outcome {
    while true {
      if let outcome = proposal.decision.outcome { return outcome }
      try client.attachment.waitForWake(parts.engine)
    }
  }
}

extension ConsoleProposal {
  /// The proposal as other clients see it: whose it is, the line, the difference.
  fileprivate var text: String {
    let shown = DisplayText.picturingControls(in: line, .utf8, keepingLines: true)
    let lines = (shown.split(separator: "\n") + diff.split(separator: "\n")).map { "  \($0)\n" }
    return "proposal \(number) of client \(client) (\(userName))\n" + lines.joined()
  }
}

/// What a proposal ends in.
struct ProposalError: ReportedError {
  var message: String
  var report: ErrorReport { ErrorReport("proposal", message, exitStatus: 77) }
}
