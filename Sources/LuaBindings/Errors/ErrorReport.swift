public import Modeling

/// An error for users and scripts: its kind, its message, and its place in the text that it concerns.
///
/// `ErrorSentences*.swift` make a report of every error of the engine; scripts read its `kind`, `message` and
/// `details`.
public struct ErrorReport: Sendable {
  /// A word for comparisons in scripts: `predicate`, `validation`, `busy`, ...
  public var kind: String
  /// The message, without a place.
  public var message: String
  /// The single errors, if there may be several.
  public var details: [Detail] = []
  /// The exit status of a batch run that ends with this error.
  public var exitStatus: Int32 = 1
  /// `file:line` of the script's code that failed, if known.
  public var position: String?
  /// Lua's traceback, if the error reached the outermost call.
  public var traceback: String?

  /// A single error.
  public struct Detail: Sendable {
    /// The message.
    public var message: String
    /// The members of the error in scripts in addition to the message, in order.
    public var fields: [(name: String, value: String)] = []
    /// Further members of the error in scripts, with their values; null values are nil.
    public var values: [(name: String, value: Value)] = []
    /// The text with the error, and the range of the error in UTF-8 bytes.
    public var excerpt: Excerpt?

    /// Creates a detail.
    public init(_ message: String, fields: [(name: String, value: String)] = [], excerpt: Excerpt? = nil) {
      self.message = message
      self.fields = fields
      self.excerpt = excerpt
    }
  }

  /// A text with a marked part.
  public struct Excerpt: Hashable, Sendable {
    /// The user's text.
    public var text: String
    /// The marked part, in UTF-8 bytes.
    public var range: Range<Int>
    /// The file that the text is all of, if it is not the user's script.
    public var file: String?
  }

  /// Creates a report.
  public init(_ kind: String, _ message: String, details: [Detail] = [], exitStatus: Int32 = 1) {
    self.kind = kind
    self.message = message
    self.details = details
    self.exitStatus = exitStatus
  }
}

extension ErrorReport.Excerpt {
  /// The line with the beginning of the marked part, and the part within it in bytes.
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

  /// The number of that line, from 1.
  public var lineNumber: Int { text.utf8.prefix(range.lowerBound).count { $0 == UInt8(ascii: "\n") } + 1 }

  /// The same, with the part in characters, at least one.
  public var line: (text: String, columns: Range<Int>) {
    let marked = markedLine
    let bytes = Array(marked.text.utf8)
    func characters(_ range: Range<Int>) -> Int { String(decoding: bytes[range], as: UTF8.self).count }
    let first = characters(0..<marked.range.lowerBound)
    return (marked.text, first..<first + max(1, characters(marked.range)))
  }
}
