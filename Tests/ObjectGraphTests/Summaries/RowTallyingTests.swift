import Modeling
import Queries
import SQLiteStorage
import Stores
import Testing

@testable import ObjectGraph

@Suite struct RowTallyingTests {
  /// Rows for several blocks of each type, with values of other classes and some long ones.
  private static let sql = """
    CREATE TABLE item (id INTEGER PRIMARY KEY, n INTEGER, real REAL, word TEXT, raw BLOB, "when" DATETIME, mixed,
      amount DECIMAL(20, 4), flag BOOLEAN, owner INTEGER REFERENCES item (id));
    WITH RECURSIVE k(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM k WHERE i < 21000)
    INSERT INTO item SELECT i, CASE WHEN i % 11 = 0 THEN NULL WHEN i % 5003 = 0 THEN 'x' ELSE i * 7919 % 1300 END,
      CASE WHEN i % 17 = 0 THEN NULL WHEN i % 500 = 0 THEN 1e16 WHEN i % 501 = 0 THEN -1e16 ELSE i * 0.1 END,
      CASE WHEN i % 19 = 0 THEN NULL WHEN i % 4001 = 0 THEN hex(zeroblob(700000)) ELSE 'wörd ' || i % 6000 END,
      CASE WHEN i % 5 = 0 THEN zeroblob(i % 77) END, date('2020-01-01', '+' || i % 400 || ' days'),
      CASE i % 4 WHEN 0 THEN 5 WHEN 1 THEN 5.5 WHEN 2 THEN '5' END, i % 97 || '.' || i % 9, i % 3 = 0, i % 60 + 1
    FROM k;
    """

  private let store: SQLiteStore
  private let item: Entity

  init() throws {
    var options = StoreOptions(path: ":memory:")
    options.dump = StoreDump(text: Self.sql, limit: 1 << 30)
    store = try SQLiteStore(options)
    item = try #require(store.model.entity(named: "Item"))
  }

  private func columns() -> [StoredColumn] {
    let layout = store.layout(of: item)
    return item.properties.indices.compactMap { index in
      switch layout.properties[index] {
      case .column(let column):
        let type = layout.columns[column].type
        return StoredColumn(
          column, .attribute(type), ValueTally(item.properties[index].name, "", type == .data ? .sizes : .values))
      case .reference(let columns, _):
        return StoredColumn(columns[0], .key(of: item), ValueTally(item.properties[index].name, "", .values))
      default: return nil
      }
    }
  }

  private func summaries(workers: Int) throws -> [String] {
    let tallying = RowTallying(columns(), workers: workers)
    defer { tallying.stop() }
    let cursor = try store.cursor(FetchRequest(item), keysOnly: false)
    defer { cursor.close() }
    while try cursor.step() { tallying.add(cursor) }
    return tallying.summaries().map { "\($0)" }
  }

  @Test func threadsSumUpWhatOneThreadDoes() throws {
    let alone = try summaries(workers: 0)
    #expect(alone.count >= 9)
    for workers in [1, 2, 20] { #expect(try summaries(workers: workers) == alone) }
  }

  @Test func aSummaryThatIsInterruptedAmidItsThreadsEndsThem() throws {
    struct Stop: Error {}
    let context = ObjectContext(store: store)
    for _ in 0..<5 {
      #expect(throws: Stop.self) {
        _ = try context.summary(FetchRequest(item)) { rows in if rows > 12_000 { throw Stop() } }
      }
    }
    #expect(try context.summary(FetchRequest(item)).first { $0.name == "n" }?.nulls == 1909)
  }
}
