import Modeling
import ObjectGraph
import Queries
import Reactive
import Testing

@testable import LiveQueries

/// What an observer believes counts or dictionaries to be who knows nothing but the differences.
final class ValuesMirror {
  let values: FetchedValues
  private var rows: [[Value]]
  private var problem: String?
  private var token: ObservationToken?

  init(_ values: FetchedValues) {
    self.values = values
    rows = Array(values)
    token = values.onChange { [unowned self] in follow($0) }
  }

  func stop() { token?.cancel() }

  /// The request in short, for messages.
  var description: String {
    let request = values.request
    return "\(request.resultType) of \(request.entity.name) \(request.predicate.map { "\($0)" } ?? "all") sorted "
      + "\(request.sortDescriptors.map { "\($0)" }) columns \(request.dictionaryColumns) groups "
      + "\(request.propertiesToGroupBy.map(\.description)) limit \(request.fetchLimit ?? 0) offset \(request.fetchOffset)"
  }

  private func follow(_ change: ResultsChange) {
    if change.isEmpty { problem = "an empty change was told" }
    // A count has one row, which is read anew; after a reload it is not known which rows have other values.
    if values.value != nil || change.isReload {
      rows = Array(values)
      return
    }
    for index in (change.deleted + change.moved).compactMap(\.oldIndex).sorted(by: >) {
      guard rows.indices.contains(index) else { return problem = "there is no row \(index) to take away" }
      rows.remove(at: index)
    }
    for entry in (change.inserted + change.moved).sorted(by: { ($0.index ?? 0) < ($1.index ?? 0) }) {
      guard let index = entry.index, index <= rows.count else { return problem = "a row at \(entry.index ?? -1)" }
      rows.insert(entry.values, at: index)
    }
    for entry in change.updated {
      guard let index = entry.index, rows.indices.contains(index) else { return problem = "no row to update" }
      rows[index] = entry.values
    }
  }

  /// What is wrong with the differences: they do not lead to what is shown.
  func problemsOfDifferences() -> [String] {
    if let problem { return [problem] }
    return rows == Array(values) ? [] : ["differences lead to \(rows), it shows \(Array(values))"]
  }

  /// What is wrong: the values differ from a fetch, or the differences do not lead to them.
  func problems() throws -> [String] {
    if let problem { return [problem] }
    var problems: [String] = []
    let shown = try values.indices.map { try values.row(at: $0) }
    let fetched = try fetched()
    let isOrdered = !values.request.sortDescriptors.isEmpty
    let isSame = isOrdered ? shown == fetched : shown.map { "\($0)" }.sorted() == fetched.map { "\($0)" }.sorted()
    if !isSame { problems.append("shows \(shown), a fetch gives \(fetched)") }
    if rows != shown { problems.append("differences lead to \(rows), it shows \(shown)") }
    return problems
  }

  private func fetched() throws -> [[Value]] {
    let context = values.live.context
    let request = values.request.inlined
    if request.resultType == .count { return [[.int(Int64(try context.count(request)))]] }
    let isGrouped = request.isAggregated || request.havingPredicate != nil || request.returnsDistinctResults
    if isGrouped {
      // A fetch of groups from the store knows nothing of unsaved changes.
      return try context.hasChanges ? PlainGroups(request, context).rows() : context.store.allRows(of: request)
    }
    // Row by row: of those that the order does not tell apart, the one with the lower key comes first.
    var objects = request
    (objects.resultType, objects.propertiesToFetch) = (.objects, [])
    return try context.store.keys(objects).flatMap { key in
      var one = request
      (one.fetchLimit, one.fetchOffset) = (nil, 0)
      let object = Queries.Expression.constant(.object(ObjectID(entity: request.entity, key: key)))
      one.predicate = .comparison(Comparison(.object, .in, .aggregate([object])))
      return try context.store.allRows(of: one)
    }
  }
}
