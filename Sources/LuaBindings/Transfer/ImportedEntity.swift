internal import Modeling

/// An entity that was made for a data file.
public struct ImportedEntity: Sendable {
  /// The entity's name.
  public var name: String
  /// The number of its objects.
  public var rows: Int
  /// Its attributes with their types, in a model's notation: `qty Int`.
  public var attributes: [String]
  /// The decisions that were made automatically.
  public var remarks: [String]

  init(_ name: String, _ shape: RowsShape, rows: Int) {
    self.name = name
    self.rows = rows
    attributes = shape.columns.filter { !$0.isLeftOut }.map { column in
      let type = column.attribute.type
      return "\(column.attribute.name) \(type == .integer64 ? "Int" : type.rawValue)"
    }
    remarks = shape.hasHeader ? [] : ["the first row is data, not names"]
    for column in shape.columns where column.isAmbiguousDate {
      remarks.append("\(column.attribute.name) stays text: day and month cannot be told apart")
    }
    let withNull = shape.columns.filter { !$0.nullTexts.isEmpty }.map(\.attribute.name)
    if !withNull.isEmpty { remarks.append("NA and the like are nil in \(ErrorReport.list(withNull))") }
  }

  /// The entity in one line: `9 rows → Sale: date Date, qty Int`.
  public func sentence(arrow: String) -> String {
    let what = remarks.isEmpty ? "" : " (\(remarks.joined(separator: "; ")))"
    return "\(Quantity.count(rows, "row")) \(arrow) \(name): \(attributes.joined(separator: ", "))\(what)"
  }
}
