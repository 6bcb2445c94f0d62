internal import LiveQueries
internal import Modeling
internal import Presentation

/// The effects of the last seconds' changes on visible rows.
struct RowMarks {
  /// How long a mark is shown, in seconds.
  static let duration = 3.0
  /// No more changes than so many are remembered.
  private static let mostBatches = 64

  /// By change, the oldest first.
  private var batches: [(end: Double, marks: [ObjectID: RowMark])] = []
  /// By object and column, the text before the last change, and when its mark ends.
  private var cells: [ObjectID: [Int: (old: String, end: Double)]] = [:]

  /// Marks the rows of a change that comes now.
  mutating func add(_ change: ResultsChange, at now: Double) {
    let marks = change.transaction.disablesAnimations ? [:] : RowMark.marks(of: change)
    if marks.isEmpty { return }
    if batches.count == Self.mostBatches { batches.removeFirst() }
    batches.append((now + Self.duration, marks))
  }

  /// The mark of a row; that of the last change to it.
  subscript(id: ObjectID) -> RowMark? { batches.last { $0.marks[id] != nil }?.marks[id] }

  /// Marks the cells of a row by which `new` differs from `old`, for as long as the row itself is marked.
  ///
  /// A row that came has no cells that changed.
  mutating func compare(_ old: [CellText], with new: [CellText], of id: ObjectID) {
    guard old != new, let batch = batches.last(where: { $0.marks[id] != nil }), batch.marks[id] != .inserted else {
      return
    }
    for (column, (old, new)) in zip(old, new).enumerated() where old.text != new.text {
      cells[id, default: [:]][column] = (old.text, batch.end)
    }
  }

  /// The texts that the cells of a row had before, by column; of those that changed.
  func formerTexts(of id: ObjectID) -> [Int: String] { cells[id]?.mapValues(\.old) ?? [:] }

  /// The time when the next mark ends; nil if there is none.
  var nextEnd: Double? { batches.first?.end }

  /// Takes away what has been shown long enough; false if there is nothing of the kind.
  mutating func expire(at now: Double) -> Bool {
    guard let first = batches.first, first.end <= now else { return false }
    batches.removeAll { $0.end <= now }
    cells = cells.compactMapValues { marks in
      let left = marks.filter { $0.value.end > now }
      return left.isEmpty ? nil : left
    }
    return true
  }
}
