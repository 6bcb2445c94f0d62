import LuaBindings
import Modeling
import Presentation
import Session

/// A client of a session that speaks lines of JSON: a request is one line, its events are a line each, and one ends it.
///
///     {"id":1,"do":"evaluate","text":"1 + 1"}
///     {"event":"value","id":1,"kind":"value","text":"2\n"}
///     {"event":"end","id":1,"status":0}
@main final class SessionLines: SessionClient {
  let layout = Layout()
  private(set) var output = OutputSink.inMemory()
  let answersQuestions = true
  private var session: Session!
  private var id: Int64 = 0

  static func main() throws {
    let client = SessionLines()
    try client.begin()
    while let line = readLine() { try client.answer(line) }
    client.session.close()
  }

  private init() {}

  private func begin() throws {
    output = OutputSink { [unowned self] bytes in
      write("stream", ["name": .string("output"), "text": .string(String(decoding: bytes, as: UTF8.self))])
      return nil
    }
    var options = SessionOptions()
    options.takesScriptOutput = true
    session = try Session(options, self)
  }

  private func answer(_ line: String) throws {
    guard case .object(let request)? = try? JSON.parse(line) else { return write("end", ["status": .int(65)]) }
    func text(_ name: String) -> String { if case .string(let text)? = request[name] { text } else { "" } }
    if case .int(let number)? = request["id"] { id = number }
    var offset = 0
    if case .int(let number)? = request["offset"] { offset = Int(clamping: number) }
    var end: [String: JSON] = [:]
    switch text("do") {
    case "open": end["status"] = .int(Int64(session.guarding { try session.engine.open(.init(path: text("path"))) }))
    case "run": end["status"] = .int(Int64(session.runScript(text("path"), [])))
    case "evaluate": end["status"] = .int(Int64(session.evaluate(block: text("text"))))
    case "complete":
      end["candidates"] = .array(session.complete(text("text"), at: offset).candidates.map { .string($0.text) })
    case "inspect":
      end["lines"] = .array((session.inspect(text("text"), at: offset)?.lines ?? []).map { .string($0.signature) })
    case "isComplete": end["isComplete"] = .bool(session.isComplete(text("text")) == .complete)
    default: end["status"] = .int(64)
    }
    output.flush()
    write("end", end)
  }

  func flush() { output.flush() }

  func receive(_ event: SessionEvent) throws {
    output.flush()
    switch event {
    case .value(let answer):
      let sink = OutputSink.inMemory()
      try answer.write(to: sink)
      write("value", ["kind": .string(try answer.kind.rawValue), "text": .string(sink.text)])
    case .printed(let stream, let bytes):
      write(
        "stream", ["name": .string(stream.rawValue), "text": .string(String(decoding: bytes, as: UTF8.self))])
    case .diagnostic(let diagnostic):
      write(
        "diagnostic",
        ["message": .string(diagnostic.message), "line": diagnostic.line.map { .int(Int64($0)) } ?? .null])
    case .remark(let remark): write("remark", ["kind": .string(remark.kind.rawValue), "text": .string(remark.text)])
    case .progress(let report): write("progress", ["done": .int(Int64(report.done)), "over": .bool(report.isFinished)])
    case .change(let change): write("change", ["inserted": .int(Int64(change.change.inserted.count))])
    }
  }

  func confirms(_ question: String) -> Bool {
    write("question", ["text": .string(question)])
    return readLine() == "yes"
  }

  private func write(_ event: String, _ members: [String: JSON]) {
    var members = members
    (members["event"], members["id"]) = (.string(event), .int(id))
    print(JSON.object(members).outputText)
  }
}
