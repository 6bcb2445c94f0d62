internal import Modeling
internal import ObjectGraph
internal import Session
internal import Stores

/// Whether something was written since the rows of a screen were read, and when they are to be read again.
///
/// Reading takes a tenth of the time at most: rows that took long to read rest for nine times as long.
struct RowsFreshness {
  /// What the rows are compared by.
  private struct Moment: Equatable {
    var stamp: StoreStamp
    var changeCount: Int

    init(_ context: ObjectContext) {
      stamp = context.store.stamp
      changeCount = context.changeCount
    }
  }

  /// The moment that the rows show.
  private var shown: Moment
  /// The moment at which reading began.
  private var begun: (moment: Moment, time: Double)
  private var isOutdated = false
  private var restsUntil = 0.0

  /// The least time between two readings.
  private static let interval = 0.1
  /// How many times as long as reading the rest is.
  private static let restPerReading = 9.0

  /// The rows are read next.
  init(_ context: ObjectContext) {
    shown = Moment(context)
    begun = (shown, 0)
  }

  /// Notes a write.
  mutating func check(_ context: ObjectContext) { isOutdated = isOutdated || Moment(context) != shown }

  /// When rows are to be read again; nil for not at all.
  var dueTime: Double? { isOutdated ? restsUntil : nil }

  func isDue(at now: Double) -> Bool { isOutdated && now >= restsUntil }

  /// The rows are read from here on.
  mutating func begin(_ context: ObjectContext) { begun = (Moment(context), monotonicSeconds()) }

  /// The rows have been read.
  mutating func end() {
    let now = monotonicSeconds()
    (shown, isOutdated) = (begun.moment, false)
    restsUntil = now + max(Self.interval, (now - begun.time) * Self.restPerReading)
  }

  /// The rows were not read, because something was in the way.
  mutating func postpone() { restsUntil = monotonicSeconds() + Self.interval }
}
