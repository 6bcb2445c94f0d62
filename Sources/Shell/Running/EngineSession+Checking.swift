internal import LuaBindings
internal import Modeling
internal import Presentation

extension EngineSession {
  /// Looks for the mistakes of scripts without running them, tells them, and returns the status: 1 if there are any.
  ///
  /// Each is one line on standard output, `file:line:column: error: …`, or one JSON object in the mode `json`.
  func checkScripts(_ paths: [String]) -> Int32 {
    var checker = ScriptChecker(engine)
    do {
      for path in paths { checker.add(try readFile(path)) }
    } catch {
      return surroundings.fail(error.sentence, ExitStatus.inputOutput)
    }
    let layout = DiagnosticText(style: surroundings.outputStyle, charset: surroundings.charset)
    var count = 0
    for (index, path) in paths.enumerated() {
      for mistake in checker.mistakes(index) {
        count += 1
        if settings.mode == .json || settings.mode == .ndjson {
          surroundings.output.write(json(of: mistake, in: path).outputText + "\n")
          continue
        }
        var diagnostic = Diagnostic(mistake.message)
        (diagnostic.file, diagnostic.line) = (path, mistake.line)
        if !mistake.columns.isEmpty { diagnostic.column = mistake.columns.lowerBound + 1 }
        surroundings.show(layout.batch(diagnostic))
      }
    }
    return count == 0 ? ExitStatus.done : ExitStatus.failed
  }

  private func json(of mistake: ScriptMistake, in path: String) -> JSON {
    .object([
      "file": .string(path), "line": .int(Int64(mistake.line)), "kind": .string(mistake.kind.rawValue),
      "column": mistake.columns.isEmpty ? .null : .int(Int64(mistake.columns.lowerBound + 1)),
      "endColumn": mistake.columns.isEmpty ? .null : .int(Int64(mistake.columns.upperBound + 1)),
      "message": .string(mistake.message),
    ])
  }
}
