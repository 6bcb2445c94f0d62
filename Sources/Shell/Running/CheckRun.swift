internal import LuaBindings
internal import Modeling
internal import Presentation
internal import Session

/// `perilune check`: looks for the mistakes of scripts without running them; the status is 1 if there are any.
///
/// Each is one line on standard output, `file:line:column: error: …`, or one JSON object in the mode `json`.
package struct CheckRun: ProgramRun {
  package var options: RunOptions
  /// The store or the model that the scripts are for; without both the model of their project.
  private let store: StoreAccess
  private let paths: [String]

  package init(_ paths: [String], _ store: StoreAccess, _ options: RunOptions) {
    (self.paths, self.store, self.options) = (paths, store, options)
  }

  package func run(in surroundings: Surroundings) -> Int32 {
    inSession(surroundings, store) { session in
      let status = open(in: session)
      return status == 0 ? check(in: session) : status
    }
  }

  private func open(in session: EngineSession) -> Int32 {
    guard store.path == nil, store.modelPath == nil, let first = paths.first else { return store.open(in: session) }
    return session.guarding {
      if let model = try session.projectModel(of: first) { try session.open(model) }
    }
  }

  private func check(in session: EngineSession) -> Int32 {
    let surroundings = session.surroundings
    var checker = ScriptChecker(session.engine)
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
        if session.settings.mode == .json || session.settings.mode == .ndjson {
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
