internal import Layouts
package import Modeling
package import Stores

/// Writes statements that change rows as SQL with constants, for people to read and for other programs to run.
package struct TableStatementWriter {
  private let table: (String) -> String
  private let quote: (String) -> String
  private let constant: (Value, _ column: String, _ table: String) -> String?

  /// `table` and `quote` return names as SQL has them; `constant` returns a value in the form in which a column keeps it, and nil
  /// where it cannot.
  package init(
    table: @escaping (String) -> String, quote: @escaping (String) -> String,
    constant: @escaping (Value, _ column: String, _ table: String) -> String?
  ) {
    (self.table, self.quote, self.constant) = (table, quote, constant)
  }

  /// The statement without a semicolon; nil if a column cannot hold its value.
  package func text(_ statement: TableStatement) -> String? {
    switch statement {
    case .insert(let name, let settings):
      guard let pairs = pairs(settings, name) else { return nil }
      if pairs.isEmpty { return "INSERT INTO \(table(name)) DEFAULT VALUES" }
      let columns = pairs.map(\.column).joined(separator: ", ")
      return "INSERT INTO \(table(name)) (\(columns)) VALUES (\(pairs.map(\.content).joined(separator: ", ")))"
    case .update(let name, let settings, let conditions):
      guard let pairs = pairs(settings, name), let condition = condition(conditions, name) else { return nil }
      let list = pairs.map { "\($0.column) = \($0.content)" }.joined(separator: ", ")
      return "UPDATE \(table(name)) SET \(list) WHERE \(condition)"
    case .delete(let name, let conditions):
      return condition(conditions, name).map { "DELETE FROM \(table(name)) WHERE \($0)" }
    }
  }

  private func condition(_ settings: [TableStatement.Setting], _ name: String) -> String? {
    pairs(settings, name)?.map { $0.content == "NULL" ? "\($0.column) IS NULL" : "\($0.column) = \($0.content)" }
      .joined(separator: " AND ")
  }

  private func pairs(_ settings: [TableStatement.Setting], _ name: String) -> [(column: String, content: String)]? {
    var pairs: [(column: String, content: String)] = []
    for setting in settings {
      switch setting.content {
      case .value(let value):
        for (column, value) in zip(setting.column.storedNames, setting.column.storedValues(value)) {
          guard let text = constant(value, column, name) else { return nil }
          pairs.append((quote(column), text))
        }
      case .lookUp(let column, let other, let conditions):
        guard let condition = condition(conditions, other) else { return nil }
        pairs.append((quote(setting.column.name), "(SELECT \(quote(column)) FROM \(table(other)) WHERE \(condition))"))
      }
    }
    return pairs
  }
}
