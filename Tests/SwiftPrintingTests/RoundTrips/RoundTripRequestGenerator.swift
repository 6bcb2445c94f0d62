import Modeling
import Queries
import SwiftPrinting
import TestSupport

/// Random requests for the quakes of the proof.
struct RoundTripRequestGenerator {
  private var random: SplitMix
  private var predicates: ProofGenerator

  init(seed: UInt64) {
    random = SplitMix(seed: seed)
    predicates = ProofGenerator(seed: seed)
  }

  /// A request with the values of its variables; with what `form` has words for.
  mutating func next(for form: SwiftForm) throws -> (Queries.FetchRequest, [String: Value]) {
    let isSwiftData = [.query, .fetchDescriptor, .resultsObserver].contains(form)
    var request = Queries.FetchRequest(ProofModel.quake)
    var variables: [String: Value] = [:]
    if chance(80) {
      let sample = try predicates.next(depth: number(0..<3))
      (request.predicate, variables) = (sample.predicate, sample.variables)
    }
    for _ in 0..<number(0..<4) { add(sortDescriptor(isSwiftData), to: &request) }
    // What an observer says beside is a descriptor's.
    let takesMore = form != .resultsObserver
    if takesMore, chance(30) { request.fetchLimit = number(1..<100) }
    if takesMore, chance(15) { request.fetchOffset = number(1..<100) }
    if takesMore, chance(15) { request.includesPendingChanges = false }
    if takesMore, chance(20) {
      request.relationshipKeyPathsForPrefetching = [PropertyPath([chance(50) ? "reports" : "station"])]
    }
    if !isSwiftData { setCoreData(&request) }
    let takesSections = form == .sectionedFetchRequest || [.query, .resultsObserver].contains(form) && chance(30)
    if takesSections {
      let key = ["place", "code", "count", "station.name", "felt", "in"][number(0..<6)]
      let section = PropertyPath(dotted: key)
      // The key of the sections is the first of the order, or none of it.
      request.sortDescriptors.removeAll { $0.expression == .path(section) }
      request.sectionIdentifier = .path(section)
      if chance(30) { request.sortDescriptors.insert(SortDescriptor(.path(section), ascending: chance(50)), at: 0) }
    }
    if form != .fetchDescriptor, takesMore, chance(25) {
      request.animation = ["default", "easeIn", "spring(duration: 0.5, bounce: 0.2)", "snappy"][number(0..<4)]
    }
    return (request, variables)
  }

  private mutating func setCoreData(_ request: inout Queries.FetchRequest) {
    if chance(15) { request.fetchBatchSize = number(1..<100) }
    if chance(10) { request.includesSubentities = false }
    if chance(10) { request.includesPropertyValues = false }
    if chance(10) { request.returnsObjectsAsFaults = false }
  }

  private func add(_ descriptor: Queries.SortDescriptor, to request: inout Queries.FetchRequest) {
    if !request.sortDescriptors.contains(where: { $0.expression == descriptor.expression }) {
      request.sortDescriptors.append(descriptor)
    }
  }

  private mutating func sortDescriptor(_ isSwiftData: Bool) -> Queries.SortDescriptor {
    let keys = ["time", "magnitude", "code", "place", "in", "station.name", "station.height", "price", "uuid"]
    let key = keys[number(0..<keys.count)]
    var descriptor = SortDescriptor((chance(50) ? "-" : "") + key)
    if ["code", "place", "station.name"].contains(key) {
      let comparators = Queries.SortDescriptor.StringComparator.allCases.filter {
        !isSwiftData || $0 != .caseInsensitive
      }
      descriptor.comparator = comparators[number(0..<comparators.count)]
    }
    return descriptor
  }

  private mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  private mutating func chance(_ percent: Int) -> Bool { number(0..<100) < percent }
}
