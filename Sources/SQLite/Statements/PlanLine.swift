/// A step of a query plan, with its position in the tree.
package struct PlanLine {
  package var step: PlanStep
  /// The text of SQLite.
  package var detail: String
  package var depth: Int
  /// The index of the parent step.
  package var parent: Int?
}

extension [PlanLine] {
  /// Makes a tree from the rows of EXPLAIN QUERY PLAN: the ID of each step, the ID of its parent, and its text.
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

  /// The access of the step at an index, if it reads rows.
  package func access(at index: Int) -> PlanAccess? {
    if case .access(let access) = self[index].step { access } else { nil }
  }

  /// The indices of the child steps.
  package func children(of index: Int?) -> [Int] { indices.filter { self[$0].parent == index } }

  /// Whether rows are put in order, or kept, to tell groups or distinct rows apart.
  package var sortsForGroups: Bool { contains { $0.step == .tree(.groups) || $0.step == .tree(.distinct) } }

  /// Whether the step is repeated for each row of another step.
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
