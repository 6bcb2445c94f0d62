import Modeling
import Postgres

/// Finds rows by combinations of values that some columns hold.
///
/// There is one array for each column, for any number of combinations. A statement takes at most 65,535 arguments, and the
/// server's planner compares each part of a long OR with all others, without a check for interruption.
struct SoughtRows {
  /// A column by which rows are found.
  struct Column {
    let sql: PostgresSQL
    let form: ColumnForm
  }

  /// The condition of a combination on a column.
  private enum Question: Hashable {
    case anything
    case null
    case value
  }

  private let columns: [Column]
  /// The combinations that ask the same of each column, column by column.
  private var groups: [[Question]: [[PostgresArgument]]] = [:]

  /// Looks for rows that hold one of the combinations; nil stands for any value, null for NULL.
  init(_ columns: [Column], _ combinations: some Sequence<[Value?]>) {
    self.columns = columns
    for values in combinations {
      var questions: [Question] = []
      var elements: [PostgresArgument] = []
      for (column, value) in zip(columns, values) {
        guard let value else {
          questions.append(.anything)
          continue
        }
        questions.append(value.isNull ? .null : .value)
        if value.isNull { continue }
        // No row holds what the column cannot.
        guard let element = column.form.sought(value) else { break }
        elements.append(element)
      }
      guard questions.count == columns.count, elements.count == questions.count(where: { $0 == .value }) else {
        continue
      }
      if groups[questions] == nil { groups[questions] = elements.map { _ in [] } }
      for (index, element) in elements.enumerated() { groups[questions]?[index].append(element) }
    }
  }

  /// The condition that such rows fulfil; nil if there are no such rows.
  var condition: PostgresSQL? {
    if groups.isEmpty { return nil }
    let tests = groups.sorted { "\($0.key)" < "\($1.key)" }.map { test($0.key, $0.value) }
    return tests.count == 1 ? tests[0] : "(\(tests.joined(" OR ")))"
  }

  private func test(_ questions: [Question], _ elements: [[PostgresArgument]]) -> PostgresSQL {
    var tests = zip(columns, questions).filter { $1 == .null }.map { "\($0.0.sql) IS NULL" as PostgresSQL }
    let sought = zip(columns, questions).filter { $1 == .value }.map(\.0)
    if let found = test(sought, elements) { tests.append(found) }
    if tests.isEmpty { return "TRUE" }
    return tests.count == 1 ? tests[0] : "(\(tests.joined(" AND ")))"
  }

  private func test(_ columns: [Column], _ elements: [[PostgresArgument]]) -> PostgresSQL? {
    guard let count = elements.first?.count else { return nil }
    let held = columns.map { $0.form.compared($0.sql) }
    if count == 1 {
      // By the values of a single row the server knows its node.
      let tests = columns.indices.map { "\(held[$0]) = \(columns[$0].form.alone(elements[$0][0]))" as PostgresSQL }
      return tests.count == 1 ? tests[0] : "(\(tests.joined(" AND ")))"
    }
    let arrays = zip(columns, elements).map { PostgresSQL($0.form.several($1)) }
    if columns.count == 1, !columns[0].form.isSoughtByText { return "\(held[0]) = ANY(\(arrays[0]))" }
    let names = columns.indices.map { "c\($0)" }.joined(separator: ", ")
    let values = columns.enumerated().map { $1.form.cast(PostgresSQL(raw: "v.c\($0)")) }
    return """
      (\(held.joined(", "))) IN (SELECT \(values.joined(", ")) FROM unnest(\(arrays.joined(", "))) AS v(\(raw: names)))
      """
  }
}

extension ColumnForm {
  /// Whether a value is sent as a text, which the server reads as one of the column's type.
  fileprivate var isSoughtByText: Bool {
    switch kind {
    case .numeric, .label, .json, .foreign: true
    case .boolean, .integer, .real, .text, .bytes, .instant, .civilTime, .day, .uuid: false
    }
  }

  /// A value, as attributes or as packed rows have it; nil where the column cannot hold such a value.
  fileprivate func sought(_ value: Value) -> PostgresArgument? {
    if !isSoughtByText { return element(value) ?? keyElement(value) }
    return switch value {
    case .string(let text), .url(let text): .text(text)
    case .json(let json): .text(json.text)
    case .int(let number) where kind == .numeric: .text(String(number))
    case .double(let number) where kind == .numeric: .text("\(number)")
    case .decimal(let number) where kind == .numeric: .text(number.canonicalText)
    default: nil
    }
  }

  /// One value as an argument.
  fileprivate func alone(_ element: PostgresArgument) -> PostgresSQL {
    isSoughtByText ? cast(PostgresSQL(element)) : argument(element)
  }

  /// Several as an array.
  fileprivate func several(_ elements: [PostgresArgument]) -> PostgresArgument {
    isSoughtByText
      ? .array(elements, type: PostgresType.textArray, elements: PostgresType.text) : array(elements)
  }

  /// A text as a value that the column is compared with.
  fileprivate func cast(_ text: PostgresSQL) -> PostgresSQL {
    switch kind {
    case .numeric: "\(text)::numeric"
    case .label: "\(text)::\(raw: typeName)"
    case .json: "\(text)::jsonb"
    default: text
    }
  }

  /// The column as it is compared with such a text.
  fileprivate func compared(_ column: PostgresSQL) -> PostgresSQL {
    switch kind {
    // The type json has no equality, and values of other types are compared as they are read.
    case .json: "\(column)::jsonb"
    case .foreign: PostgresSQL(raw: selected(column.text))
    default: column
    }
  }
}
