internal import Glibc

/// Waits for input on descriptors, for a time, or for a signal, whichever comes first.
public enum DescriptorWait {
  /// The maximum wait, so that every time fits the system's clock.
  private static let mostSeconds = 1e8

  /// Waits, without a limit if `seconds` is nil; returns the descriptors that have input, or none after the time.
  ///
  /// Signals are delivered only during the wait, so that none is missed between the call of `isInterrupted` and the
  /// wait. Returns nil if a signal came, or if `isInterrupted` is true.
  public static func wait(
    for descriptors: [Int32], seconds: Double?, isInterrupted: () -> Bool = { false }
  ) -> [Int32]? {
    OutsideWorld.current.wait(descriptors, seconds, isInterrupted)
  }

  static func waitForSystem(_ descriptors: [Int32], seconds: Double?, isInterrupted: () -> Bool) -> [Int32]? {
    var all = sigset_t()
    var previous = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, &previous)
    defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
    if isInterrupted() { return nil }
    // pselect rather than poll, because it unblocks signals and waits in one step.
    var ready = DescriptorSet(descriptors)
    var count: Int32 = 0
    if let seconds {
      let limited = min(max(seconds, 0), mostSeconds)
      var timeout = timespec(tv_sec: Int(limited), tv_nsec: Int((limited - limited.rounded(.down)) * 1e9))
      count = pselect(ready.bound, &ready.bits, nil, nil, &timeout, &previous)
    } else {
      count = pselect(ready.bound, &ready.bits, nil, nil, nil, &previous)
    }
    // The source of a closed descriptor gets its turn, to notice that.
    if count < 0 { return errno == EINTR ? nil : descriptors.filter { $0 >= 0 } }
    return descriptors.filter { ready.contains($0) }
  }
}

/// The descriptors that pselect watches, and then those that are ready.
private struct DescriptorSet {
  var bits = fd_set()
  /// One more than the highest descriptor.
  private(set) var bound: Int32 = 0

  /// Descriptors beyond the capacity of an fd_set (1,023) are left out.
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
