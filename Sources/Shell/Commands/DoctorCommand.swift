internal import LuaBindings
internal import Modeling
internal import Presentation
internal import SQLiteStorage

extension EngineSession {
  /// `.doctor`
  var doctorCommand: Command {
    Command(
      name: "doctor", arguments: "", summary: "examine the store's file: who made it, is it sound, what is big in it",
      isPaged: true, inSandbox: .refused(because: "it looks at files beside the store, and at processes")
    ) {
      [unowned self] (invocation) throws(CommandFailure) in
      guard invocation.arguments.isEmpty else { throw .usage(invocation.command.usage) }
      let report = DoctorReport(StoreDiagnosis(try storeFile(".doctor")))
      surroundings.show(report, isJSON: settings.mode == .json)
      if report.exitStatus != 0, !isAtPrompt { throw .failed(status: report.exitStatus) }
    }
  }
}

extension Surroundings {
  /// Examines the store at `path`, for `seconds` at most, shows the findings, and returns the status.
  func examine(_ path: String, isJSON: Bool, seconds: Double? = nil) -> Int32 {
    let end = seconds.map { monotonicSeconds() + $0 }
    let isOver = { end.map { monotonicSeconds() >= $0 } ?? false }
    let diagnosis = StoreDiagnosis(path: path, isInterrupted: isOver)
    let report = DoctorReport(diagnosis)
    show(report, isJSON: isJSON)
    guard isOver(), diagnosis.unread.contains(where: { $0.error.fact == .interrupted }) else {
      return report.exitStatus
    }
    return fail("the time limit was reached", ExitStatus.timeLimit)
  }

  fileprivate func show(_ report: DoctorReport, isJSON: Bool) {
    if isJSON { return output.write(report.json.outputText + "\n") }
    let indent = 13
    for (subject, text) in report.lines {
      // Table names from the file may contain control characters.
      let shown = DisplayText.picturingControls(in: text, charset)
      let room = max(20, (window?.columns ?? 80) - indent)
      let rows = outputIsTerminal ? DisplayText.wrapped(shown, in: room, charset, atWords: true) : [shown]
      for (number, row) in rows.enumerated() {
        let name = number == 0 ? subject : ""
        let space = String(repeating: " ", count: max(1, indent - name.count))
        output.write((name.isEmpty ? "" : outputStyle(.name, name)) + space + row + "\n")
      }
    }
  }
}
