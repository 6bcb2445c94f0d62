internal import LuaBindings
internal import Modeling
internal import Presentation

extension HostProgram {
  /// What a session decides for its engine, and shows of it.
  init(of session: Session) {
    self.init()
    isTyped = { [unowned session] in session.isAtPrompt }
    willSave = { [unowned session] context in
      guard let dryRun = session.dryRun else { return nil }
      let done = dryRun.willSave(try context.diff())
      return { [unowned session] in
        done()
        if session.isAtPrompt { session.tell(Remark(.outcome, "saved for this dry run only")) }
      }
    }
    fitsText = { [charset = session.layout.charset] in
      let shown = DisplayText($0, in: $1, charset)
      return (shown.text, shown.width)
    }
    writesFile = { [unowned session] path, replaces, bytes in
      try session.writeFile(path, replaces: replaces) {
        $0.write(bytes)
      } contents: {
        Quantity.bytes(bytes.count)
      }
    }
    wouldWriteFile = { [unowned session] path in session.dryRun?.noteFile(path, "a copy of the store") }
    addNotifications(to: session)
  }

  private mutating func addNotifications(to session: Session) {
    if session.options.engine.isDryRun {
      didRehearseMigration = { [unowned session] store, report in
        let lines = report.description.split(separator: "\n").map { "  \($0)\n" }.joined()
        let refusal = report.losesUnasked ? "  it is refused without --migrate, or migrate = true\n" : ""
        session.tell(Remark(.report, "\(store.path) would be migrated:\n\(lines)\(refusal)"))
      }
    }
    onProgress = session.progressReports()
    onNewEntity = { [unowned session] in session.tellNewEntity($0) }
    onSlowRead = { [unowned session] read, context in session.slowReads.add(read, context) }
    onWarning = { [unowned session] in session.warn($0) }
    onCallbackErrors = { [unowned session] in session.finishCallbacks($0) }
    willWait = { [unowned session] in session.client.flush() }
  }
}
