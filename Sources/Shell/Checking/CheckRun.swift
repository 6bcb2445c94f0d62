internal import LuaBindings
internal import Modeling
internal import Presentation
internal import Session
internal import SourceChecking

/// `perilune check`: looks for the mistakes of scripts and of Swift files without running them.
///
/// The status is 1 if there are errors or warnings; notes do not count.
package struct CheckRun: ProgramRun {
  package var options: RunOptions
  /// The store or the model that the files are for; without both the model of their project.
  private let store: StoreAccess
  private let paths: [String]
  private let format: CheckFormat

  package init(_ paths: [String], _ store: StoreAccess, _ format: CheckFormat, _ options: RunOptions) {
    (self.paths, self.store, self.format, self.options) = (paths, store, format, options)
  }

  package func run(in surroundings: Surroundings) -> Int32 {
    let files = CheckedFiles(paths)
    return inSession(surroundings, store) { session in
      let status = open(files, in: session)
      return status == 0 ? check(files, in: session) : status
    }
  }

  private var hasModel: Bool { store.path != nil || store.modelPath != nil }

  private func open(_ files: CheckedFiles, in session: EngineSession) -> Int32 {
    if hasModel { return store.open(in: session) }
    guard let first = files.scripts.first else { return 0 }
    return session.guarding {
      if let model = try session.projectModel(of: first) { try session.open(model) }
    }
  }

  private func check(_ files: CheckedFiles, in session: EngineSession) -> Int32 {
    let surroundings = session.surroundings
    do {
      let plans = store.path == nil ? nil : PlanNotes(session.engine)
      var findings = try findings(inScripts: files.scripts, session, plans)
      if !files.swiftFiles.isEmpty {
        let swift = try SwiftFilesCheck(files, hasModel ? session.engine.store?.model : nil, plans)
        findings += swift.findings
        if !options.isQuiet, format == .text { swift.summary.forEach { surroundings.say("note: \($0)\n") } }
      }
      write(findings, surroundings)
      return findings.allSatisfy { $0.severity == .note } ? ExitStatus.done : ExitStatus.failed
    } catch {
      return surroundings.fail(error.sentence, ExitStatus.inputOutput)
    }
  }

  private func findings(
    inScripts paths: [String], _ session: EngineSession, _ plans: PlanNotes?
  ) throws(FileFailure) -> [CheckFinding] {
    var checker = ScriptChecker(session.engine)
    var lines: [SourceLines] = []
    for path in paths {
      let bytes = try readFile(path)
      lines.append(SourceLines(String(decoding: bytes, as: UTF8.self)))
      checker.add(bytes)
    }
    return paths.indices.flatMap { index in
      checker.mistakes(index).map { CheckFinding($0, in: paths[index], lines[index]) }
        + (plans?.findings(checker.requests(index), in: paths[index], lines[index]) ?? [])
    }
  }

  private func write(_ findings: [CheckFinding], _ surroundings: Surroundings) {
    switch format {
    case .text:
      let layout = DiagnosticText(style: surroundings.outputStyle, charset: surroundings.charset)
      for finding in findings { surroundings.output.write(layout.batch(finding.diagnostic)) }
    case .json: for finding in findings { surroundings.output.write(finding.json.outputText + "\n") }
    case .github: for finding in findings { surroundings.output.write(finding.githubCommand + "\n") }
    case .sarif: surroundings.output.write(CheckFinding.sarif(findings).outputText + "\n")
    }
  }
}

extension CheckFinding {
  /// The finding as a message for people.
  fileprivate var diagnostic: Diagnostic {
    var diagnostic = Diagnostic(message)
    diagnostic.severity = Diagnostic.Severity(rawValue: severity.rawValue) ?? .error
    (diagnostic.file, diagnostic.line) = (file, line)
    if !columns.isEmpty { diagnostic.column = columns.lowerBound + 1 }
    return diagnostic
  }
}
