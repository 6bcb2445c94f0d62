import Modeling
import Postgres

/// A server's plan of a statement, as EXPLAIN prints it.
///
/// Steps in other forms than PostgreSQL's are lines without a meaning. Citus shows the steps of one of its tasks, each of which
/// reads the parts of tables on one node; they count as those of the tables.
struct ServerPlan {
  /// A line for each step and each remark, with its depth.
  let lines: [(depth: Int, text: String)]
  private(set) var steps: [Step] = []

  enum Step {
    case scan(table: String)
    case index(String, table: String?)
    case sort
  }

  /// Reads the rows that EXPLAIN returns.
  init(_ result: PostgresResult) {
    lines = (0..<result.rowCount).map { row in
      let line = result.text(row, 0)
      let indent = line.prefix { $0 == " " }.count
      return (indent / 2, String(line.dropFirst(indent)))
    }
    let node =
      #/^(?:->\s+)?(?:Parallel )?(Seq|Index Only|Index|Bitmap Heap|Bitmap Index|Incremental)?\s?(Scan|Sort)(?: Backward)?(?: using ("(?:[^"]|"")+"|\S+))?(?: on ("(?:[^"]|"")+"|\S+))?.*\(cost=/#
    let isOfParts = lines.contains { $0.text.hasPrefix(Self.taskCount) }
    func name(_ text: Substring) -> String {
      let name = Self.unquoted(text)
      guard isOfParts, let part = name.firstMatch(of: #/_[0-9]{6,}$/#) else { return name }
      return String(name[..<part.range.lowerBound])
    }
    var heap: String?
    for line in lines {
      guard let match = line.text.firstMatch(of: node)?.output else { continue }
      let (index, subject) = (match.3.map(name), match.4.map(name))
      switch (match.1, match.2) {
      case (_, "Sort"): steps.append(.sort)
      case ("Seq", _): if let subject { steps.append(.scan(table: subject)) }
      case ("Bitmap Heap", _): heap = subject
      case ("Bitmap Index", _): if let subject { steps.append(.index(subject, table: heap)) }
      default: if let index { steps.append(.index(index, table: subject)) }
      }
    }
  }

  /// How many rows the server expects the statement to return; nil where it does not say.
  var expectedRows: Int? {
    // Above its tasks, Citus says 100,000 for every statement.
    let first = lines.firstIndex { $0.text.hasPrefix(Self.taskCount) }
    let tasks = first.flatMap { Int(lines[$0].text.dropFirst(Self.taskCount.count)) } ?? 1
    let rows = lines[(first ?? 0)...].lazy.compactMap { $0.text.firstMatch(of: #/ rows=([0-9]+) /#) }.first
    return rows.flatMap { Int($0.1) }.map { $0 &* tasks }
  }

  /// What Citus writes before the number of its tasks.
  private static let taskCount = "Task Count: "

  private static func unquoted(_ name: Substring) -> String {
    String(name.hasPrefix("\"") ? name.dropFirst().dropLast().replacing("\"\"", with: "\"") : name)
  }

  /// Whether rows are sorted after reading.
  var sorts: Bool { steps.contains { if case .sort = $0 { true } else { false } } }

  /// The tables that are read whole, each once.
  var scannedTables: [String] {
    steps.reduce(into: []) { if case .scan(let table) = $1, !$0.contains(table) { $0.append(table) } }
  }

  /// The indexes in which rows are found, each once.
  var indexes: [String] {
    steps.reduce(into: []) { if case .index(let name, _) = $1, !$0.contains(name) { $0.append(name) } }
  }

  /// The root entities of the tables that are read whole.
  func scannedEntities(_ store: PostgresStore) -> [Entity] { scannedTables.compactMap { Self.entity($0, store) } }

  /// A sentence for each step, in the model's words, with the numbers of rows that are known.
  func words(_ store: PostgresStore, _ rows: [Entity: Int]) -> [String] {
    func name(_ table: String?) -> String {
      table.map { Self.entity($0, store)?.name ?? $0 } ?? "rows"
    }
    return steps.map { step in
      switch step {
      case .scan(let table):
        let count = Self.entity(table, store).flatMap { rows[$0] }.map { " (\(Quantity.count($0, "row")))" }
        return "reads all of \(name(table))\(count ?? "")"
      case .index(let index, let table): return "finds \(name(table)) by index \(index)"
      case .sort: return "sorts rows"
      }
    }
  }

  private static func entity(_ table: String, _ store: PostgresStore) -> Entity? {
    store.model.entities.first { $0.parent == nil && store.tables.name(of: store.layout(of: $0).table) == table }
  }
}
