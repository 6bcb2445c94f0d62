internal import Compression
internal import Glibc
internal import Modeling
internal import Spreadsheets

// Files whose rows are not in a text: each becomes an unnamed file of text first.
extension DataFile {
  /// The largest file that is read as a whole, as rows that are deep in a document are.
  private static let largestDocument = 256 << 20
  /// What is read of a file to see whether it is lines of objects, or one object.
  private static let beginning = 1 << 20

  /// The files of text for a file: itself, or one for each sheet of a workbook.
  ///
  /// - Throws: SpooledText.Failure, CompressionError, DocumentError, DataFileError.
  func unpacked(shouldStop: @escaping () -> Bool) throws -> [DataFile] {
    var file = self
    if let spooled = try SpooledText.ofPipe(path, shouldStop: shouldStop) { file.replaceText(with: spooled) }
    if file.head(2) == [0x1F, 0x8B] { file.replaceText(with: try file.inflated(shouldStop)) }
    switch file.format {
    case .json where WrappedRows.mayBegin(file.head(Self.beginning)), .geojson:
      guard let bytes = try file.document() else { break }
      if let rows = WrappedRows(bytes) { file.replaceText(with: try SpooledText(shouldStop) { try $0(rows.bytes) }) }
    case .plist:
      guard let bytes = try file.document() else { break }
      let lines = try PropertyListRows(bytes).lines
      file.replaceText(with: try SpooledText(shouldStop) { try $0(lines) })
    case .xlsx: return try file.sheets(shouldStop)
    case .csv, .tsv, .json, .ndjson, .sql, nil: break
    }
    return [file]
  }

  private mutating func replaceText(with text: SpooledText) { (path, spooled) = (text.path, text) }

  func head(_ count: Int) -> [UInt8] {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: count)
    return Array(bytes[..<max(0, Glibc.read(descriptor, &bytes, count))])
  }

  /// All bytes of the file; nil if there is no file, which its reader reports.
  func document() throws -> [UInt8]? {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard fileSize(descriptor) <= Self.largestDocument else { throw DataFileError.tooLarge(Self.largestDocument) }
    return readToEnd(descriptor)
  }

  private func fileSize(_ descriptor: Int32) -> Int {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  private func inflated(_ shouldStop: @escaping () -> Bool) throws -> SpooledText {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw CompressionError.unreadable(errorNumber: errno) }
    defer { close(descriptor) }
    let limit = ExpansionLimit(packed: fileSize(descriptor))
    let stream = InflateStream(.gzip) { buffer in
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count < 0 { throw CompressionError.unreadable(errorNumber: errno) }
      return count
    }
    return try SpooledText(shouldStop) { write in
      while let chunk = try stream.next() {
        try limit.count(chunk.count)
        try write(chunk)
      }
    }
  }

  // MARK: Workbooks

  private func sheets(_ shouldStop: @escaping () -> Bool) throws -> [DataFile] {
    let workbook = try Workbook(path: path)
    let limit = ExpansionLimit(packed: workbook.packedSize)
    var files: [DataFile] = []
    for sheet in workbook.sheets {
      var file = self
      let rows = SheetRows(try workbook.rows(of: sheet))
      let text = try SpooledText(shouldStop) { write in
        while let lines = try rows.next() {
          try limit.count(lines.count)
          try write(lines)
        }
      }
      guard rows.hasRows else { continue }
      file.replaceText(with: text)
      (file.format, file.columns) = (.ndjson, rows.columns)
      file.entityName = Naming.entity(file: sheet.name.replacing("/", with: " "))
      file.label = "\(label), sheet \(sheet.name)"
      files.append(file)
    }
    if files.isEmpty { throw NoRows() }
    if files.count == 1 { (files[0].entityName, files[0].label) = (entityName, label) }
    return files
  }
}

/// Why a file has no rows that can be read.
enum DataFileError: Error {
  /// It has more than so many bytes, and is read as a whole.
  case tooLarge(Int)
  case damagedPropertyList
  /// The property list is an archive of objects.
  case archive
  /// The settings of readers, at this path, cannot be read.
  case damagedReaders(String)
  /// It is the dump of a database that SQLite does not read.
  case dump(of: ForeignDump)
  /// It is a dump, which makes a store of its own, among files of rows.
  case dumpAmongRows
  case notUTF8

  enum ForeignDump {
    case postgres
    case mySQL
  }
}
