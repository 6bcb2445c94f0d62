public import Modeling

/// Rows that are imported: of a delimited text, of JSON, or made by a program.
public protocol ImportSource: AnyObject {
  /// Moves to the next row; false at the end.
  func next() throws -> Bool
  /// A field of the row, read as the parser's attribute. Text is valid until the next row.
  ///
  /// - Throws: ValueError.
  func read(_ field: Int, _ parser: AttributeTextParser) throws -> TypedField
  /// Where a field of the row stands.
  func place(ofField field: Int) -> TextPlace
  /// How many bytes there are, where that is known, and how many are behind the row.
  var size: Int? { get }
  var offset: Int { get }
}

extension DelimitedReader: ImportSource {
  /// A field of the row, read as the parser's attribute.
  public func read(_ field: Int, _ parser: AttributeTextParser) throws -> TypedField {
    // Rows may be shorter than the first when that was asked for.
    if field >= fieldCount { return .null }
    return try parser.parse(self.field(field), wasQuoted: wasQuoted(field))
  }
}

/// Rows of JSON objects, whose fields are named.
public final class JSONImportSource: ImportSource {
  private let reader: JSONRowsReader
  private let names: [String]
  private var row: [String: JSON] = [:]

  /// Reads rows in which field `n` is called `names[n]`; what a row does not have is nil.
  public init(_ reader: JSONRowsReader, names: [String]) {
    self.reader = reader
    self.names = names
  }

  /// Moves to the next row; false at the end.
  public func next() throws -> Bool {
    guard let next = try reader.next() else { return false }
    row = next
    return true
  }

  /// A field of the row, as a value of the parser's attribute.
  public func read(_ field: Int, _ parser: AttributeTextParser) throws -> TypedField {
    guard let json = row[names[field]], json != .null else { return .null }
    return .value(try parser.attribute.value(from: json))
  }

  /// Where the row begins.
  public func place(ofField field: Int) -> TextPlace { reader.place }
  /// How many bytes there are.
  public var size: Int? { reader.size }
  /// The bytes behind the row.
  public var offset: Int { reader.offset }
}
