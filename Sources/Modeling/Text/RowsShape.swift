/// The attributes of a data file, inferred from all of its rows.
///
///     let shape = try RowsShape(DelimitedReader(path: "sales.csv", detectsDelimiter: true))
///     shape.columns.map(\.attribute.name)      // ["date", "qty"]
///
/// Memory holds one row at a time.
public struct RowsShape {
  /// One column of a delimited text, or one key of JSON objects.
  public struct Column {
    /// The column's name in the file.
    public var header: String
    /// The attribute for its values.
    public var attribute: Attribute
    /// The notation of its fields.
    public var notation = TextNotation()
    /// Its unquoted texts that mean nil.
    public var nullTexts: [String] = []
    /// Whether its fields are dates that stay text, because the order of day and month is unknown.
    public var isAmbiguousDate = false
    /// Whether it is ignored.
    public var isLeftOut = false
  }

  /// The columns in the file's order.
  public var columns: [Column] = []
  /// The number of rows.
  public private(set) var rows = 0
  /// Whether the first row names the columns rather than being data.
  public private(set) var hasHeader = true
  /// Called every few thousand rows with the progress.
  public typealias Progress = (_ rows: Int, _ bytes: Int) throws -> Void

  private static let rowsBetweenProgress = 8192

  /// Reads all rows of a delimited text.
  ///
  /// - Throws: DelimitedError, and what `progress` throws.
  public init(_ reader: DelimitedReader, isEscaped: Bool = false, progress: Progress = { _, _ in }) throws {
    guard try reader.next() else { return }
    let hasDecimalComma = reader.format.delimiter == UInt8(ascii: ";")
    let headers = try (0..<reader.fieldCount).map { try reader.text($0) }
    let shapes = headers.map { _ in ColumnShape(hasDecimalComma: hasDecimalComma) }
    while try reader.next() {
      for (index, shape) in shapes.enumerated() { shape.take(reader.field(index), wasQuoted: reader.wasQuoted(index)) }
      rows += 1
      if rows % Self.rowsBetweenProgress == 0 { try progress(rows, reader.offset) }
    }
    hasHeader = !Self.looksLikeData(headers, shapes)
    if !hasHeader {
      for (header, shape) in zip(headers, shapes) { shape.take(header) }
      rows += 1
    }
    add(hasHeader ? headers : headers.map { _ in "" }, shapes)
  }

  /// Reads all rows of a text of JSON.
  ///
  /// - Throws: JSONRowsError, and what `progress` throws.
  public init(_ reader: JSONRowsReader, progress: Progress = { _, _ in }) throws {
    var shapes: [ColumnShape] = []
    var names: [String] = []
    var places: [String: Int] = [:]
    while let row = try reader.next() {
      if row.contains(where: { places[$0.key] == nil }) {
        for name in reader.keys where places[name] == nil {
          places[name] = names.count
          names.append(name)
          shapes.append(ColumnShape(hasDecimalComma: false))
        }
      }
      for (name, value) in row { if let place = places[name] { shapes[place].take(value) } }
      rows += 1
      if rows % Self.rowsBetweenProgress == 0 { try progress(rows, reader.offset) }
    }
    add(names, shapes)
  }

  /// Whether the first row is data: in all columns that are not text, its fields have the column's type.
  private static func looksLikeData(_ first: [String], _ shapes: [ColumnShape]) -> Bool {
    let typed = zip(first, shapes).filter { $0.1.isTyped }
    return !typed.isEmpty
      && typed.allSatisfy { field, shape in
        var field = field
        return field.withUTF8 { shape.fits(UnsafeRawBufferPointer($0)) }
      }
  }

  private mutating func add(_ headers: [String], _ shapes: [ColumnShape]) {
    let names = Naming.unique(headers.enumerated().map { Naming.property(header: $1, number: $0 + 1) })
    for (name, (header, shape)) in zip(names, zip(headers, shapes)) {
      var column = Column(header: header.isEmpty ? name : header, attribute: Attribute(name, shape.type))
      column.notation = shape.notation
      column.nullTexts = shape.nullTexts
      column.isAmbiguousDate = shape.isAmbiguousDate
      columns.append(column)
    }
  }
}
