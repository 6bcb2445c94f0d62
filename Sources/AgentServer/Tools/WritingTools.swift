internal import JSONRPC
internal import LuaBindings
internal import Modeling
internal import Session
internal import Stores

/// A change that is shown and not yet made: a script, and what it changed when it was tried.
struct Proposal {
  let script: String
  let store: String
  /// The difference, as the client has seen it.
  let difference: String
}

// Tools that change the store, with `--write`.
extension AgentServer {
  /// `propose`: tries a script and shows what it would change.
  var propose: Tool {
    Tool(
      name: "propose", title: "Propose a change",
      summary:
        "Runs a Lua script that changes objects, answers the difference with all effects, and rolls back. 'commit' makes the change.",
      parameters: [ToolParameter("script", .text, isRequired: true)] + common
    ) { [unowned self] arguments in
      let served = store(of: arguments)
      let script = arguments.text("script") ?? ""
      let session = try served.session(.proposing)
      defer { session.close() }
      let difference = try tried(script, in: session, Self.characters(arguments))
      var members = Self.members(of: session)
      proposalCount += 1
      let name = "p\(proposalCount)"
      // An agent that proposes and never commits keeps no more than the last few.
      if proposals.count >= 16,
        let oldest = proposals.keys.min(by: { $0.count == $1.count ? $0 < $1 : $0.count < $1.count })
      {
        proposals[oldest] = nil
      }
      proposals[name] = Proposal(script: script, store: served.name, difference: difference)
      members["difference"] = .array(difference.split(separator: "\n").map { .string(String($0)) })
      members["proposal"] = .string(name)
      return ToolAnswer(members)
    }
  }

  /// `commit`: makes a proposed change.
  var commit: Tool {
    Tool(
      name: "commit", title: "Commit a proposal",
      summary: "Makes a proposed change, if it still changes the same; answers the token for 'undo'.",
      parameters: [ToolParameter("proposal", .text, isRequired: true)], isWriting: true
    ) { [unowned self] arguments in
      let name = arguments.text("proposal") ?? ""
      guard let proposal = proposals[name], let served = stores.first(where: { $0.name == proposal.store }) else {
        throw ToolFailure("commit: there is no proposal '\(name)'; propose answers its name, and commit takes it once")
      }
      let session = try served.session(.proposing)
      defer { session.close() }
      let difference = try tried(proposal.script, in: session, ServerLimits.characters)
      guard difference == proposal.difference else {
        proposals[name] = nil
        throw ToolFailure(
          "commit: the store has changed since the proposal, which would now change something else; nothing was saved. Propose it again."
        )
      }
      try session.call { try session.engine.stores.endDryRun(keeping: true) }
      proposals[name] = nil
      // A script that changed nothing leaves nothing to undo.
      guard difference != Self.noDifference else { return ToolAnswer(["saved": .bool(false)], isData: false) }
      var members: [String: JSON] = ["saved": .bool(true)]
      if let token = try lastSave(in: session) { members["undo"] = .string("\(served.name):\(token)") }
      return ToolAnswer(members, isData: false)
    }
  }

  /// `undo`: undoes a commit.
  var undo: Tool {
    Tool(
      name: "undo", title: "Undo a commit",
      summary: "Undoes a commit that is still the last save of the store.",
      parameters: [ToolParameter("token", .text, "What commit answered", isRequired: true)], isWriting: true
    ) { [unowned self] arguments in
      let token = arguments.text("token") ?? ""
      guard let served = stores.first(where: { token.hasPrefix($0.name + ":") }) else {
        throw ToolFailure("undo: expected a token that commit answered, got \(BoundedText(token, 40).text)")
      }
      let session = try served.session(.undoing)
      defer { session.close() }
      let last = try lastSave(in: session).map { "\(served.name):\($0)" }
      guard last == token else {
        throw ToolFailure("undo: the last save of the store is not that of '\(token)'; nothing was undone")
      }
      var members: [String: JSON] = [:]
      try session.call {
        guard let result = try session.engine.reverseSave(.undo) else { return }
        for (name, count) in [("inserted", result.inserted), ("updated", result.updated), ("deleted", result.deleted)] {
          members[name] = .int(Int64(count))
        }
      }
      return ToolAnswer(members, isData: false)
    }
  }

  private static let noDifference = ""

  /// Runs a script in a dry run, saves what it left unsaved, and returns the difference.
  ///
  /// - Throws: ToolFailure, also where the script would change what cannot be saved.
  private func tried(_ script: String, in session: ToolSession, _ characters: Int) throws(ToolFailure) -> String {
    attend(to: session)
    let author = "mcp:\(clientName)"
    _ = try session.run("context.transactionAuthor = a.author return 0", ["author": .string(author)])
    guard session.run(script: script, seconds: limits.seconds, characters: characters) else {
      throw ToolFailure(Self.failure(of: session, Self.members(of: session)))
    }
    // The save is a call of its own, which would forget what the script printed.
    try session.continuing { try session.engine.save() }
    if session.engine.stores.unsavedChangeCount > 0 {
      throw ToolFailure("propose: changes in other contexts are left unsaved; save them in the script")
    }
    return session.session.dryRun?.changes ?? ""
  }

  /// A token of the store's last save; nil where there is none that can be undone.
  private func lastSave(in session: ToolSession) throws(ToolFailure) -> String? {
    guard let store = session.engine.store, let save = try? store.saveToReverse(.undo) else { return nil }
    return save.time.iso8601
  }
}
