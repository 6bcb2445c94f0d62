internal import CPostgres
internal import Glibc
internal import Modeling

/// A request to the server to cancel what a connection runs.
final class Cancellation {
  /// The time that the server has to answer before the connection is given up.
  static let patience = 5.0

  private let request: OpaquePointer?
  /// When the connection is given up, unless something has come by then.
  private(set) var deadline = monotonicSeconds() + patience

  /// Sends the request, on a thread.
  init(_ handle: OpaquePointer) { request = perilune_pq_cancel(handle) }

  deinit { if let request { perilune_pq_release(request) } }

  /// Something has come, so that there is something to wait for.
  func extend() { deadline = monotonicSeconds() + Self.patience }

  /// Waits until the server has got the request, so that it cannot meet a later statement; false if that takes too long.
  func isOver() -> Bool {
    guard let request else { return true }
    while !perilune_pq_is_over(request) {
      if monotonicSeconds() >= deadline { return false }
      usleep(1000)
    }
    return true
  }
}
