/// What was read while something ran, and whom to tell when any of it changes.
///
/// The sources keep it; it finds them by weak references.
final class Tracking {
  private struct WeakSource {
    weak var source: ObservationSource?
  }

  private var sources: [WeakSource] = []
  private var onChange: (() -> Void)?
  /// Whether the first change is the last that is told.
  private let isOnce: Bool
  /// The tracking that this one runs in, and whose reads are also its own; only while it runs.
  private var outer: Tracking?
  /// The effect whose reads these are.
  private weak var ownEffect: Effect?
  /// Trackings are told in the order in which they were made.
  let serial = TrackingThread.nextSerial()

  init(effect: Effect? = nil, isOnce: Bool = false, onChange: @escaping () -> Void) {
    ownEffect = effect
    self.isOnce = isOnce
    self.onChange = onChange
  }

  /// What tracks on this thread now.
  static var current: Tracking? { TrackingThread.current }

  /// The effect that runs.
  var effect: Effect? { ownEffect ?? outer?.effect }

  /// Takes down what `body` reads; what tracks outside is told of it too if it `isPartOf` that.
  func track<Result>(isPartOf outer: Tracking? = nil, _ body: () throws -> Result) rethrows -> Result {
    self.outer = outer
    defer { self.outer = nil }
    return try Self.with(self, body)
  }

  /// Runs `body` with its reads taken down by `tracking`, or by nobody.
  static func with<Result>(_ tracking: Tracking?, _ body: () throws -> Result) rethrows -> Result {
    let previous = TrackingThread.current
    TrackingThread.current = tracking
    defer { TrackingThread.current = previous }
    return try withExtendedLifetime(tracking, body)
  }

  func note(_ source: ObservationSource) {
    if onChange != nil, source.add(self) { sources.append(WeakSource(source: source)) }
    outer?.note(source)
  }

  func sourceDidChange() {
    guard let onChange else { return }
    if isOnce { forget() }
    withoutObservationTracking(onChange)
  }

  /// Ends the interest in everything that was read.
  func forget() {
    onChange = nil
    let known = sources
    sources = []
    for entry in known { entry.source?.remove(self) }
  }
}

/// Calls `apply`, and `onChange` once: at the first change of anything that `apply` has read.
///
///     withObservationTracking { print(person.name) } onChange: { print("changed") }
///
/// `onChange` is called at the change, when the new value can be read already. What an inner tracking reads counts for
/// the outer one as well. If `apply` throws, nothing is tracked. Those that were never told are let go with what they
/// read.
public func withObservationTracking<Result>(
  _ apply: () throws -> Result, onChange: @escaping () -> Void
) rethrows -> Result {
  let tracking = Tracking(isOnce: true, onChange: onChange)
  do {
    return try tracking.track(isPartOf: Tracking.current, apply)
  } catch {
    tracking.forget()
    throw error
  }
}

/// Calls `body` with nobody taking down what it reads.
public func withoutObservationTracking<Result>(_ body: () throws -> Result) rethrows -> Result {
  try Tracking.with(nil, body)
}
