import SQLite
import Testing

struct PlanStepTests {
  private func access(
    _ subject: String, search: Bool, _ path: PlanAccess.Path = .table, _ terms: [String] = [], outer: Bool = false
  ) -> PlanStep {
    .access(PlanAccess(subject: subject, isSearch: search, isOuter: outer, path: path, terms: terms))
  }

  @Test func linesOfPlansAreReadForWhatTheyAre() {
    let table: [(String, PlanStep)] = [
      ("SCAN t0", access("t0", search: false)),
      ("SCAN t0 USING INDEX a_index", access("t0", search: false, .index("a_index", isCovering: false))),
      (
        "SEARCH t0 USING COVERING INDEX a_b (a=? AND b>? AND b<?)",
        access("t0", search: true, .index("a_b", isCovering: true), ["a=?", "b>?", "b<?"])
      ),
      (
        "SEARCH t0 USING COVERING INDEX my idx (x) (b c=?)",
        access("t0", search: true, .index("my idx (x)", isCovering: true), ["b c=?"])
      ),
      ("SCAN t0 USING INDEX my idx (x)", access("t0", search: false, .index("my idx (x)", isCovering: false))),
      ("SEARCH t1 USING INTEGER PRIMARY KEY (rowid=?)", access("t1", search: true, .key, ["rowid=?"])),
      (
        "SEARCH t1 USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN",
        access("t1", search: true, .key, ["rowid=?"], outer: true)
      ),
      ("SEARCH t1 USING PRIMARY KEY (a=? AND b=?)", access("t1", search: true, .key, ["a=?", "b=?"])),
      (
        "SEARCH t1 USING AUTOMATIC COVERING INDEX (city=?)",
        access("t1", search: true, .automaticIndex, ["city=?"])
      ),
      (
        "SEARCH t1 USING AUTOMATIC PARTIAL COVERING INDEX (city=?)",
        access("t1", search: true, .automaticIndex, ["city=?"])
      ),
      (
        "SEARCH t0 USING INDEX a (ANY(a) AND b>?)",
        access("t0", search: true, .index("a", isCovering: false), ["ANY(a)", "b>?"])
      ),
      ("SCAN json_each VIRTUAL TABLE INDEX 1:", access("json_each", search: false, .virtualTable)),
      ("SCAN CONSTANT ROW", .constantRows), ("SCAN 3 CONSTANT ROWS", .constantRows),
      ("USE TEMP B-TREE FOR ORDER BY", .tree(.order)),
      ("USE TEMP B-TREE FOR RIGHT PART OF ORDER BY", .tree(.restOfOrder)),
      ("USE TEMP B-TREE FOR LAST TERM OF ORDER BY", .tree(.restOfOrder)),
      ("USE TEMP B-TREE FOR GROUP BY", .tree(.groups)), ("USE TEMP B-TREE FOR DISTINCT", .tree(.distinct)),
      ("USE TEMP B-TREE FOR count(DISTINCT)", .tree(.other("count(DISTINCT)"))),
      ("MULTI-INDEX OR", .union), ("INDEX 2", .branch(2)),
      ("CORRELATED SCALAR SUBQUERY 1", .subquery(isCorrelated: true, isList: false)),
      ("LIST SUBQUERY 3", .subquery(isCorrelated: false, isList: true)),
      ("CO-ROUTINE (subquery-1)", .routine("(subquery-1)", isKept: false)),
      ("MATERIALIZE found", .routine("found", isKept: true)),
      ("BLOOM FILTER ON t1 (a=?)", .filter("t1")),
      ("COMPOUND QUERY", .other("COMPOUND QUERY")), ("", .other("")), ("SCAN ", .other("SCAN ")),
      ("INDEX x", .other("INDEX x")), ("SEARCH t0 USING SOMETHING (a=?)", .other("SEARCH t0 USING SOMETHING (a=?)")),
    ]
    for (line, step) in table { #expect(PlanStep(line) == step, "\(line)") }
  }
}
