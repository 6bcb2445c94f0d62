import Modeling
import ObjectGraph
import Queries
import Reactive
import Testing

@testable import LiveQueries

/// What an observer believes results to be who knows nothing but the differences.
final class ResultsMirror {
  /// The results; those that a property shows by now may be others than before.
  var results: FetchedResults { shown() }
  private let shown: () -> FetchedResults
  private(set) var sections: [(id: Value, rows: [Int64])] = []
  private(set) var rows: [Int64] = []
  private(set) var changes: [ResultsChange] = []
  private var token: ObservationToken?
  private var isSectioned: Bool
  private var problem: String?
  /// The values of the shown rows at the last look, and the rows that were reported since.
  private var values: [Int64: [Value]] = [:]
  private var told: Set<Int64> = []
  private var wasReloaded = false

  convenience init(_ results: FetchedResults) { self.init({ results }, { results.onChange($0) }) }

  /// Of a property that has results.
  convenience init(_ property: LiveProperty) throws {
    let first = try #require(property.results)
    self.init({ property.results ?? first }, property.onChange)
  }

  private init(
    _ shown: @escaping () -> FetchedResults,
    _ observe: (@escaping (ResultsChange) -> Void) -> ObservationToken
  ) {
    self.shown = shown
    isSectioned = shown().request.sectionIdentifier != nil
    take()
    values = (try? shownValues()) ?? [:]
    token = observe { [unowned self] in follow($0) }
  }

  /// The request in short, for messages.
  var description: String {
    let request = results.request
    return "\(request.predicate.map { "\($0)" } ?? "all") sorted \(request.sortDescriptors.map { "\($0)" }) section "
      + "\(request.sectionIdentifier.map { "\($0)" } ?? "-") limit \(request.fetchLimit ?? 0) offset "
      + "\(request.fetchOffset)\(request.includesPendingChanges ? "" : " stored")"
  }

  func stop() { token?.cancel() }

  /// Forgets the changes seen so far, and returns them.
  func takeChanges() -> [ResultsChange] {
    defer { changes = [] }
    return changes
  }

  private func take() {
    rows = results.objectIDs(0..<results.count).map(\.key)
    sections = results.sections.map { ($0.id, Array(rows[$0.rows])) }
  }

  private func follow(_ change: ResultsChange) {
    changes.append(change)
    if change.isReload { wasReloaded = true }
    // The key of a row that is gone may be that of another by now.
    for entry in change.inserted + change.deleted + change.updated + change.moved {
      told.insert(entry.objectID?.key ?? 0)
    }
    if change.isEmpty { problem = "an empty change was told" }
    if change.kind == .configuration, isSectioned != (results.request.sectionIdentifier != nil) {
      // From here on places count otherwise.
      isSectioned.toggle()
      return take()
    }
    if isSectioned { followSections(change) } else { followRows(change) }
  }

  private func followRows(_ change: ResultsChange) {
    for index in (change.deleted + change.moved).compactMap(\.oldIndex).sorted(by: >) {
      guard rows.indices.contains(index) else { return problem = "there is no row \(index) to take away" }
      rows.remove(at: index)
    }
    for entry in (change.inserted + change.moved).sorted(by: { ($0.index ?? 0) < ($1.index ?? 0) }) {
      guard let index = entry.index, index <= rows.count else { return problem = "a row at \(entry.index ?? -1)" }
      rows.insert(entry.objectID?.key ?? 0, at: index)
    }
    for entry in change.updated {
      guard let index = entry.index, rows.indices.contains(index) else { return problem = "no row to update" }
      rows[index] = entry.objectID?.key ?? 0
    }
  }

  private func followSections(_ change: ResultsChange) {
    for entry in (change.deleted + change.moved).sorted(by: {
      ($0.oldSection ?? 0, $0.oldIndex ?? 0) > ($1.oldSection ?? 0, $1.oldIndex ?? 0)
    }) {
      guard let section = entry.oldSection, let index = entry.oldIndex, sections.indices.contains(section),
        sections[section].rows.indices.contains(index)
      else { return problem = "there is no row \(entry) to take away" }
      sections[section].rows.remove(at: index)
    }
    for entry in change.deletedSections.sorted(by: { $0.index > $1.index }) {
      guard sections.indices.contains(entry.index), sections[entry.index].rows.isEmpty,
        sections[entry.index].id == entry.id
      else { return problem = "section \(entry) is deleted but not empty" }
      sections.remove(at: entry.index)
    }
    for entry in change.insertedSections.sorted(by: { $0.index < $1.index }) {
      guard entry.index <= sections.count else { return problem = "a section at \(entry.index)" }
      sections.insert((entry.id, []), at: entry.index)
    }
    for entry in (change.inserted + change.moved).sorted(by: {
      ($0.section ?? 0, $0.index ?? 0) < ($1.section ?? 0, $1.index ?? 0)
    }) {
      guard let section = entry.section, let index = entry.index, sections.indices.contains(section),
        index <= sections[section].rows.count
      else { return problem = "there is no place for \(entry)" }
      sections[section].rows.insert(entry.objectID?.key ?? 0, at: index)
    }
    for entry in change.updated {
      guard let section = entry.section, let index = entry.index, sections.indices.contains(section),
        sections[section].rows.indices.contains(index)
      else { return problem = "no row to update" }
      sections[section].rows[index] = entry.objectID?.key ?? 0
    }
    rows = sections.flatMap(\.rows)
  }

  /// What is wrong: the results differ from a fetch, or the differences do not lead to them.
  func problems(in world: LiveWorld) throws -> [String] {
    var problems: [String] = []
    if let problem { problems.append(problem) }
    do { try results.state.checkInvariants() } catch { problems.append("invariant: \(error)") }
    let context = results.live.context
    let shown = results.objectIDs(0..<results.count).map(\.key)
    let fetched = try context.fetch(results.request.inSectionOrder).objectIDs.map(\.key)
    // A fetch looks at unsaved changes of related objects in part; after a save there is one answer.
    let isCertain = context.parent == nil ? !results.state.looksAlongRelationships || !context.hasChanges : !isTorn
    if isCertain ? shown != fetched : context.parent != nil && Set(shown) != Set(fetched) {
      problems.append("shows \(shown), a fetch gives \(fetched)")
    }
    // Keys of unsaved objects that were saved are others by now, without a report.
    let known = rows.enumerated().map { $1 <= ObjectID.temporaryLimit && $0 < shown.count ? shown[$0] : $1 }
    if known != shown { problems.append("differences lead to \(known), it shows \(shown)") }
    if isSectioned {
      let shownSections = results.sections.map { "\($0.id):\($0.count)" }
      let ids = isCertain ? try expectedSections(fetched) : shownSections
      if shownSections != ids { problems.append("sections \(shownSections), a fetch gives \(ids)") }
      let followed = sections.map { "\($0.id):\($0.rows.count)" }
      if followed != ids { problems.append("differences lead to sections \(followed), a fetch gives \(ids)") }
    }
    if problems.isEmpty { problems += try untoldChanges() }
    return problems
  }

  /// Whether unsaved changes of related objects, which a fetch sees in part, may tear sections of a child context apart.
  private var isTorn: Bool {
    var next: ObjectContext? = results.live.context
    while let context = next {
      if isSectioned, context.hasChanges { return true }
      next = context.parent
    }
    return false
  }

  private func expectedSections(_ keys: [Int64]) throws -> [String] {
    guard let expression = results.request.sectionIdentifier,
      let computed = results.request.computingDerivedValues.sectionIdentifier
    else { return [] }
    var runs: [(Value, Int)] = []
    let context = results.live.context
    // What has no unsaved changes stands where the store has it.
    let stored = ObjectContext(store: context.store)
    for key in keys {
      let id = ObjectID(entity: results.request.entity, key: key)
      let object = context.object(id)
      let isPending = results.request.includesPendingChanges && object.hasChanges || isUnsavedAbove(id)
      let section = try isPending ? computed.evaluate(object) : expression.evaluate(stored.object(id))
      if let last = runs.last, last.0 == section { runs[runs.count - 1].1 += 1 } else { runs.append((section, 1)) }
    }
    return runs.map { "\($0.0):\($0.1)" }
  }
}

// MARK: Values

extension ResultsMirror {
  /// Rows that hold other values than at the last look, without a report.
  private func untoldChanges() throws -> [String] {
    let now = try shownValues()
    let before = values
    defer { (values, told, wasReloaded) = (now, [], false) }
    if wasReloaded { return [] }
    return now.sorted { $0.key < $1.key }.compactMap { key, new in
      guard let old = before[key], old != new, !told.contains(key), !old.isEmpty, !new.isEmpty else { return nil }
      return "row \(key) holds \(new) instead of \(old), and nobody was told"
    }
  }

  /// The attributes of the shown rows that people write, as the context has them, or the store alone.
  private func shownValues() throws -> [Int64: [Value]] {
    let request = results.request
    let own = results.live.context
    let context = request.includesPendingChanges ? own : own.parent ?? ObjectContext(store: own.store)
    let places = request.entity.properties.indices.filter {
      request.entity.properties[$0].attribute?.derivation == nil && request.entity.properties[$0].attribute != nil
    }
    var values: [Int64: [Value]] = [:]
    for id in results.objectIDs(0..<results.count) where !isUnsavedAbove(id) {
      let object = context.object(id)
      do { values[id.key] = try places.map { try object.attribute(at: $0) } } catch let error as GraphError
        where error.isExpected
      {
        // A parent has it no more: it shows nothing, until its own changes are dropped.
        values[id.key] = []
      }
    }
    return values
  }

  /// Whether a parent has unsaved changes of an object: their base, and so what they show of the rest, may be an older row.
  private func isUnsavedAbove(_ id: ObjectID) -> Bool {
    var parent = results.live.context.parent
    while let above = parent {
      if above.object(id).hasChanges { return true }
      parent = above.parent
    }
    return false
  }
}
