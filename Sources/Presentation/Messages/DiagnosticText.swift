/// Puts diagnostics into their one shape.
///
/// In batch, one line that editors and terminals can jump from:
///
///     report.lua:12:15: error: Book has no attribute 'titel'; did you mean 'title'?
///
/// and at the prompt, the line itself:
///
///     error: Book has no attribute 'titel'
///       Book:where "titel BEGINSWITH 'The'"
///                   ^^^^^ did you mean 'title'?
package struct DiagnosticText {
  package var style = Style(enabled: false)
  package var charset = Charset.utf8
  package var width = 80

  package init(style: Style = Style(enabled: false), charset: Charset = .utf8, width: Int = 80) {
    self.style = style
    self.charset = charset
    self.width = width
  }

  /// The lines for a script: the place first, then notes of the same shape and the traceback. A marked text that no file holds,
  /// such as a predicate among a command's options, has no place; it is shown.
  package func batch(_ diagnostic: Diagnostic) -> String {
    let place = self.place(of: diagnostic)
    let question = diagnostic.suggestion.map { "; did you mean '\($0)'?" } ?? ""
    var lines = [place + heading(diagnostic) + clean(diagnostic.message + question)]
    if diagnostic.line == nil, let source = diagnostic.sourceLine, let range = diagnostic.range {
      lines += excerpt(source, range, nil)
    }
    lines += diagnostic.notes.map { place + style(.note, "note: ") + clean($0) }
    return (lines + traceback(diagnostic)).joined(separator: "\n") + "\n"
  }

  /// The lines for a terminal: the message, the user's line with a caret, notes and the traceback.
  package func terminal(_ diagnostic: Diagnostic) -> String {
    let place = diagnostic.file == nil ? "" : self.place(of: diagnostic)
    // A word is not cut at the window's edge; code in excerpts and notes stays as it is, to be copied.
    let message = place + heading(diagnostic) + clean(diagnostic.message)
    // A place stays beside its message, where editors find both.
    var lines = [place.isEmpty ? WordWrap.broken(message, in: width) : message]
    let question = diagnostic.suggestion.map { "did you mean '\(clean($0))'?" }
    if let source = diagnostic.sourceLine {
      lines += excerpt(source, diagnostic.range, question)
    } else if let question {
      lines.append("  " + style(.suggestion, question))
    }
    lines += diagnostic.notes.map { "  " + style(.note, "note: ") + clean($0) }
    return (lines + traceback(diagnostic)).joined(separator: "\n") + "\n"
  }

  private func heading(_ diagnostic: Diagnostic) -> String {
    let role: Style.Role =
      switch diagnostic.severity {
      case .error: .error
      case .warning: .warning
      case .note: .note
      }
    return style(role, diagnostic.severity.rawValue + ":") + " "
  }

  private func place(of diagnostic: Diagnostic) -> String {
    let parts = [diagnostic.file.map(clean), diagnostic.line.map(String.init), diagnostic.column.map(String.init)]
    let known = parts.prefix { $0 != nil }.compactMap(\.self)
    return known.isEmpty ? "" : known.joined(separator: ":") + ": "
  }

  private func traceback(_ diagnostic: Diagnostic) -> [String] {
    if diagnostic.traceback.isEmpty { return [] }
    return ["stack traceback:"] + diagnostic.traceback.map { "\t" + clean($0) }
  }

  /// The source line and the caret line under it, both cut to the window around the caret.
  private func excerpt(_ source: String, _ range: Range<Int>?, _ question: String?) -> [String] {
    guard let range else {
      return ["  " + DisplayText(source, in: max(width - 2, 10), charset).text] + (question.map { ["  " + $0] } ?? [])
    }
    let bytes = Array(source.utf8)
    let start = min(max(range.lowerBound, 0), bytes.count)
    let end = min(max(range.upperBound, start), bytes.count)
    func shown(_ slice: ArraySlice<UInt8>) -> DisplayText {
      DisplayText(String(decoding: slice, as: UTF8.self), in: .max, charset)
    }
    let meant = shown(bytes[start..<end])
    let room = max(width - 2, 20)
    // A caret far to the right pulls its surroundings into the window.
    var before = shown(bytes[..<start])
    if before.width + min(meant.width, room / 3) > room * 2 / 3 {
      let lead = charset.ellipsis
      before = DisplayText(lead + suffix(of: before.text, in: room / 3 - lead.count), in: .max, charset)
    }
    let line = DisplayText(before.text + meant.text + shown(bytes[end...]).text, in: room, charset)
    let carets = String(repeating: "^", count: max(1, min(meant.width, room - before.width)))
    let mark = style(.caret, carets) + (question.map { " " + style(.suggestion, $0) } ?? "")
    return ["  " + line.text, "  " + String(repeating: " ", count: before.width) + mark]
  }

  /// The end of `text` that fits in `limit` columns.
  private func suffix(of text: String, in limit: Int) -> String {
    var width = 0
    var start = text.endIndex
    while start > text.startIndex {
      let previous = text.index(before: start)
      width += text[previous].terminalWidth
      if width > limit { break }
      start = previous
    }
    return String(text[start...])
  }

  private func clean(_ text: String) -> String {
    DisplayText.picturingControls(in: text, charset, keepingLines: true)
  }
}
