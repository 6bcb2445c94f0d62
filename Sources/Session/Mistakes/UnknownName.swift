internal import LuaBindings

/// An unknown name typed at the prompt, which Lua would show as nil.
package struct UnknownName: ReportedError {
  var name: String
  var nearest: String?
  /// What the name is elsewhere: a property, a command.
  var elsewhere: String?

  var report: ErrorReport {
    let hint = nearest.map { "; did you mean '\($0)'?" } ?? ""
    return ErrorReport("lua", "there is no '\(name)'" + (elsewhere.map { "; \($0)" } ?? hint))
  }
}

extension String {
  /// This text without white space at its ends.
  package var trimmingSpace: String {
    var end = endIndex
    while end > startIndex, self[index(before: end)].isWhitespace { end = index(before: end) }
    let start = self[..<end].firstIndex { !$0.isWhitespace } ?? end
    return String(self[start..<end])
  }
}
