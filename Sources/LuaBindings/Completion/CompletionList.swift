/// What can replace the bytes from `start` to the cursor.
public struct CompletionList: Equatable, Sendable {
  /// One of the possible continuations.
  public struct Candidate: Equatable, Sendable {
    /// What takes the place of what was typed.
    public var text: String
    /// What it is, for the list: `Double`, `→ Station`, a signature.
    public var remark: String
  }

  /// A byte of the text.
  public var start: Int
  /// What may stand there, best first.
  public var candidates: [Candidate] = []
  /// What follows the only candidate: an opening parenthesis, a space.
  public var appendix: String = ""

  /// Candidates that begin with `prefix` at `start`, each once, in the order given; case counts only if it must.
  init(_ candidates: [Candidate], prefix: String, at start: Int, appendix: String = "") {
    self.start = start
    self.appendix = appendix
    var seen: Set<String> = []
    let unique = candidates.filter { seen.insert($0.text).inserted }
    let exact = unique.filter { $0.text.hasPrefix(prefix) }
    let lowercase = prefix.lowercased()
    self.candidates = exact.isEmpty ? unique.filter { $0.text.lowercased().hasPrefix(lowercase) } : exact
  }

  /// No candidates.
  static func none(at start: Int) -> CompletionList { CompletionList([], prefix: "", at: start) }
}

extension CompletionList.Candidate {
  /// A catalog entry as a candidate.
  init(_ entry: CatalogEntry) { self.init(text: entry.name, remark: entry.summary) }
}
