internal import Modeling
internal import StoreErrors

/// A foreign key of a table, and its action when the referenced row is deleted.
struct ForeignKey {
  let child: String
  /// The table that it leads to, in lower case.
  let parent: String
  /// The columns, and the ones that they lead to.
  private(set) var pairs: [(from: String, to: String)] = []
  /// The default values of the columns, as SQL.
  private var defaults: [String] = []
  private let rule: String

  private init(child: String, parent: String, rule: String) {
    (self.child, self.parent, self.rule) = (child, parent, rule)
  }

  /// The columns, for a row value.
  var columns: String { pairs.map { quoteIdentifier($0.from) }.joined(separator: ", ") }

  /// The statement that a deletion causes, without its condition; nil where it causes none.
  var action: String? {
    switch rule {
    case "CASCADE": "DELETE FROM main.\(quoteIdentifier(child))"
    case "SET NULL": update(pairs.map { _ in "NULL" })
    case "SET DEFAULT": update(defaults)
    default: nil
    }
  }

  private func update(_ values: [String]) -> String {
    let settings = zip(pairs, values).map { "\(quoteIdentifier($0.from)) = \($1)" }
    return "UPDATE main.\(quoteIdentifier(child)) SET \(settings.joined(separator: ", "))"
  }

  /// All foreign keys of the file's tables.
  static func all(of connection: Connection) throws(StoreError) -> [ForeignKey] {
    let rows = try connection.all(
      """
      SELECT t.name, k.id, lower(k."table"), k."from",
        coalesce(k."to", (SELECT p.name FROM pragma_table_info(k."table", 'main') p WHERE p.pk = k.seq + 1)), k.on_delete,
        coalesce((SELECT c.dflt_value FROM pragma_table_info(t.name, 'main') c WHERE c.name = k."from"), 'NULL')
      FROM main.sqlite_schema t JOIN pragma_foreign_key_list(t.name, 'main') k
      WHERE t.type = 'table' ORDER BY t.name, k.id, k.seq
      """)
    var found: [ForeignKey] = []
    var last: [Value] = []
    for row in rows {
      // A key to a table that is not there has no columns there.
      guard case .string(let child) = row[0], case .string(let parent) = row[2], case .string(let from) = row[3],
        case .string(let to) = row[4], case .string(let rule) = row[5], case .string(let value) = row[6]
      else { continue }
      if Array(row[0...1]) != last {
        found.append(ForeignKey(child: child, parent: parent, rule: rule))
        last = Array(row[0...1])
      }
      found[found.count - 1].pairs.append((from, to))
      found[found.count - 1].defaults.append("(\(value))")
    }
    return found
  }

  /// Whether a deletion may come back, by cascades, to the table where it began.
  static func leadInCircles(_ keys: [ForeignKey]) -> Bool {
    // A table that leads to none of the others is on no circle, nor is one that then leads to none.
    var rest = keys.filter { $0.rule == "CASCADE" }.map { ($0.parent, asciiLowercased($0.child)) }
    while true {
      let parents = Set(rest.map(\.0))
      let left = rest.filter { parents.contains($0.1) }
      if left.count == rest.count { return !rest.isEmpty }
      rest = left
    }
  }
}

/// The keys of deleted rows of one table, in the order of their deletion.
struct CascadeGrave {
  private let connection: Connection
  /// The table that holds them, and the trigger that writes it.
  private let name: String

  /// Notes the rows that are deleted from now on, by the columns that `keys` lead to.
  init(of keys: [ForeignKey], _ connection: Connection) throws(StoreError) {
    self.connection = connection
    let columns = Set(keys.flatMap { $0.pairs.map(\.to) }).sorted().map(quoteIdentifier)
    name = quoteIdentifier("_perilune_deleted_\(keys[0].parent)")
    let parent = "main.\(quoteIdentifier(keys[0].parent))"
    try connection.run(
      "CREATE TEMP TABLE IF NOT EXISTS \(name) AS SELECT \(columns.joined(separator: ", ")) FROM \(parent) WHERE 0")
    try connection.with("DELETE FROM temp.\(name)") { statement throws(StoreError) in _ = try statement.stepOnce() }
    try connection.run(
      """
      CREATE TEMP TRIGGER \(name) AFTER DELETE ON \(parent) BEGIN INSERT INTO \(name) VALUES \
      (\(columns.map { "OLD.\($0)" }.joined(separator: ", "))); END
      """)
  }

  /// The number of the last one.
  func last() throws(StoreError) -> Int64 {
    if case .int(let last)? = try connection.first("SELECT max(rowid) FROM temp.\(name)") { last } else { 0 }
  }

  /// The keys to which a foreign key leads, from after one number up to another.
  func selection(of key: ForeignKey) -> String {
    let list = key.pairs.map { quoteIdentifier($0.to) }.joined(separator: ", ")
    return "SELECT \(list) FROM temp.\(name) WHERE rowid > ? AND rowid <= ?"
  }

  /// Notes no more.
  func close() throws(StoreError) {
    try connection.run("DROP TRIGGER temp.\(name)")
    // While a statement reads anything, SQLite drops no table; then it serves the next time.
    _ = try? connection.run("DROP TABLE temp.\(name)")
  }
}
