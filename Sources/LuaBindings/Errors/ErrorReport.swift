public import Modeling

/// An error as people and scripts see it: what kind it is, in words, with its place in the text it is about.
///
/// `ErrorSentences*.swift` make one of every error of the engine; scripts read `kind`, `message` and `details` of it.
public struct ErrorReport: Sendable {
  /// One word that scripts can compare: `predicate`, `validation`, `busy`, ...
  public var kind: String
  /// The mistake in words, without a place.
  public var message: String
  /// The single mistakes where there can be several.
  public var details: [Detail] = []
  /// The status with which an uncaught error ends a batch run.
  public var exitStatus: Int32 = 1
  /// `file:line` of the script's code that failed, where it is known.
  public var position: String?
  /// Lua's traceback, where the error came to the outermost call.
  public var traceback: String?

  /// One mistake.
  public struct Detail: Sendable {
    /// The mistake in words.
    public var message: String
    /// The members of the error in scripts besides the message, in order.
    public var fields: [(name: String, value: String)] = []
    /// Further members of the error in scripts, with their values; null values are nil.
    public var values: [(name: String, value: Value)] = []
    /// The text the mistake stands in and where, in UTF-8 bytes.
    public var excerpt: Excerpt?

    /// A mistake in words.
    public init(_ message: String, fields: [(name: String, value: String)] = [], excerpt: Excerpt? = nil) {
      self.message = message
      self.fields = fields
      self.excerpt = excerpt
    }
  }

  /// A text and the part of it that is marked.
  public struct Excerpt: Hashable, Sendable {
    /// The user's text.
    public var text: String
    /// The marked part, in UTF-8 bytes.
    public var range: Range<Int>
  }

  /// Reports one thing.
  public init(_ kind: String, _ message: String, details: [Detail] = [], exitStatus: Int32 = 1) {
    self.kind = kind
    self.message = message
    self.details = details
    self.exitStatus = exitStatus
  }
}

extension ErrorReport.Excerpt {
  /// The line that holds the beginning of the marked part, and the part within it in bytes.
  public var markedLine: (text: String, range: Range<Int>) {
    let bytes = Array(text.utf8)
    let start = min(range.lowerBound, bytes.count)
    let end = min(max(range.upperBound, start), bytes.count)
    let newline = UInt8(ascii: "\n")
    let lineStart = bytes[..<start].lastIndex(of: newline).map { $0 + 1 } ?? 0
    let lineEnd = bytes[start...].firstIndex(of: newline) ?? bytes.count
    return (
      String(decoding: bytes[lineStart..<lineEnd], as: UTF8.self), start - lineStart..<min(end, lineEnd) - lineStart
    )
  }

  /// The same with the part in characters, of which it is at least one.
  public var line: (text: String, columns: Range<Int>) {
    let marked = markedLine
    let bytes = Array(marked.text.utf8)
    func characters(_ range: Range<Int>) -> Int { String(decoding: bytes[range], as: UTF8.self).count }
    let first = characters(0..<marked.range.lowerBound)
    return (marked.text, first..<first + max(1, characters(marked.range)))
  }
}
