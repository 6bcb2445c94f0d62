/// Which transactions of a server have ended: `xmin:xmax:list`.
struct ServerSnapshot: Equatable {
  /// As the server writes it.
  let text: String
  /// The first transaction that may not have ended; all before it have.
  let first: UInt64
  /// The first transaction that had not begun.
  let next: UInt64
  /// The transactions that had begun and not ended.
  let running: [UInt64]

  /// A snapshot before all transactions.
  init() { (text, first, next, running) = ("", 0, 0, []) }

  /// Reads what the server writes; a text that is none counts as a moment before everything.
  init(_ text: String) {
    self.text = text
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let first = UInt64(parts[0]), let next = UInt64(parts[1]) else {
      (first, next, running) = (0, 0, [])
      return
    }
    (self.first, self.next) = (first, next)
    running = parts[2].split(separator: ",").compactMap { UInt64($0) }
  }

  /// The snapshot after one transaction that began and ended alone.
  var following: String? {
    guard !text.isEmpty, running.isEmpty, text == "\(next):\(next):" else { return nil }
    return "\(next + 1):\(next + 1):"
  }
}
