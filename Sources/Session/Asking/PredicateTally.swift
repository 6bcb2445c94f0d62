package import Modeling
package import ObjectGraph
package import Queries
internal import Stores

/// For how many objects a predicate is true, false, or neither, as far as the time allowed to count.
package struct PredicateTally: Equatable {
  package private(set) var yes = 0
  package private(set) var no = 0
  package private(set) var neither = 0
  /// The number of objects for which there is more time, so that a small store is counted whole on a busy machine, too.
  private static let least = 200
  private static let extraSeconds = 2.0
  /// Whether all objects were counted.
  package private(set) var isWhole = false

  /// Counts for some seconds, or some objects, at most. The first objects of the store are counted where one of the two ends before.
  ///
  /// - Throws: PredicateError, StoreError.
  package init(
    _ predicate: Predicate, of entity: Entity, in context: ObjectContext, seconds: Double = .infinity, most: Int = .max
  ) throws {
    var request = FetchRequest(entity)
    request.predicate = predicate
    try request.validate(for: .fetch)
    let store = context.store
    let usual = store.isInterrupted
    let deadline = monotonicSeconds() + seconds
    var rows = 0
    store.isInterrupted = { usual() || monotonicSeconds() > deadline + (rows < Self.least ? Self.extraSeconds : 0) }
    defer { store.isInterrupted = usual }
    do {
      let cursor = try store.answers(request, to: [predicate])
      while try cursor.step() {
        if total == most { return }
        rows += 1
        switch cursor.answer(0) {
        case true?: yes += 1
        case false?: no += 1
        case nil: neither += 1
        }
        if total & 63 == 0, store.isInterrupted() { return }
      }
      isWhole = true
    } catch {
      if monotonicSeconds() <= deadline { throw error }
    }
  }

  /// The number of objects that were counted.
  package var total: Int { yes + no + neither }

  /// The count of those that match: `16 of 4,000`, `16 of the first 20,000`.
  package var short: String {
    "\(Quantity.grouped(yes)) of \(isWhole ? "" : "the first ")\(Quantity.grouped(total))"
  }

  /// The counts in words: `16 of 4,000 match, 3,981 do not, 3 are neither`.
  package var sentence: String {
    let rest = [
      no > 0 ? "\(Quantity.grouped(no)) do not" : nil, neither > 0 ? "\(Quantity.grouped(neither)) are neither" : nil,
    ]
    return (["\(short) match"] + rest.compactMap(\.self)).joined(separator: ", ")
  }
}
