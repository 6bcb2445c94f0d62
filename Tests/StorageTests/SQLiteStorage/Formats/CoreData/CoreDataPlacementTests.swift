import Modeling
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

@Suite struct CoreDataPlacementTests {
  @Test(arguments: [
    (AttributeType.integer64, ["INTEGER"]), (.boolean, ["INTEGER"]), (.double, ["FLOAT"]), (.float, ["FLOAT"]),
    (.decimal, ["DECIMAL"]), (.date, ["TIMESTAMP"]), (.string, ["VARCHAR"]), (.url, ["VARCHAR"]), (.uuid, ["BLOB"]),
    (.data, ["BLOB"]), (.transformable, ["BLOB"]), (.composite, []),
    (.any, ["INTEGER", "FLOAT", "DECIMAL", "TIMESTAMP", "VARCHAR", "BLOB"]),
  ])
  func aTypeHasTheColumnsThatCoreDataDeclaresForIt(_ type: AttributeType, _ declared: [String]) {
    let all = ["INTEGER", "FLOAT", "DECIMAL", "TIMESTAMP", "VARCHAR", "BLOB"]
    #expect(all.filter(type.fits) == declared)
  }
}
