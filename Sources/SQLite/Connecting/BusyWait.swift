internal import CSQLite
import Modeling
import StoreErrors

/// Waits while another process holds a lock, until a timeout ends, and stops at once when interrupted.
package final class BusyWait: @unchecked Sendable {
  package let path: String
  /// The timeout in seconds.
  package var timeout: Double
  package var isInterrupted: () -> Bool
  /// The time when the wait for the current lock began, by the monotonic clock.
  private var start = 0.0
  /// Whether the last wait ended because of an interruption.
  private(set) var wasInterrupted = false

  package init(path: String, timeout: Double, isInterrupted: @escaping () -> Bool) {
    self.path = path
    self.timeout = timeout
    self.isInterrupted = isInterrupted
  }

  /// Forgets the result of an earlier wait.
  package func begin() { wasInterrupted = false }

  /// Sleeps, a little longer at each try; returns false when the timeout has ended.
  package func again(after tries: Int) -> Bool {
    if tries == 0 { start = monotonicSeconds() }
    wasInterrupted = isInterrupted()
    let left = timeout - (monotonicSeconds() - start)
    // A timeout that is not a number counts as none.
    guard !wasInterrupted, left > 0 else { return false }
    // Never longer than 50 ms, so that an interruption is noticed in time.
    let delay = min(left, 0.001 * Double(min(1 << min(tries, 6), 50)))
    pause(seconds: delay)
    return true
  }

  /// The meaning of a failure with `code` that was caused by a lock; nil for other codes.
  func fact(code: Int32) -> StoreError.Fact? {
    guard code & 0xff == SQLITE_BUSY else { return nil }
    // SQLITE_BUSY_SNAPSHOT, a macro over a macro; waiting does not help.
    if code == SQLITE_BUSY | 2 << 8 { return .cursorIsOutdated }
    return wasInterrupted ? .interrupted : .busy(seconds: timeout, holders: lockHolders(of: path))
  }
}
