import Glibc
import Modeling

/// Blocks from a standard input that is no terminal: no prompts, no history, no questions.
package final class PipedEditor: LineEditor {
  package let isInteractive = false
  package let history = History()
  private let descriptor: Int32
  private var pending: [UInt8] = []
  /// Where the next line begins in `pending`.
  private var start = 0
  private var line = 0
  private var hasEnded = false

  package init(descriptor: Int32 = 0) {
    self.descriptor = descriptor
  }

  /// Blocks from a text that was read already.
  package init(text: String) {
    descriptor = -1
    pending = Array(text.utf8)
    hasEnded = true
  }

  package func readBlock(_ request: BlockRequest) -> EditorInput {
    guard var block = readLine() else { return .end }
    let firstLine = line
    // An end in the middle of a block is the block's mistake: it is run, to hear what it lacks.
    while request.completeness(block) == .incomplete, let next = readLine() { block += "\n" + next }
    return .block(block, firstLine: firstLine)
  }

  /// Everything that is left: a script that is run as one chunk.
  package func readRest() -> [UInt8] {
    defer { (pending, start, hasEnded) = ([], 0, true) }
    return hasEnded ? Array(pending[start...]) : pending[start...] + readToEnd(descriptor)
  }

  private func readLine() -> String? {
    var searched = start
    while true {
      if let end = pending[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { start = end + 1 }
        line += 1
        return String(decoding: pending[start..<end], as: UTF8.self)
      }
      pending.removeFirst(start)
      (searched, start) = (pending.count, 0)
      if hasEnded || !fill() {
        guard !pending.isEmpty else { return nil }
        defer { pending = [] }
        line += 1
        return String(decoding: pending, as: UTF8.self)
      }
    }
  }

  private func fill() -> Bool {
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    var count = read(descriptor, &piece, piece.count)
    while count < 0, errno == EINTR { count = read(descriptor, &piece, piece.count) }
    guard count > 0 else {
      hasEnded = true
      return false
    }
    pending.append(contentsOf: piece[..<count])
    return true
  }
}
