internal import LiveQueries
internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Reactive

// The tables of a change, and its rows for display.
extension BoundChange {
  /// Pushes a list with a table for each row; indices are one-based. With `telling` the tables contain the objects'
  /// former values.
  func pushEntries(_ entries: [ResultsChange.Entry], telling: Bool, on stack: LuaStack) throws {
    let deleted = objects(of: entries.filter { $0.index == nil })
    stack.reserve(8)
    let former = telling && !entries.isEmpty ? change.former : nil
    if let former { context.pushChangesMetatable(former, on: stack) }
    let metatable = stack.count
    stack.pushTable(array: Int32(clamping: entries.count))
    for (number, entry) in entries.enumerated() {
      stack.pushTable(hash: 6)
      func set(_ name: String, _ place: Int?) {
        guard let place else { return }
        stack.push(place + 1)
        stack.rawSet(field: name, at: -2)
      }
      set("index", entry.index)
      set("oldIndex", entry.oldIndex)
      set("section", entry.section)
      set("oldSection", entry.oldSection)
      try setRow(of: entry, deleted, on: stack)
      if former != nil {
        stack.pushCopy(of: metatable)
        stack.setMetatable(of: -2)
      }
      stack.rawSet(element: Int64(number + 1), at: -2)
    }
    if former != nil { stack.remove(at: metatable) }
  }

  /// Sets the object and its ID, or the values by column, in the table on the top.
  private func setRow(of entry: ResultsChange.Entry, _ deleted: [ObjectID: ManagedObject], on stack: LuaStack) throws {
    if let columns, !entry.values.isEmpty {
      try context.push(row: entry.values, columns, on: stack)
      stack.rawSet(field: "values", at: -2)
      if !entry.oldValues.isEmpty {
        try context.push(changesOf: entry, columns, on: stack)
        stack.rawSet(field: "changes", at: -2)
      }
    }
    guard let id = entry.objectID else { return }
    context.engine.values.push(id: id, on: stack)
    stack.rawSet(field: "objectID", at: -2)
    guard columns == nil else { return }
    let object = entry.index == nil ? deleted[id] : context.objectContext.object(id)
    guard !context.isClosed, let object else { return }
    try context.push(object, on: stack)
    stack.rawSet(field: "object", at: -2)
  }

  /// The objects of deleted rows by their IDs.
  private func objects(of entries: [ResultsChange.Entry]) -> [ObjectID: ManagedObject] {
    guard columns == nil, !context.isClosed else { return [:] }
    let ids = entries.compactMap(\.objectID)
    return Dictionary(zip(ids, context.objectContext.deletedObjects(ids))) { first, _ in first }
  }

  func pushSections(_ sections: [ResultsChange.SectionEntry], on stack: LuaStack) throws {
    stack.reserve(8)
    stack.pushTable(array: Int32(clamping: sections.count))
    for (number, section) in sections.enumerated() {
      stack.pushTable(hash: 2)
      stack.push(section.index + 1)
      stack.rawSet(field: "index", at: -2)
      try context.push(section.id, on: stack)
      stack.rawSet(field: "id", at: -2)
      stack.rawSet(element: Int64(number + 1), at: -2)
    }
  }

  // MARK: For people

  /// The rows for display: deleted ones first, then the others by their new index.
  var listing: Listing {
    let hasSections = (change.inserted + change.deleted + change.updated + change.moved).contains {
      $0.section != nil || $0.oldSection != nil
    }
    var rows = change.deleted.map { ("-", $0) }
    let present =
      change.inserted.map { ("+", $0) } + change.moved.map { ("→", $0) } + change.updated.map { ("~", $0) }
    rows += present.sorted { ($0.1.section ?? 0, $0.1.index ?? 0) < ($1.1.section ?? 0, $1.1.index ?? 0) }
    var headings: [Listing.Column] = [("change", false), ("index", true), ("oldIndex", true)]
    if hasSections { headings += [("section", true), ("oldSection", true)] }
    headings += columns.map { $0.map { ($0, false) } } ?? [("object", false)]
    let deleted = objects(of: change.deleted)
    return Listing(columns: headings, count: rows.count, rowName: rows.count == 1 ? "change" : "changes") {
      [self] index in
      let (sign, entry) = rows[index]
      let places = [entry.index, entry.oldIndex] + (hasSections ? [entry.section, entry.oldSection] : [])
      return [.string(sign)] + places.map { place in place.map { .int(Int64($0 + 1)) } ?? .null }
        + cells(entry, deleted)
    }
  }

  private func cells(_ entry: ResultsChange.Entry, _ deleted: [ObjectID: ManagedObject]) -> [Value] {
    if let columns { return entry.values.isEmpty ? columns.map { _ in .null } : entry.values }
    guard let id = entry.objectID else { return [.null] }
    guard entry.index != nil, !context.isClosed else { return [.string(id.description)] }
    return [.string(ObjectText.line(of: context.objectContext.object(id)))]
  }
}

extension LuaStack {
  /// Pushes the author and the animation of a change.
  func pushTransaction(author: String?, _ transaction: Transaction) {
    reserve(4)
    pushTable(hash: 2)
    if let author {
      push(author)
      rawSet(field: "author", at: -2)
    }
    if let animation = transaction.animation {
      push(animation.description)
      rawSet(field: "animation", at: -2)
    }
  }
}
