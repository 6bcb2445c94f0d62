package import LuaBindings
package import Presentation

extension Diagnostic {
  /// The messages for an error of the engine: one for each of its mistakes that has a place in the user's text.
  package static func diagnostics(for report: ErrorReport, _ sources: SourceTexts, _ hints: LuaHints) -> [Diagnostic] {
    var report = report
    var place = Place(report.position, sources)
    if report.position == nil, let (found, rest) = Place.leading(report.message, sources) {
      place = found
      report.message = rest
    }
    if place == nil { place = Place.innermost(report.tracebackLines, sources) }
    let placed = report.details.filter { $0.excerpt != nil }
    var diagnostics = placed.map { detail in
      var diagnostic = Diagnostic(detail.message)
      diagnostic.use(place)
      if let excerpt = detail.excerpt { diagnostic.point(into: excerpt, place, sources) }
      return diagnostic
    }
    if diagnostics.count == 1, let place, let line = sources.line(place.line, of: place.file),
      let found = hints.explanation(for: diagnostics[0].message, isSyntax: false, line: line)
    {
      diagnostics[0].notes.append(found.note)
    }
    if diagnostics.isEmpty {
      var diagnostic = Diagnostic(report.message)
      diagnostic.use(place)
      if let place {
        let line = sources.line(place.line, of: place.file)
        let isSyntax = report.kind == "syntax"
        if let line, let found = hints.explanation(for: report.message, isSyntax: isSyntax, line: line) {
          diagnostic.message = found.message
          diagnostic.notes = [found.note]
        } else {
          diagnostic.suggestion = hints.suggestion(for: report.message, line: line)
          diagnostic.range = hints.spot(of: report.message, isSyntax: isSyntax, line: place.line, of: place.file)
          if isSyntax { diagnostic.column = diagnostic.range.map { $0.lowerBound + 1 } }
        }
        if !report.message.contains("\n") { diagnostic.show(line) }
      }
      diagnostics = [diagnostic]
    }
    diagnostics[diagnostics.count - 1].traceback = report.tracebackLines
    return diagnostics
  }

  /// Returns the place at which a script was stopped: `method 'sql', report.lua:12`.
  package static func innermostCall(_ report: ErrorReport) -> String? {
    let lines = report.tracebackLines
    guard let first = lines.first else { return nil }
    let native = first.hasPrefix("[C]: in ") ? String(first.dropFirst(8)) : nil
    let position = lines.first { !$0.hasPrefix("[C]") }.flatMap { line in
      line.firstRange(of: ": in ").map { String(line[..<$0.lowerBound]) }
    }
    let parts = [native == "?" ? nil : native, position].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// Returns the message as shown right after the line was typed: without a place that is obvious.
  func atPrompt(_ input: String) -> Diagnostic {
    guard file == input else { return self }
    var diagnostic = self
    (diagnostic.file, diagnostic.line, diagnostic.column) = (nil, nil, nil)
    return diagnostic
  }

  private mutating func use(_ place: Place?) {
    file = place?.file
    line = place?.line
  }

  /// Shows the line without its indentation.
  private mutating func show(_ line: String?) {
    guard let line else { return }
    let indentation = line.utf8.prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.count
    sourceLine = String(line.utf8.dropFirst(indentation))
    range = range.map { $0.lowerBound - indentation..<$0.upperBound - indentation }
  }

  /// Points at a part of a predicate: in the line of the script that holds it, or else in the predicate's own text.
  private mutating func point(into excerpt: ErrorReport.Excerpt, _ place: Place?, _ sources: SourceTexts) {
    let marked = excerpt.markedLine
    if let file = excerpt.file {
      (self.file, line, column) = (file, excerpt.lineNumber, excerpt.line.columns.lowerBound + 1)
      (sourceLine, range) = (marked.text, marked.range)
    } else if let place,
      let found = sources.place(of: excerpt.text, offset: excerpt.range.lowerBound, near: place.line, in: place.file)
    {
      line = found.line
      column = found.column + 1
      sourceLine = sources.line(found.line, of: place.file)
      range = found.column..<found.column + marked.range.count
    } else {
      column = place == nil ? nil : marked.range.lowerBound + 1
      sourceLine = marked.text
      range = marked.range
    }
  }
}

/// A file and a line in it, as Lua writes them.
private struct Place {
  var file: String
  var line: Int

  init?(_ position: String?, _ sources: SourceTexts) {
    guard let position, let colon = position.lastIndex(of: ":"),
      let line = Int(position[position.index(after: colon)...])
    else { return nil }
    self.line = line
    file = sources.resolve(String(position[..<colon]))
  }

  /// The place of the innermost call in a traceback that is in a script.
  static func innermost(_ traceback: [String], _ sources: SourceTexts) -> Place? {
    for line in traceback {
      guard let end = line.firstRange(of: ": in "), let place = Place(String(line[..<end.lowerBound]), sources) else {
        continue
      }
      if sources.contains(place.file) { return place }
    }
    return nil
  }

  /// The place that a message of Lua begins with, and what follows it.
  static func leading(_ message: String, _ sources: SourceTexts) -> (place: Place, rest: String)? {
    var search = message[...]
    while let colon = search.firstIndex(of: ":") {
      let name = message[..<colon]
      search = message[message.index(after: colon)...]
      let digits = search.prefix { $0.isASCII && $0.isNumber }
      guard !digits.isEmpty, search.dropFirst(digits.count).hasPrefix(": ") else { continue }
      guard let place = Place("\(name):\(digits)", sources), sources.contains(place.file) else { return nil }
      return (place, String(search.dropFirst(digits.count + 2)))
    }
    return nil
  }
}

extension ErrorReport {
  /// Whether the message is nothing but the address of a value.
  package var isUnreadable: Bool { message.hasPrefix("table: 0x") || message.hasPrefix("function: 0x") }

  /// Lua's traceback without its heading, the innermost call first.
  package var tracebackLines: [String] {
    guard let traceback else { return [] }
    let lines = traceback.split(separator: "\n").map { $0.drop { $0 == "\t" } }
    return lines.filter { $0 != "stack traceback:" }.map(String.init)
  }
}
