/// How far something is that takes long: an import, an export, a loop of a script.
package final class ProgressReport {
  /// What runs; nil for all that the client waits for.
  package let label: String?
  package let unit: String
  package private(set) var total: Int?
  package private(set) var done = 0
  package private(set) var isFinished = false
  /// Returns the total where finding it costs something; a client that shows it calls this once.
  package var findTotal: (() -> Int?)?
  private let receive: (ProgressReport) -> Void

  /// Makes a report that `receive` gets now, and after each change.
  package init(_ label: String?, total: Int?, unit: String, receive: @escaping (ProgressReport) -> Void) {
    (self.label, self.total, self.unit, self.receive) = (label, total, unit, receive)
    // A client counts the time from now on.
    update(0)
  }

  package func update(_ done: Int) {
    self.done = done
    receive(self)
  }

  package func finish() {
    guard !isFinished else { return }
    isFinished = true
    receive(self)
  }
}
