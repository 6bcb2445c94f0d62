/// The attributes that the rows of a data file have, read off all of its rows.
///
///     let shape = try RowsShape(DelimitedReader(path: "sales.csv", detectsDelimiter: true))
///     shape.columns.map(\.attribute.name)      // ["date", "qty"]
///
/// Memory holds one row at a time.
public struct RowsShape {
  /// One column of a delimited text, or one member of JSON objects.
  public struct Column {
    /// What the file calls it.
    public var header: String
    /// The attribute that holds its values.
    public var attribute: Attribute
    /// How its fields are written.
    public var notation = TextNotation()
    /// The unquoted texts in it that are nil.
    public var nullTexts: [String] = []
    /// Whether its fields are dates that are kept as text, because nothing tells the day from the month.
    public var isAmbiguousDate = false
    /// Whether it becomes no attribute.
    public var isLeftOut = false
  }

  /// The columns in the order of the file.
  public var columns: [Column] = []
  /// How many rows there are.
  public private(set) var rows = 0
  /// Whether the first row names the columns; otherwise it is a row like the others.
  public private(set) var hasHeader = true
  /// Told every few thousand rows how far reading has come.
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

  /// Whether the first row is one like the others: all columns that are more than text are so in it, too.
  private static func looksLikeData(_ first: [String], _ shapes: [ColumnShape]) -> Bool {
    let typed = zip(first, shapes).filter { $0.1.isTyped }
    return !typed.isEmpty
      && typed.allSatisfy { field, shape in
        var field = field
        return field.withUTF8 { shape.fits(UnsafeRawBufferPointer($0)) }
      }
  }

  private mutating func add(_ headers: [String], _ shapes: [ColumnShape]) {
    var taken: Set<String> = []
    for (number, (header, shape)) in zip(headers, shapes).enumerated() {
      let name = Naming.unique(Naming.property(header: header, number: number + 1), among: taken)
      taken.insert(name)
      var column = Column(header: header.isEmpty ? name : header, attribute: Attribute(name, shape.type))
      column.notation = shape.notation
      column.nullTexts = shape.nullTexts
      column.isAmbiguousDate = shape.isAmbiguousDate
      columns.append(column)
    }
  }
}
