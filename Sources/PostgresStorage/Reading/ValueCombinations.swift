import Modeling
import Postgres
import Queries
import Stores

/// The combinations of values that rows of a selection have in some columns, each with the number of its rows and
/// aggregates over them.
///
/// The server makes them, so that one row travels for each, and what is left is evaluated once for each: the predicate where
/// the server cannot say, keys of groups that are expressions, a mode.
struct ValueCombinations {
  /// A combination, while it is read.
  struct Combination {
    let subject: ValueSubject
    /// How many rows have it.
    let count: Int
    /// What the server computed for these rows, in the order in which it was added.
    let parts: [PartialAggregate.Part]
  }

  private struct Column {
    let plain: PlainColumn
    var detail: DateDetail
    /// Whether only the predicate reads it.
    var isForPredicate: Bool
  }

  private let selection: SplitRequest
  private let places: ValuePlaces
  private var columns: [Column] = []
  private var numbers: [PropertyPath: Int] = [:]
  private(set) var aggregates: [PartialAggregate] = []

  /// Nil where rows are limited, or where the predicate needs more of a row than values in columns.
  init?(_ selection: SplitRequest) {
    guard !selection.isLimited else { return nil }
    self.selection = selection
    places = ValuePlaces(selection.request.entity)
    guard selection.residual != nil, let predicate = selection.request.predicate else { return }
    guard let values = ValuesRead(predicate), add(values, isForPredicate: true) else { return nil }
  }

  /// Whether combinations differ in the values of these expressions, each in at least one of them.
  func differ(in expressions: [Expression]) -> Bool {
    let paths = expressions.compactMap { if case .path(let path) = $0 { path } else { nil } }
    return isCertain && numbers.keys.allSatisfy(paths.contains)
  }

  /// Tells combinations apart by the values that an expression reads; false if they are not in columns.
  mutating func separate(by expression: Expression) -> Bool {
    ValuesRead(expression).map { add($0, isForPredicate: false) } ?? false
  }

  /// Has the server compute an aggregate of a column. Returns its number; nil if the server cannot.
  mutating func aggregate(_ function: ExpressionFunction, _ argument: Expression) -> Int? {
    guard case .path(let path) = argument, let column = PlainColumn(path, selection),
      let aggregate = PartialAggregate(function, column)
    else { return nil }
    aggregates.append(aggregate)
    return aggregates.count - 1
  }

  /// Has the server find the least key of each combination's rows; false where keys are no integers.
  mutating func addFirstKey() -> Bool {
    guard let key = PlainColumn(keyAt: selection.place, selection.store), let least = PartialAggregate(.min, key) else {
      return false
    }
    aggregates.append(least)
    return true
  }

  private mutating func add(_ values: ValuesRead, isForPredicate: Bool) -> Bool {
    for (path, detail) in values.details.sorted(by: { $0.key.text < $1.key.text }) {
      if let known = numbers[path] {
        if columns[known].detail.rawValue < detail.rawValue { columns[known].detail = detail }
        columns[known].isForPredicate = columns[known].isForPredicate && isForPredicate
        continue
      }
      guard let plain = PlainColumn(path, selection), let resolved = try? path.resolve(in: selection.request.entity)
      else { return false }
      numbers[path] = columns.count
      places.set(columns.count, for: resolved)
      columns.append(Column(plain: plain, detail: detail, isForPredicate: isForPredicate))
    }
    return true
  }

  /// A SELECT of a row for each combination: its values, whether the predicate needs no evaluation, how many rows have it, and
  /// the aggregates.
  private var sql: PostgresSQL {
    let decided = selection.domain.map { "\($0) IS NOT FALSE" as PostgresSQL } ?? (isCertain ? "TRUE" : "FALSE")
    var inner = columns.enumerated().map { number, column -> PostgresSQL in
      let value = column.plain.beginning(of: column.detail)
      // Rows for which the server decides need not be told apart by what it decided from.
      guard column.isForPredicate, selection.domain != nil else { return "\(value) AS c\(raw: "\(number)")" }
      return "CASE WHEN \(decided) THEN NULL ELSE \(value) END AS c\(raw: "\(number)")"
    }
    inner.append("\(decided) AS decided")
    inner += aggregates.enumerated().map { "\($1.column.sql) AS v\(raw: "\($0)")" }
    var outer = columns.enumerated().map { $1.plain.selected("c\(raw: "\($0)")") }
    let keys = columns.indices.map { PostgresSQL(raw: "c\($0)") } + (isCertain ? [] : ["decided"])
    outer += [isCertain ? "TRUE" : "decided", "count(*)"]
    outer += aggregates.enumerated().flatMap { $1.selected("v\($0)") }
    return statement(outer, inner, groupedBy: keys)
  }

  /// A SELECT of the same columns that does not tell rows apart by what the predicate alone reads, and in another column how many
  /// rows the server did not decide.
  private func sql(decidedIn domain: PostgresSQL) -> PostgresSQL {
    let keys = columns.indices.filter { !columns[$0].isForPredicate }
    var inner = keys.map { "\(columns[$0].plain.beginning(of: columns[$0].detail)) AS c\(raw: "\($0)")" as PostgresSQL }
    inner.append("\(domain) IS NOT FALSE AS decided")
    inner += aggregates.enumerated().map { "\($1.column.sql) AS v\(raw: "\($0)")" }
    var outer = columns.enumerated().map { number, column -> PostgresSQL in
      column.isForPredicate ? "NULL" : column.plain.selected("c\(raw: "\(number)")")
    }
    outer += ["TRUE", "count(*)"]
    outer += aggregates.enumerated().flatMap { $1.selected("v\($0)") }
    outer.append("count(*) FILTER (WHERE NOT decided)")
    return statement(outer, inner, groupedBy: keys.map { PostgresSQL(raw: "c\($0)") })
  }

  private func statement(
    _ outer: [PostgresSQL], _ inner: [PostgresSQL], groupedBy keys: [PostgresSQL]
  ) -> PostgresSQL {
    var rows: PostgresSQL = "SELECT \(inner.joined(", ")) FROM \(selection.place.source.sql)"
    if !selection.conditions.isEmpty { rows += " WHERE \(selection.conditions.joined(" AND "))" }
    let sql: PostgresSQL = "SELECT \(outer.joined(", ")) FROM (\(rows)) AS found"
    return keys.isEmpty ? sql : sql + " GROUP BY \(keys.joined(", "))"
  }

  private var isCertain: Bool { selection.residual == nil }

  /// The columns of the rows at which those of each aggregate begin, and the one behind the last.
  private var starts: [Int] {
    aggregates.reduce(into: [columns.count + 2]) { $0.append($0[$0.count - 1] + $1.selected("v").count) }
  }

  /// Calls `body` with each combination whose rows match, until it returns false.
  ///
  /// As a rule the server decides every row of a predicate that it computes: then it need not tell rows apart by the values of the
  /// predicate, which takes it several times as long.
  func forEach(_ body: (Combination) throws -> Bool) throws {
    if let domain = selection.domain, let found = try combinations(decidedIn: domain) {
      for combination in found where try !body(combination) { return }
      return
    }
    let source = try selection.store.pool.stream(sql)
    defer { source.close() }
    let starts = starts
    while try source.step() {
      let combination = read(source, starts)
      let isDecided = source.bytes(columns.count)?.first == 1
      if !isDecided, let residual = selection.residual, try residual.evaluate(combination.subject) != true { continue }
      if combination.count > 0, try !body(combination) { return }
    }
  }

  /// All combinations; nil where the server did not decide a row.
  private func combinations(decidedIn domain: PostgresSQL) throws -> [Combination]? {
    let source = try selection.store.pool.stream(sql(decidedIn: domain))
    defer { source.close() }
    let starts = starts
    var found: [Combination] = []
    while try source.step() {
      if source.integer(starts[starts.count - 1]) > 0 { return nil }
      let combination = read(source, starts)
      if combination.count > 0 { found.append(combination) }
    }
    return found
  }

  private func read(_ source: PostgresRowSource, _ starts: [Int]) -> Combination {
    var scratch = ColumnReader.Scratch()
    let values = columns.enumerated().map { $1.plain.value(source, $0, &scratch) }
    return Combination(
      subject: ValueSubject(places: places, values: values), count: Int(clamping: source.integer(columns.count + 1)),
      parts: aggregates.enumerated().map { $1.part(source, starts[$0], &scratch) })
  }
}
