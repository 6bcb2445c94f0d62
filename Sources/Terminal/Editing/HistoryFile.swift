import Glibc
import Modeling

/// A file of history entries as earlier versions wrote it: a line `#` with the seconds since 1970, then the lines of the block.
///
/// Bash and readline write the same format. A line of a block that looks like a time has a backslash in front.
package struct HistoryFile {
  package var path: String

  package init(path: String) {
    self.path = path
  }

  /// The entries in the file, in its order.
  package func read() -> [History.Entry] {
    guard let text = contents() else { return [] }
    var entries: [History.Entry] = []
    var lines: [Substring] = []
    var time = 0
    func finish() {
      if !lines.isEmpty { entries.append(History.Entry(text: lines.joined(separator: "\n"), time: time)) }
      lines = []
    }
    for line in Self.lines(text).dropLast() {
      if let stamp = Self.time(line) {
        finish()
        time = stamp
      } else {
        lines.append(Self.isEscaped(line) ? line.dropFirst() : line)
      }
    }
    finish()
    return entries
  }

  /// The lines of a text, ended by newlines alone: to Swift, a carriage return before one makes them one character.
  private static func lines(_ text: String) -> [Substring] {
    text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { Substring($0) }
  }

  /// The time that a line is, or nil if it is text.
  private static func time(_ line: Substring) -> Int? {
    guard line.first == "#", line.dropFirst().allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    return Int(line.dropFirst())
  }

  /// Whether a line is a time behind backslashes.
  private static func isEscaped(_ line: Substring) -> Bool {
    line.first == "\\" && time(line.drop { $0 == "\\" }) != nil
  }

  private func contents() -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return String(decoding: readToEnd(descriptor), as: UTF8.self)
  }
}
