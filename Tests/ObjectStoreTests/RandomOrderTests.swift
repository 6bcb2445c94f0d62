import Modeling
import ObjectGraph
import Queries
import Stores
import TestSupport
import Testing

/// Objects of a list that are read in no order.
@Suite(.seeded) struct RandomOrderTests {
  @Test(arguments: [Conformance.sqlite, .postgres].filter(Conformance.allCases.contains))
  func aListThatIsReadInNoOrderTakesFewRoundTrips(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    let count = 4000
    try shop.store.transaction {
      for number in 0..<count { try shop.insert("Tag", ["label": .string("tag \(number)")]) }
    }
    let context = ObjectContext(store: shop.store)
    let tags = try context.fetch(try shop.request("Tag", order: ["label"]))
    let label = shop.index("Tag", "label")
    let expected = (0..<count).map { "tag \($0)" }.sorted()
    var random = SplitMix(seed: 91)
    let places = Array(0..<count).shuffled(using: &random)
    // What is read at first says nothing of the rest.
    for place in places.prefix(count / 80) {
      #expect(try tags[place].attribute(at: label) == .string(expected[place]))
    }
    #expect(context.statistics.rowsFaulted < count / 10)
    for place in places.dropFirst(count / 80) {
      #expect(try tags[place].attribute(at: label) == .string(expected[place]))
    }
    #expect(context.statistics.rowsFaulted == count)
    if conformance == .postgres { #expect(context.statistics.faultBatches < count / 20) }
  }
}
