/// A thing that can be read and changes; who tracks what is read is told of the change.
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
/// A source that nobody tracks costs a word. It keeps alive those who track it, never the other way round.
public final class ObservationSource {
  private var trackings: [ObjectIdentifier: Tracking] = [:]

  /// A source that nobody has read.
  public init() {}

  /// Whether what is read now is taken down by anybody.
  public static var isTracking: Bool { Tracking.current != nil }

  /// Whether anybody would be told of a change.
  public var isObserved: Bool { !trackings.isEmpty }

  /// Says that the thing is being read.
  public func access() { Tracking.current?.note(self) }

  /// Says that the thing has changed.
  public func didChange() {
    if trackings.isEmpty { return }
    for tracking in trackings.values.sorted(by: { $0.serial < $1.serial }) { tracking.sourceDidChange() }
  }

  /// Takes `tracking` in; false if it is known.
  func add(_ tracking: Tracking) -> Bool {
    trackings.updateValue(tracking, forKey: ObjectIdentifier(tracking)) == nil
  }

  func remove(_ tracking: Tracking) { trackings[ObjectIdentifier(tracking)] = nil }
}
