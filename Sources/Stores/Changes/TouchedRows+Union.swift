import Modeling

extension TouchedRows {
  /// Adds the rows that later commits touched, in O(size of `later`).
  ///
  /// The author remains only if both have the same one.
  public mutating func formUnion(_ later: TouchedRows) {
    if isEmpty {
      self = later
      return
    }
    if later.isEmpty { return }
    for (name, table) in later.tables { tables[name, default: table.untouched].formUnion(table) }
    isComplete = isComplete && later.isComplete
    isForeign = isForeign || later.isForeign
    if author != later.author { author = nil }
  }
}

extension TouchedRows.Table {
  fileprivate var untouched: TouchedRows.Table {
    var table = TouchedRows.Table(name: name, entity: entity)
    table.updatedColumns = []
    table.present = present.map { $0.withoutRows }
    return table
  }

  fileprivate mutating func formUnion(_ later: TouchedRows.Table) {
    if updated.isEmpty {
      updatedColumns = later.updatedColumns
    } else if !later.updated.isEmpty {
      if let columns = later.updatedColumns { updatedColumns?.formUnion(columns) } else { updatedColumns = nil }
    }
    isUnknown = isUnknown || later.isUnknown
    present = later.present.flatMap { present?.followed(by: $0, deleted: later.deleted) }
    inserted += later.inserted
    updated += later.updated
    deleted += later.deleted
    if let former = later.formerReferences {
      for (column, values) in former { formerReferences?[column, default: []] += values }
    } else {
      formerReferences = nil
    }
    for (column, values) in later.presentReferences { presentReferences[column, default: []] += values }
    for (columns, values) in later.formerCombinations { formerCombinations[columns, default: []].formUnion(values) }
    for (columns, values) in later.presentCombinations { presentCombinations[columns, default: []].formUnion(values) }
  }
}
