internal import Foundation

/// Bytes that several threads make from the ranges of a scan, taken by one thread in the order of the ranges.
///
/// A thread whose range does not come next waits while much is held; the one whose range does, while much of it is held.
final class OrderedPieces: @unchecked Sendable {
  /// What a thread hands on.
  enum Piece {
    case bytes([UInt8], rows: Int)
    /// Nothing more comes from the range.
    case end
    case failure(any Error)
  }

  private struct Range {
    var pieces: ArraySlice<Piece> = []
    var bytes = 0
  }

  /// The bytes that are held at most, but for the pieces that are put last; an eighth of them where it is a range's turn.
  private let most: Int

  private let changed = NSCondition()
  private var ranges: [Int: Range] = [:]
  private var current = 0
  private var held = 0
  private var isStopped = false

  init(most: Int) { self.most = most }

  /// Hands on a piece of a range. Returns false, once no more pieces are wanted.
  func put(_ piece: Piece, of range: Int) -> Bool {
    changed.withLock {
      let count = if case .bytes(let bytes, _) = piece { bytes.count } else { 0 }
      while !isStopped, count > 0, isFull(for: range) { changed.wait() }
      if isStopped { return false }
      ranges[range, default: Range()].pieces.append(piece)
      ranges[range, default: Range()].bytes += count
      held += count
      if range == current { changed.broadcast() }
      return true
    }
  }

  private func isFull(for range: Int) -> Bool {
    range == current ? ranges[range]?.bytes ?? 0 >= most / 8 : held >= most
  }

  /// Takes the next piece; nil if none comes within `seconds`.
  func take(within seconds: Double) -> Piece? {
    changed.withLock {
      if ranges[current]?.pieces.isEmpty ?? true { _ = changed.wait(until: Date(timeIntervalSinceNow: seconds)) }
      guard let piece = ranges[current]?.pieces.popFirst() else { return nil }
      switch piece {
      case .bytes(let bytes, _):
        ranges[current]?.bytes -= bytes.count
        held -= bytes.count
      case .end:
        ranges[current] = nil
        current += 1
      case .failure: break
      }
      changed.broadcast()
      return piece
    }
  }

  /// Wants no more pieces: threads that wait to put one go on.
  func stop() {
    changed.withLock {
      isStopped = true
      changed.broadcast()
    }
  }
}
