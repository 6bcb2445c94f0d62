package import LuaBindings
internal import Modeling
package import Presentation
internal import Stores

struct DoctorCommand: CommandGroup {
  let tools: CommandTools

  var all: [Command] { [doctorCommand] }

  /// `.doctor`
  var doctorCommand: Command {
    Command(
      name: "doctor", arguments: "", summary: "examine the store: who made it, is it sound, what is big in it",
      isPaged: true, inSandbox: .refused(because: "it looks at files beside the store, and at processes")
    ) {
      (invocation) throws(CommandFailure) in
      guard invocation.arguments.isEmpty else { throw .usage(invocation.command.usage) }
      let report = DoctorReport(try openStore().examine())
      report.write(to: console.output, layout, isJSON: settings.mode == .json)
      if report.exitStatus != 0, !isAtPrompt { throw .failed(status: report.exitStatus) }
    }
  }
}

extension DoctorReport {
  /// Writes what was found.
  package func write(to output: OutputSink, _ layout: Layout, isJSON: Bool) {
    if isJSON { return output.write(json.outputText + "\n") }
    let indent = 13
    for (subject, text) in lines {
      // Table names from the file may contain control characters.
      let shown = DisplayText.picturingControls(in: text, layout.charset)
      let room = max(20, (layout.width ?? 80) - indent)
      let rows = layout.isTerminal ? DisplayText.wrapped(shown, in: room, layout.charset, atWords: true) : [shown]
      for (number, row) in rows.enumerated() {
        let name = number == 0 ? subject : ""
        let space = String(repeating: " ", count: max(1, indent - name.count))
        output.write((name.isEmpty ? "" : layout.style(.name, name)) + space + row + "\n")
      }
    }
  }
}
