import Modeling
import Postgres
import Testing

@testable import PostgresStorage

@Suite struct ColumnFormTests {
  @Test func ofNumbersABooleanHoldsZeroAndOne() {
    let form = ColumnForm(own: .boolean)
    #expect(form.element(.int(0)) == .bool(false) && form.element(.int(1)) == .bool(true))
    #expect(form.element(.int(2)) == nil && form.element(.int(-1)) == nil)
    #expect(form.element(.bool(true)) == .bool(true))
  }

  @Test func theTextsOfABooleanAreThoseThatTheServerWrites() {
    let form = ColumnForm(own: .boolean)
    #expect(["true", "t", "false", "f"].map(form.raw) == [.int(1), .int(1), .int(0), .int(0)])
    #expect(form.raw("") == nil && form.raw("maybe") == nil)
  }
}
