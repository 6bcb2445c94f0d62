internal import Modeling

/// Waits for a key, a signal, a descriptor or a timer, whichever comes first.
package struct EventLoop {
  package enum Event: Equatable {
    /// The terminal, or another file that is `input`, can be read, or an earlier reader left bytes of it.
    case input
    /// A signal came; its flag says which.
    case signal
    /// Descriptors have input, or a timer is due if there are none.
    case turn([Int32])
  }

  package let sources: EventSources

  package init(sources: EventSources) {
    self.sources = sources
  }

  /// Waits for the next event; `input` is -1 when only the sources matter. While turns are not accepted, descriptors and
  /// timers wait too.
  ///
  /// A key comes before timers and sources that are due at the same time, so that timers that are always due never
  /// delay typing. A signal comes before keys: those that are there were typed after Ctrl-C, as the terminal drops the others.
  package func next(input: Int32, acceptsTurns: Bool) -> Event {
    let isInterrupted = { TerminalSignals.isPending || sources.isInterrupted() }
    if input >= 0, !UnreadInput.isEmpty { return isInterrupted() ? .signal : .input }
    let watched = acceptsTurns ? sources.descriptors() : []
    let ready = DescriptorWait.wait(
      for: [input] + watched, seconds: acceptsTurns ? sources.secondsToNextTimer() : nil,
      isInterrupted: isInterrupted)
    guard let ready, !isInterrupted() else { return .signal }
    return input >= 0 && ready.contains(input) ? .input : .turn(ready)
  }
}
