/// A source of changes: code that tracks its reads is notified of its changes.
///
///     final class Thermometer {
///       private let source = ObservationSource()
///       private var degrees = 20.0
///       var reading: Double {
///         get { source.access(); return degrees }
///         set { degrees = newValue; source.didChange() }
///       }
///     }
///
/// A source without trackings takes one word. It keeps its trackings alive; they refer to it weakly.
public final class ObservationSource {
  private var trackings: [ObjectIdentifier: Tracking] = [:]

  /// Creates a source without trackings.
  public init() {}

  /// Whether reads on this thread are tracked now.
  public static var isTracking: Bool { Tracking.current != nil }

  /// A unique number of the tracked run; nil if no run is tracked.
  public static var currentRun: Int? { Tracking.current?.serial }

  /// Whether any tracking would be notified of a change.
  public var isObserved: Bool { !trackings.isEmpty }

  /// Records a read with the current tracking. Call it in the getter.
  public func access() { Tracking.current?.note(self) }

  /// Notifies the trackings of a change. Call it after the change.
  public func didChange() {
    if trackings.isEmpty { return }
    for tracking in trackings.values.sorted(by: { $0.serial < $1.serial }) { tracking.sourceDidChange() }
  }

  /// Adds `tracking`; returns false if it is known already.
  func add(_ tracking: Tracking) -> Bool {
    trackings.updateValue(tracking, forKey: ObjectIdentifier(tracking)) == nil
  }

  func remove(_ tracking: Tracking) { trackings[ObjectIdentifier(tracking)] = nil }
}
