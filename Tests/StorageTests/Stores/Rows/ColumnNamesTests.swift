import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

@Suite struct ColumnNamesTests {
  @Test(arguments: [
    (["id", "name"], ["id", "name"]), (["id", "name", "id", "id"], ["id", "name", "id_2", "id_3"]),
    (["id", "id", "id_2"], ["id", "id_3", "id_2"]), (["id_2", "id", "id", "id_2"], ["id_2", "id", "id_3", "id_2_2"]),
    (["ID", "id"], ["ID", "id"]), (["", ""], ["", "_2"]), ([], []),
  ])
  func aNameThatWasThereBeforeHasTheNextFreeNumber(_ given: [String], _ distinct: [String]) {
    #expect(ColumnNames.distinct(given) == distinct)
    #expect(ColumnNames.distinct(distinct) == distinct)
  }

  @Test func aCursorHasNoNameTwice() {
    #expect(ValueCursor(rows: [], columns: ["a", "a"]).columns == ["a", "a_2"])
    #expect(ValueCursor(columns: ["a", "a"]) { nil }.columns == ["a", "a_2"])
  }
}
