import Modeling
import SQLite

/// Columns as SQL expressions.
extension SQLPlace {
  /// The expression to select for a column of an object's row: the form that `ValueCoding` decodes, for any encoding of the
  /// column.
  ///
  /// Data in files and archives are selected unopened; they are opened when a script reads their value.
  func row(_ column: ColumnLayout) -> SQLFragment {
    switch column.encoding {
    case .plain, .uuidBytes, .real, .externalData, .archive, .transformed: self.column(column.name)
    case .referenceDate: "\(self.column(column.name)) + 978307200.0"
    // A number is none of the dates there: its text is read as a text. Where no number can be, no row is looked at for one.
    case .dateText where column.hasTextAffinity: self.column(column.name)
    case .dateText:
      "CASE WHEN \(self.column(column.name)) < '' THEN CAST(\(self.column(column.name)) AS TEXT) ELSE \(self.column(column.name)) END"
    case .elements(let elements): object(elements)
    }
  }

  /// The elements of a composite as one JSON object; null if all elements are null.
  private func object(_ elements: [ColumnEncoding.ElementColumn]) -> SQLFragment {
    let names = elements.flatMap(\.column.storedNames)
    let isThere = names.map { "\(column($0)) IS NOT NULL" as SQLFragment }.joined(separator: " OR ")
    let fields = elements.map { "\(raw: quoteText($0.name)), \(json($0.column))" as SQLFragment }
    return "CASE WHEN \(isThere) THEN json_object(\(fields.joined(separator: ", "))) END"
  }

  /// An element in the form that JSON holds.
  private func json(_ column: ColumnLayout) -> SQLFragment {
    let value = operand(column)
    switch column.type {
    case .composite, .transformable: return "json(\(value))"
    case .data: return "data_base64(\(value))"
    case .boolean: return "json(CASE \(value) WHEN 1 THEN 'true' WHEN 0 THEN 'false' END)"
    default: return value
    }
  }

  /// The value of a column in predicates and expressions, in our own form.
  func operand(_ column: ColumnLayout) -> SQLFragment {
    let sql = self.column(column.name)
    return switch column.encoding {
    case .plain: sql
    case .referenceDate: "(\(sql) + 978307200.0)"
    case .dateText: "text_date(\(sql))"
    case .uuidBytes: "uuid_text(\(sql))"
    case .real: "decimal_text(\(sql))"
    case .externalData: "external_data(\(sql))"
    case .archive, .transformed: "archived_json(\(sql))"
    case .elements(let elements): object(elements)
    }
  }
}
