internal import LiveQueries
internal import Modeling
internal import Presentation
internal import Session

/// The effects of the last seconds' changes on visible rows.
struct RowMarks {
  /// How long a mark is shown, in seconds.
  private static let duration = 3.0
  /// No more changes than so many are remembered.
  private static let mostBatches = 64

  /// By change, the oldest first.
  private var batches: [(end: Double, marks: [LiveRows.ID: RowMark])] = []
  /// By row and column, the text before the last change, and when its mark ends.
  private var cells: [LiveRows.ID: [Int: (old: String, end: Double)]] = [:]

  /// Marks the rows of a change that comes now.
  mutating func add(_ marks: [(id: LiveRows.ID, mark: RowMark, formerTexts: [Int: String])], at now: Double) {
    if marks.isEmpty { return }
    if batches.count == Self.mostBatches { batches.removeFirst() }
    let end = now + Self.duration
    batches.append((end, Dictionary(marks.map { ($0.id, $0.mark) }) { $1 }))
    for (id, _, texts) in marks { note(texts, of: id, until: end) }
  }

  /// The mark of a row; that of the last change to it.
  subscript(id: LiveRows.ID) -> RowMark? { batches.last { $0.marks[id] != nil }?.marks[id] }

  /// Marks the cells of a row by which `new` differs from `old`, for as long as the row itself is marked.
  ///
  /// A row that came has no cells that changed.
  mutating func compare(_ old: [CellText], with new: [CellText], of id: LiveRows.ID) {
    guard old != new, let batch = batches.last(where: { $0.marks[id] != nil }), batch.marks[id] != .inserted else {
      return
    }
    let texts = zip(old, new).enumerated().filter { $0.element.0.text != $0.element.1.text }
    note(Dictionary(uniqueKeysWithValues: texts.map { ($0.offset, $0.element.0.text) }), of: id, until: batch.end)
  }

  private mutating func note(_ texts: [Int: String], of id: LiveRows.ID, until end: Double) {
    for (column, old) in texts { cells[id, default: [:]][column] = (old, end) }
  }

  /// The texts that the cells of a row had before, by column; of those that changed.
  func formerTexts(of id: LiveRows.ID) -> [Int: String] { cells[id]?.mapValues(\.old) ?? [:] }

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
