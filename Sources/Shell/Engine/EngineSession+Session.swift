internal import LuaBindings
internal import LuaRuntime
internal import Modeling
internal import Presentation
internal import Session

// What runs ask of the session.
extension EngineSession {
  var sources: SourceTexts {
    get { session.sources }
    set { session.sources = newValue }
  }
  var parameters: ScriptParameters? {
    get { session.parameters }
    set { session.parameters = newValue }
  }
  var requestedExit: Int32? {
    get { session.requestedExit }
    set { session.requestedExit = newValue }
  }
  var dryRun: DryRun? { session.dryRun }
  var annotations: String { session.annotations }

  func close() {
    endPages()
    session.close()
  }
  func enter(_ line: String, chunk: String) -> Int32 { session.enter(line, chunk: chunk) }
  func runScript(_ path: String, _ arguments: [String]) -> Int32 { session.runScript(path, arguments) }
  func finish(_ status: Int32, requiresClean: Bool = false) -> Int32 {
    session.finish(status, requiresClean: requiresClean)
  }
  func open(_ model: Model) throws { try session.open(model) }
  func projectModel(of file: String) throws -> Model? { try session.projectModel(of: file) }
  func openData(_ files: [DataFile], path: String?) -> Int32 { session.openData(files, path: path) }
  func loadModel(_ path: String, version: String? = nil) throws -> Model {
    try session.loadModel(path, version: version)
  }
  func report(_ diagnostic: Diagnostic) { session.parts.console.report(diagnostic) }
  func run(
    _ source: String, chunk: String, firstLine: Int, showing show: ([LuaReference]) throws -> Void
  ) -> Int32 {
    session.parts.evaluator.run(source, chunk: chunk, firstLine: firstLine, showing: show)
  }
}
