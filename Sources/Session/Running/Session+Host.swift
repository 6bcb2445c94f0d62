internal import LuaBindings
internal import Modeling
internal import Presentation

extension Session {
  /// What the session decides for its engine, and shows of it.
  func hostProgram() -> HostProgram {
    var host = HostProgram()
    host.isTyped = { [unowned self] in isAtPrompt }
    host.willSave = { [unowned self] context in
      guard let dryRun else { return nil }
      let done = dryRun.willSave(try context.diff())
      return { [unowned self] in
        done()
        if isAtPrompt { tell(Remark(.outcome, "saved for this dry run only")) }
      }
    }
    host.fitsText = { [charset = layout.charset] in
      let shown = DisplayText($0, in: $1, charset)
      return (shown.text, shown.width)
    }
    host.writesFile = { [unowned self] path, replaces, bytes in
      try writeFile(path, replaces: replaces) {
        $0.write(bytes)
      } contents: {
        Quantity.bytes(bytes.count)
      }
    }
    host.wouldWriteFile = { [unowned self] path in dryRun?.noteFile(path, "a copy of the store") }
    addNotifications(to: &host)
    return host
  }

  private func addNotifications(to host: inout HostProgram) {
    if options.engine.isDryRun {
      host.didRehearseMigration = { [unowned self] store, report in
        let lines = report.description.split(separator: "\n").map { "  \($0)\n" }.joined()
        let refusal = report.losesUnasked ? "  it is refused without --migrate, or migrate = true\n" : ""
        tell(Remark(.report, "\(store.path) would be migrated:\n\(lines)\(refusal)"))
      }
    }
    host.onProgress = progressReports()
    host.onNewEntity = { [unowned self] in tellNewEntity($0) }
    host.onSlowRead = { [unowned self] read, context in slowReads.add(read, context) }
    host.onWarning = { [unowned self] in warn($0) }
    host.onCallbackErrors = { [unowned self] errors in
      for status in errors.map({ finish($0, after: 0) }) where callbackStatus == 0 { callbackStatus = status }
    }
    host.willWait = { [unowned self] in client.flush() }
  }
}
