/// A step of a plan with its place in it.
package struct PlanLine {
  package var step: PlanStep
  /// SQLite's own words.
  package var detail: String
  package var depth: Int
  /// The place of the step that it is part of.
  package var parent: Int?
}

extension [PlanLine] {
  /// Puts the rows of EXPLAIN QUERY PLAN, each with its number, that of its parent, and its text, in their places.
  package init(rows: [(id: Int64, parent: Int64, detail: String)]) {
    self = []
    var places: [Int64: Int] = [:]
    for row in rows {
      let parent = places[row.parent]
      let depth = parent.map { self[$0].depth + 1 } ?? 0
      append(PlanLine(step: PlanStep(row.detail), detail: row.detail, depth: depth, parent: parent))
      places[row.id] = count - 1
    }
  }

  /// What is read by the line at an index, if it reads anything.
  package func access(at index: Int) -> PlanAccess? {
    if case .access(let access) = self[index].step { access } else { nil }
  }

  /// The places of the steps that a step is made of.
  package func children(of index: Int?) -> [Int] { indices.filter { self[$0].parent == index } }

  /// Whether the line is done again for each row of another.
  package func isRepeated(_ index: Int) -> Bool {
    var next: Int? = index
    while let line = next {
      if case .subquery(isCorrelated: true, _) = self[line].step { return true }
      let isInner = indices.contains { $0 < line && self[$0].parent == self[line].parent && access(at: $0) != nil }
      if isInner, access(at: line) != nil { return true }
      next = self[line].parent
    }
    return false
  }
}
