internal import Modeling
internal import Queries
internal import Session

/// What is known of a place of a document: a property with its values, a predicate with its counts, a function of the engine.
struct Hover {
  /// The time that counting may take, in seconds.
  private static let time = 0.1

  private let document: TextDocument
  private let offset: Int

  init(_ document: TextDocument, at offset: Int) { (self.document, self.offset) = (document, offset) }

  /// The help as the protocol shows it; null where nothing is known.
  func json(in workspace: Workspace, among documents: [TextDocument]) -> JSON {
    if let standing = workspace.standingText(at: offset, in: document, among: documents) {
      return json(standing, workspace)
    }
    guard document.language == .lua, let session = workspace.session(of: document)?.session,
      let found = session.inspect(script: document.text, at: offset)
    else { return .null }
    return json(found.lines.map { Self.line($0.signature, $0.summary) }, found.range)
  }

  private func json(_ standing: StandingText, _ workspace: Workspace) -> JSON {
    var lines: [String] = []
    var range = standing.range
    if let place = standing.offset(offset), let subject = standing.subject, let session = subject.session?.session {
      let (path, name) = standing.keyPath(at: place)
      let own = standing.form == .macro ? Self.withoutRoot(path) : path
      if let help = session.help(onKeyPath: own, of: subject.entity) {
        range = standing.source(name)
        lines.append(Self.line(help.signature, help.summary))
        if workspace.showsValues { lines += frequentValues(own, subject) }
      }
    }
    if let value = standing.value { lines.append("NSExpression: " + Markdown.code(value.description)) }
    lines += counts(standing)
    lines += plan(standing, workspace)
    return lines.isEmpty ? .null : json(lines, range)
  }

  private static func withoutRoot(_ path: String) -> String {
    path.firstIndex(of: ".").map { String(path[path.index(after: $0)...]) } ?? path
  }

  private func frequentValues(_ path: String, _ subject: Workspace.Subject) -> [String] {
    guard let context = subject.context, let session = subject.session?.session,
      let values = session.frequentValues(ofKeyPath: path, of: subject.entity, in: context)?.candidates
    else { return [] }
    // What occurs once is frequent nowhere.
    let texts = values.filter { $0.remark != "1" }.prefix(6).map { "\(Markdown.code($0.text)) × \($0.remark)" }
    return texts.isEmpty ? [] : [texts.joined(separator: " · ") + (values.count > texts.count ? " · …" : "")]
  }

  private func counts(_ standing: StandingText) -> [String] {
    guard let condition = standing.condition, standing.form != .keyPath, let subject = standing.subject else {
      return []
    }
    var lines: [String] = []
    if standing.form == .macro { lines.append("NSPredicate: " + Markdown.code(condition.description)) }
    if let tally = standing.tally(seconds: Self.time), tally.total > 0 {
      lines.append("\(subject.entity.name): \(tally.sentence)")
    }
    return lines
  }

  /// How the store would find the objects.
  private func plan(_ standing: StandingText, _ workspace: Workspace) -> [String] {
    guard let condition = standing.condition, standing.form != .keyPath, let subject = standing.subject,
      subject.context != nil, let session = subject.session, let notes = workspace.planNotes(session)
    else { return [] }
    var request = FetchRequest(subject.entity)
    request.predicate = condition
    let words = notes.plan(of: request)
    return words.isEmpty ? [] : ["Plan: " + words.map(Markdown.escaped).joined(separator: "; ")]
  }

  private func json(_ lines: [String], _ range: Range<Int>) -> JSON {
    .object([
      "contents": Markdown.json(lines.joined(separator: "\n\n")),
      "range": document.json(range),
    ])
  }

  private static func line(_ signature: String, _ summary: String) -> String {
    summary.isEmpty ? Markdown.code(signature) : "\(Markdown.code(signature)) \(Markdown.escaped(summary))"
  }
}
