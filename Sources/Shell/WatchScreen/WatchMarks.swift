internal import LiveQueries
internal import Modeling

/// The effects of the last seconds' changes on visible rows.
struct WatchMarks {
  /// How long a mark is shown, in seconds.
  static let duration = 3.0
  /// No more changes than so many are remembered.
  private static let mostBatches = 64

  /// By change, the oldest first.
  private var batches: [(end: Double, marks: [ObjectID: WatchMark])] = []

  /// Marks the rows of a change that comes now.
  mutating func add(_ change: ResultsChange, at now: Double) {
    let marks = change.transaction.disablesAnimations ? [:] : WatchMark.marks(of: change)
    if marks.isEmpty { return }
    if batches.count == Self.mostBatches { batches.removeFirst() }
    batches.append((now + Self.duration, marks))
  }

  /// The mark of a row; that of the last change to it.
  subscript(id: ObjectID) -> WatchMark? { batches.last { $0.marks[id] != nil }?.marks[id] }

  /// When the next mark ends; nil if there is none.
  var nextEnd: Double? { batches.first?.end }

  /// Takes away what has been shown long enough.
  mutating func expire(at now: Double) { batches.removeAll { $0.end <= now } }
}
