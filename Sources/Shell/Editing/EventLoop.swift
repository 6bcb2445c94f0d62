import Glibc

/// Waits for a key, a signal, a descriptor or a timer, whichever comes first.
struct EventLoop {
  enum Event: Equatable {
    /// The terminal, or whatever `input` is, can be read.
    case input
    /// A signal came; its flag says which.
    case signal
    /// Descriptors have input, or a timer is due if there are none.
    case turn([Int32])
  }

  let sources: EventSources

  /// Waits for the next event; `input` is -1 when only the sources matter. While turns are not accepted, descriptors and timers wait too.
  ///
  /// Signals are let in only while waiting, so that one that comes just before is not slept through.
  func next(input: Int32, acceptsTurns: Bool) -> Event {
    var previous = TerminalSignals.block()
    defer { TerminalSignals.restore(&previous) }
    if TerminalSignals.isPending || sources.isInterrupted() { return .signal }
    let watched = acceptsTurns ? sources.descriptors() : []
    let timer = acceptsTurns ? sources.secondsToNextTimer() : nil
    if let timer, timer <= 0 { return .turn([]) }
    // pselect and not poll: it lets the signals in and waits in one step.
    var ready = DescriptorSet([input] + watched)
    var count: Int32 = 0
    if let timer {
      var timeout = timespec(tv_sec: Int(timer), tv_nsec: Int((timer - timer.rounded(.down)) * 1e9))
      count = pselect(ready.bound, &ready.bits, nil, nil, &timeout, &previous)
    } else {
      count = pselect(ready.bound, &ready.bits, nil, nil, nil, &previous)
    }
    // Whoever closed a descriptor that is still watched gets a turn to notice.
    if count < 0 { return errno == EINTR ? .signal : .turn(watched) }
    if ready.contains(input) { return .input }
    return .turn(watched.filter { ready.contains($0) })
  }
}

/// The descriptors that pselect watches, and then those that are ready.
private struct DescriptorSet {
  var bits = fd_set()
  /// One more than the highest descriptor.
  private(set) var bound: Int32 = 0

  /// Descriptors beyond what an fd_set can hold (1,023) are left out.
  init(_ descriptors: [Int32]) {
    for descriptor in descriptors where descriptor >= 0 && descriptor < 8 * MemoryLayout<fd_set>.size {
      withUnsafeMutableBytes(of: &bits) { $0[Int(descriptor / 8)] |= 1 << UInt8(descriptor % 8) }
      bound = max(bound, descriptor + 1)
    }
  }

  func contains(_ descriptor: Int32) -> Bool {
    guard descriptor >= 0, descriptor < 8 * MemoryLayout<fd_set>.size else { return false }
    return withUnsafeBytes(of: bits) { $0[Int(descriptor / 8)] & 1 << UInt8(descriptor % 8) != 0 }
  }
}
