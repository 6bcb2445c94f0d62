internal import Glibc
internal import Observation
internal import Synchronization

/// The reads of one run of an effect from classes with Swift's `@Observable`.
///
/// Swift reports the first change, on the thread that makes it and before it is made. The change is only noted here,
/// so that the effect runs on its own thread, with the new value.
final class ObservableReads {
  private final class Change: Sendable {
    let isMade = Atomic(false)
  }

  /// An object that lives as long as Swift observes anything.
  private final class Watch: Sendable {}

  private let change = Change()
  private weak var watch: Watch?

  /// Whether anything that was read has changed.
  var haveChanged: Bool { change.isMade.load(ordering: .acquiring) }

  /// Whether nothing was read, or all that was read is gone.
  var areGone: Bool { watch == nil }

  /// Runs `body` and notes the first change of what it reads. If that is made on this thread, `turn` takes part in the
  /// thread's transaction.
  func track(for turn: Turn, _ body: () -> Void) {
    nonisolated(unsafe) weak let turn = turn
    let thread = pthread_self()
    let watch = Watch()
    self.watch = watch
    Observation.withObservationTracking(body) { [change, watch] in
      // Joining reports earlier changes, and comes first: an effect that ran again now would read the old value.
      if pthread_equal(thread, pthread_self()) != 0 { turn?.joinTransaction() }
      withExtendedLifetime(watch) { change.isMade.store(true, ordering: .releasing) }
    }
  }
}
