internal import CSQLite
import Glibc
import Modeling
public import Queries

extension SQLiteStore {
  /// The SQL, values, plan and costs of a request, which is run to its end.
  public func explain(_ request: FetchRequest) throws -> Explanation {
    let sql = try statement(of: request)
    let tables = aliases(in: sql.text)
    var explanation = Explanation(
      sql: sql.text, arguments: sql.arguments, displaySQL: sql.displayText, plan: [], indexesUsed: [],
      tablesScanned: [], sortsInMemory: false, rowsReturned: 0, rowsScanned: 0, steps: 0, seconds: 0)
    try readPlan(sql, tables, into: &explanation)
    let statement = try bound(sql)
    defer { connection.checkIn(statement) }
    for counter in [SQLITE_STMTSTATUS_FULLSCAN_STEP, SQLITE_STMTSTATUS_VM_STEP] {
      sqlite3_stmt_status(statement.handle, counter, 1)
    }
    let start = monotonicSeconds()
    while try statement.step() { explanation.rowsReturned += 1 }
    explanation.seconds = monotonicSeconds() - start
    explanation.rowsScanned = Int(sqlite3_stmt_status(statement.handle, SQLITE_STMTSTATUS_FULLSCAN_STEP, 0))
    explanation.steps = Int(sqlite3_stmt_status(statement.handle, SQLITE_STMTSTATUS_VM_STEP, 0))
    return explanation
  }

  /// The statement by which a request of any result type is answered.
  private func statement(of request: FetchRequest) throws -> SQLFragment {
    let builder = RequestSQL(request, schema)
    return switch request.resultType {
    case .objects: try builder.rows(keysOnly: false).sql
    case .objectIDs: try builder.keys()
    case .dictionaries: try builder.dictionaries().sql
    case .count: try builder.count()
    }
  }

  private func readPlan(_ sql: SQLFragment, _ tables: [String: String], into explanation: inout Explanation) throws {
    var explain: SQLFragment = "EXPLAIN QUERY PLAN "
    explain.append(sql)
    let statement = try bound(explain)
    defer { connection.checkIn(statement) }
    var depths: [Int64: Int] = [0: -1]
    while try statement.step() {
      let depth = (depths[statement.integer(1)] ?? -1) + 1
      depths[statement.integer(0)] = depth
      let step = PlanStep(statement.text(3), tables)
      explanation.plan.append((depth, step.text))
      if let index = step.index, !explanation.indexesUsed.contains(index) { explanation.indexesUsed.append(index) }
      if let table = step.scanned, !explanation.tablesScanned.contains(table) {
        explanation.tablesScanned.append(table)
      }
      if step.isSort { explanation.sortsInMemory = true }
    }
  }
}

/// A line of SQLite's plan, such as `SEARCH t0 USING INDEX quake_time (time>?)`.
struct PlanStep {
  /// The line, with tables in the place of aliases.
  let text: String
  let index: String?
  /// The table that is read from end to end, without an index.
  let scanned: String?
  /// Whether rows are sorted.
  let isSort: Bool

  init(_ line: String, _ tables: [String: String]) {
    var words = line.split(separator: " ").map(String.init)
    let subject = words.count > 1 ? words[1] : ""
    if let table = tables[subject] { words[1] = table }
    text = words.joined(separator: " ")
    isSort = line.hasPrefix("USE TEMP B-TREE") && line.contains("ORDER BY")
    var index: String?
    if let place = words.firstIndex(of: "INDEX"), place + 1 < words.count {
      index = words[place - 1] == "AUTOMATIC" || words.contains("AUTOMATIC") ? "automatic index" : words[place + 1]
    }
    self.index = index
    let isSubquery = subject.hasPrefix("(") || subject == "SUBQUERY" || subject == "CONSTANT"
    scanned = words.first == "SCAN" && index == nil && !isSubquery && words.count > 1 ? words[1] : nil
  }
}

/// The tables behind the aliases of a statement of ours.
private func aliases(in sql: String) -> [String: String] {
  var tables: [String: String] = [:]
  let words = sql.split(separator: " ").map { $0.trimmingSuffix { $0 == ")" || $0 == "," } }
  for (position, word) in words.enumerated() where word == "AS" && position > 0 && position + 1 < words.count {
    tables[words[position + 1]] = words[position - 1].replacing("\"", with: "")
  }
  return tables
}

extension Substring {
  fileprivate func trimmingSuffix(_ isTrimmed: (Character) -> Bool) -> String {
    var rest = self
    while let last = rest.last, isTrimmed(last) { rest.removeLast() }
    return String(rest)
  }
}

/// Seconds of a clock that never goes back.
func monotonicSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
