package import Modeling

/// A column of rows: its name and its properties for a renderer.
package struct TabularColumn: Equatable, Sendable {
  package enum Alignment: Sendable { case leading, trailing }
  package enum Role: Sendable { case attribute, key, toOne, toMany }
  /// The rank of a column where not all fit the window; higher ones stay longer.
  package enum Standing: Comparable, Sendable { case other, key, title, asked }

  package var name: String
  /// The mark behind the name, which is not cut off with it: that the rows are sorted by the column.
  package var mark = ""
  /// The type's name in the model (`Double`, `→ Person`), or empty.
  var typeLabel: String
  package var alignment: Alignment
  package var role: Role
  /// Whether the column is one that the reader asked about, or knows the rows by.
  package var standing: Standing
  /// The elements of a composite attribute, which its values hold as JSON.
  package var elements: [Attribute] = []
  /// The width that the reader chose; nil where the cells decide. Numbers are not cut all the same.
  package var chosenWidth: Int?

  package init(_ name: String, type: String = "", alignment: Alignment = .leading, role: Role = .attribute) {
    self.name = name
    self.typeLabel = type
    self.alignment = alignment
    self.role = role
    standing = role == .key ? .key : .other
  }
}

/// Rows that are asked for one by one: a result on its way to the screen or to a file.
package protocol TabularSource: AnyObject {
  var columns: [TabularColumn] { get }

  /// The name of one row in the footer: the entity's name.
  var rowName: String? { get }

  /// The heading over the row that `next` returned last, if a section begins with it.
  var heading: String? { get }

  /// The table of the store that the rows are of, if they are of one.
  var tableName: String? { get }

  /// The next row, with a cell for each column, or nil after the last.
  func next() throws -> [Cell]?

  /// How many rows there are in all, if that is known or quickly found out. Asked after the first rows are on the screen.
  func totalCount() throws -> Int?

  /// The last rows, in order, if they can be had without showing those between: so many, or those that `next` had still to answer.
  func lastRows(_ count: Int) throws -> [[Cell]]?

  /// The headings over the last rows, by their place among them.
  func lastHeadings(_ count: Int) -> [Int: String]
}

extension TabularSource {
  package var rowName: String? { nil }
  package var heading: String? { nil }
  package var tableName: String? { nil }
  package func totalCount() throws -> Int? { nil }
  package func lastRows(_ count: Int) throws -> [[Cell]]? { nil }
  package func lastHeadings(_ count: Int) -> [Int: String] { [:] }
}

/// Rows as bytes, so that a million rows can be exported without a String for each cell.
package protocol RawRowSource: AnyObject {
  /// Appends the cells of the next row to `row`, which is empty, or returns false after the last row.
  func next(into row: inout [RawCell]) throws -> Bool
}

/// A source that hands out bytes.
package protocol RawTabularSource: TabularSource, RawRowSource {
  /// Has `write` write the rows in parts, several at once on other threads, and calls `deliver` on this thread with what was written
  /// and the number of rows, in their order. Returns false, before it delivers anything, where the rows are asked for one by one.
  func writeParts(
    _ write: @escaping @Sendable (_ rows: any RawRowSource, _ sink: OutputSink) throws -> Void,
    _ deliver: (_ bytes: [UInt8], _ rows: Int) throws -> Void
  ) throws -> Bool
}

/// Rows that are in memory already.
package final class MemoryRows: TabularSource {
  package let columns: [TabularColumn]
  package let rowName: String?
  private let rows: [[Cell]]
  private var position = 0

  package init(columns: [TabularColumn], rows: [[Cell]], rowName: String? = nil) {
    self.columns = columns
    self.rows = rows
    self.rowName = rowName
  }

  package func next() -> [Cell]? {
    guard position < rows.count else { return nil }
    defer { position += 1 }
    return rows[position]
  }

  package func totalCount() -> Int? { rows.count }

  package func lastRows(_ count: Int) -> [[Cell]]? { Array(rows.suffix(count)) }
}
