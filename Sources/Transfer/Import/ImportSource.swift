public import Modeling

/// A source of rows to import: a delimited text, JSON, or a program.
public protocol ImportSource: AnyObject {
  /// Moves to the next row; returns false at the end.
  func next() throws -> Bool
  /// Reads a field of the row as the parser's attribute. Text is valid until the next row.
  ///
  /// - Throws: ValueError.
  func read(_ field: Int, _ parser: AttributeTextParser) throws -> TypedField
  /// The place of a field of the row.
  func place(ofField field: Int) -> TextPlace
  /// The total number of bytes, if known, and the offset after the row.
  var size: Int? { get }
  var offset: Int { get }
}

extension DelimitedReader: ImportSource {
  /// Reads a field of the row as the parser's attribute.
  public func read(_ field: Int, _ parser: AttributeTextParser) throws -> TypedField {
    // Rows may be shorter than the first if the reader allows it.
    if field >= fieldCount { return .null }
    return try parser.parse(self.field(field), wasQuoted: wasQuoted(field))
  }
}

/// Rows from JSON objects, whose fields are identified by name.
public final class JSONImportSource: ImportSource {
  private let reader: JSONRowsReader
  private let names: [String]
  private var row: [String: JSON] = [:]

  /// Creates a source in which field `n` has the key `names[n]`; a missing key is nil.
  public init(_ reader: JSONRowsReader, names: [String]) {
    self.reader = reader
    self.names = names
  }

  /// Moves to the next row; returns false at the end.
  public func next() throws -> Bool {
    guard let next = try reader.next() else { return false }
    row = next
    return true
  }

  /// Reads a field of the row as a value of the parser's attribute.
  public func read(_ field: Int, _ parser: AttributeTextParser) throws -> TypedField {
    guard let json = row[names[field]], json != .null else { return .null }
    return .value(try parser.attribute.value(from: json))
  }

  /// The place of the row.
  public func place(ofField field: Int) -> TextPlace { reader.place }
  /// The total number of bytes, if known.
  public var size: Int? { reader.size }
  /// The offset after the row.
  public var offset: Int { reader.offset }
}
