import Modeling
import Queries
import TestSupport
import Testing
import Transfer

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

/// The same objects in a Core Data store and in one of our own: every question has the same answer.
///
/// The store of our own is copied from the other one, so that both hold what Core Data's columns can keep.
@Suite(.seeded) struct CoreDataAgreementTests {
  private let folder: TemporaryFolder
  private let app: SQLiteStore
  private let own: SQLiteStore

  init() throws {
    folder = try TemporaryFolder()
    let model = try AgreementWorld.model()
    let fixture = CoreDataFixture(model)
    app = try fixture.open(try fixture.make(in: folder))
    _ = try StoreCopy(from: AgreementWorld(seed: 3).twins.sample.store, to: app).run()
    var options = StoreOptions(path: ":memory:")
    (options.create, options.model) = (true, model)
    own = try SQLiteStore(options)
    let report = try StoreCopy(from: app, to: own).run()
    guard report.leftOut.isEmpty else { throw CommandFailure(output: "\(report.leftOut)") }
  }

  private func answer(_ store: SQLiteStore, _ change: (inout FetchRequest) -> Void) throws -> String {
    var request = FetchRequest(try store.model.entity(named: "Thing").unwrapped())
    change(&request)
    do { return "\(try store.keys(request))" } catch let error as Queries.PredicateError { return "\(error.issues)" }
  }

  @Test func randomPredicatesSelectTheSame() throws {
    var differences: [String] = []
    var selecting = 0
    for number in 0..<(Effort.isLong ? 20_000 : 600) {
      var predicates = RandomPredicates(number: number)
      let predicate = predicates.predicate(3)
      for asked in [predicate, .not(predicate)] {
        let (theirs, ours) = (try answer(app) { $0.predicate = asked }, try answer(own) { $0.predicate = asked })
        if theirs != ours { differences.append("case \(number): \(asked): \(theirs), of our own \(ours)") }
        if theirs.contains(",") { selecting += 1 }
      }
    }
    #expect(differences.isEmpty, "\(differences.count): \(differences.prefix(6).joined(separator: "\n"))")
    #expect(selecting > 100)
  }

  @Test(arguments: AgreementWorld.types)
  func everyTypeComparesAndSortsAsInAStoreOfOurOwn(type: AttributeType) throws {
    let path = Expression.path(PropertyPath([AgreementWorld.name(type)]))
    var differences: [String] = []
    for value in AgreementWorld.values(type) + [.null] {
      for comparator in [Comparator.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual] {
        let asked = Queries.Predicate.comparison(Comparison(path, comparator, .constant(value)))
        let (theirs, ours) = (try answer(app) { $0.predicate = asked }, try answer(own) { $0.predicate = asked })
        if theirs != ours { differences.append("\(asked): \(theirs), of our own \(ours)") }
      }
    }
    for isAscending in [true, false] {
      func sorted(_ store: SQLiteStore) throws -> String {
        try answer(store) { $0.sortDescriptors = [SortDescriptor(path, ascending: isAscending)] }
      }
      let (theirs, ours) = (try sorted(app), try sorted(own))
      if theirs != ours { differences.append("sorted by \(path): \(theirs), of our own \(ours)") }
    }
    #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
  }
}
