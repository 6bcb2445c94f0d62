internal import Modeling
internal import ObjectGraph
internal import Queries
internal import Stores

// The results of a child context depend on its parents' unsaved changes, and the store cannot call a function for
// sections: in both cases everything is fetched again and compared.
extension ResultsState {
  func refetch(_ round: RoundChanges, reload: Bool, from before: Arrangement.ShownRows?) throws -> ResultsChange? {
    let shown = before ?? snapshot()
    let settled = round.settled.filter { $0.root === request.entity.root }
    let table = round.touched.tables.values.first { $0.entity === request.entity.root }
    var updated = table?.changedKeys ?? []
    var rekeyed: [Int64: Int64] = [:]
    for settled in settled where settled.newKey != settled.oldKey { rekeyed[settled.oldKey] = settled.newKey }
    let own = overlay.advance(pendingObjects(), settled, table)
    let steps = own.handedOver(to: parentSteps(settled, table), settled, depth: context.depth)
    if let functionSections {
      let isNews = reload || before != nil || !steps.isEmpty || functionSections.isTouched(by: round.touched)
      if !isNews { return nil }
      if reload { functionSections.forgetEverything() }
      functionSections.forget(round.touched, steps.flatMap { [$0.oldKey, $0.newKey ?? $0.oldKey] })
    }
    for step in steps {
      guard let newKey = step.newKey else { continue }
      if step.hasChanged { updated.insert(newKey) } else if step.wasSaved { updated.remove(newKey) }
    }
    try fetch()
    if context.parent != nil {
      reloads += 1
      lastReload = .childContext
    }
    let change = compare(with: shown, before == nil ? round.kind : .configuration, updated, rekeyed)
    let isReload = reload || !round.touched.isComplete || table?.isUnknown == true
    return isReload ? .reloaded(change, round) : change
  }

  /// Returns the section of each fetched object; nil without sections.
  ///
  /// As in a fetch, an object without unsaved changes has its stored section, also if related objects have unsaved changes.
  /// Derived values of unsaved changes are not known yet.
  func sections(of result: FetchResult) throws -> [SectionIdentity]? {
    if let functionSections { return try functionSections.sections(of: result) }
    func compiled(_ request: FetchRequest) throws -> CompiledExpression? {
      try request.sectionIdentifier.map { try CompiledExpression($0, entity: request.entity) }
    }
    guard let section = try compiled(request), let computed = try compiled(request.computingDerivedValues) else {
      return nil
    }
    let unsaved = unsavedKeys()
    let keys = result.objectIDs.map(\.key)
    let stored = FetchResult(
      context: ObjectContext(store: context.store), entity: request.entity, keys: keys.filter { !unsaved.contains($0) })
    var read = 0
    return try keys.indices.map { place in
      if unsaved.contains(keys[place]) { return .of(try computed.value(of: try result[place])) }
      defer { read += 1 }
      return .of(try section.value(of: try stored[read]))
    }
  }

  /// The keys of objects with unsaved changes, here or in the parent contexts.
  func unsavedKeys() -> Set<Int64> {
    var keys: Set<Int64> = []
    var next: ObjectContext? = context
    while let current = next {
      for object in current.pendingObjects(of: request.entity) { keys.insert(object.key) }
      next = current.parent
    }
    return keys
  }

  /// The changes of the unsaved states in the parent contexts.
  func parentSteps(_ settled: [SavedObject], _ table: TouchedRows.Table?) -> [PendingOverlay.Step] {
    var steps: [PendingOverlay.Step] = []
    var (level, parent) = (1, context.parent)
    while let above = parent {
      if parents.count < level { parents.append(PendingOverlay()) }
      steps += parents[level - 1].advance(
        above.pendingObjects(of: request.entity), settled, table, level: level)
      (level, parent) = (level + 1, above.parent)
    }
    return steps
  }
}

extension [PendingOverlay.Step] {
  /// Merges the steps of a child and of its parents. A change that the child saved to its parent is not reported again
  /// while the parent holds it unchanged, or once it is in the store.
  fileprivate func handedOver(to parents: Self, _ settled: [SavedObject], depth: Int) -> Self {
    let saved = Set(settled.lazy.filter { $0.level == depth }.flatMap { [$0.oldKey, $0.newKey ?? $0.oldKey] })
    var reported: [Int64: Int] = [:]
    for step in self where step.wasSaved && !step.hasChanged {
      if let key = step.newKey { reported[key] = step.reported?.fingerprint }
    }
    let above = parents.filter { step in
      guard let key = step.newKey, let fingerprint = reported[key] else { return true }
      guard step.pending?.fingerprint == fingerprint else { return true }
      reported[key] = nil
      return false
    }
    // Changes that the parent no longer has, or has reverted, were rolled back there.
    return map { step in
      guard let key = step.newKey, reported[key] != nil, !saved.contains(key) else { return step }
      var step = step
      step.hasChanged = true
      return step
    } + above
  }
}
