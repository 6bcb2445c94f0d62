/// A stream of events to one browser (Server-Sent Events).
///
///     let stream = EventStream()
///     stream.send("rows", #"{"list":3}"#)
///
/// Events wait for a reader that is slow, up to a limit; beyond it the stream is closed, and the browser connects again.
package final class EventStream {
  /// Set by the connection that carries the stream.
  var write: (([UInt8]) -> Void)?
  var end: (() -> Void)?
  /// Called once the stream has ended.
  package var onClose: () -> Void = {}
  package private(set) var isOpen = true

  package init() {}

  /// Sends an event; line breaks in `data` begin lines of their own, as the format requires.
  package func send(_ event: String, _ data: String) {
    guard isOpen else { return }
    let lines = data.split(whereSeparator: { $0.isNewline }).map { "data: \($0)\n" }.joined()
    write?(Array("event: \(event)\n\(lines)\n".utf8))
  }

  /// Sends a comment, which shows whether the browser is still there.
  func beat() { write?(Array(":\n\n".utf8)) }

  package func close() { end?() }

  func noteEnd() {
    guard isOpen else { return }
    isOpen = false
    (write, end) = (nil, nil)
    onClose()
  }
}
