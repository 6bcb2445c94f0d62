/// A record of the sources read while a closure ran, with the function to call when any of them changes.
///
/// The sources keep it alive; it refers to them weakly.
final class Tracking {
  private struct WeakSource {
    weak var source: ObservationSource?
  }

  private var sources: [WeakSource] = []
  private var onChange: (() -> Void)?
  /// Whether only the first change is reported.
  private let isOnce: Bool
  /// The enclosing tracking, which also records this one's reads; set only while this one runs.
  private var outer: Tracking?
  /// The effect that makes these reads.
  private weak var ownEffect: Effect?
  /// The position in the order of notification, which is the order of creation.
  let serial = TrackingThread.nextSerial()

  init(effect: Effect? = nil, isOnce: Bool = false, onChange: @escaping () -> Void) {
    ownEffect = effect
    self.isOnce = isOnce
    self.onChange = onChange
  }

  /// The tracking that is active on this thread.
  static var current: Tracking? { TrackingThread.current }

  /// The effect that runs.
  var effect: Effect? { ownEffect ?? outer?.effect }

  /// Records the reads of `body`; the tracking that it `isPartOf` records them too.
  func track<Result>(isPartOf outer: Tracking? = nil, _ body: () throws -> Result) rethrows -> Result {
    self.outer = outer
    defer { self.outer = nil }
    return try Self.with(self, body)
  }

  /// Runs `body` and records its reads in `tracking`; nil records none.
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

  /// Removes the tracking from all its sources.
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
/// `onChange` is called at the change, when the new value can be read already. Reads of an inner tracking count for
/// the outer one as well. If `apply` throws, nothing is tracked. A tracking that is never notified is released
/// together with its sources.
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

/// Calls `body` without tracking its reads.
public func withoutObservationTracking<Result>(_ body: () throws -> Result) rethrows -> Result {
  try Tracking.with(nil, body)
}
