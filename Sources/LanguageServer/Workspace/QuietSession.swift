internal import LuaBindings
internal import Presentation
internal import Session

/// The client of a session that shows nothing: it keeps the messages of what failed.
final class QuietSession: SessionClient {
  let layout = Layout()
  let output = OutputSink { _ in nil }
  let answersQuestions = false
  /// Set once, when this is made.
  private(set) var session: Session!
  private(set) var mistakes: [String] = []

  /// Makes a session whose scripts may run for some seconds.
  init(_ options: Engine.Options, timeout: Double? = nil) throws {
    var own = SessionOptions()
    own.timeout = timeout
    own.engine = options
    own.takesScriptOutput = true
    session = try Session(own, self)
  }

  var engine: Engine { session.engine }

  func flush() {}

  func receive(_ event: SessionEvent) throws {
    guard case .diagnostic(let diagnostic) = event, diagnostic.severity == .error else { return }
    mistakes.append(diagnostic.message)
  }

  func confirms(_ question: String) -> Bool { false }
}
