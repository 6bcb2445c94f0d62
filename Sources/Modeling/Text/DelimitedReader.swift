internal import Glibc

/// Reads the rows of a CSV or TSV file, as RFC 4180 describes them, as slices of bytes.
///
/// ```swift
/// let reader = try DelimitedReader(path: "quakes.csv")
/// while try reader.next() {
///   let magnitude = parseDouble(reader.field(1))
/// }
/// ```
///
/// Lines end in LF, CRLF or CR. A byte order mark is skipped, and so are empty lines unless the rows have one field. All
/// rows must have as many fields as the first. A field's bytes are valid until the next row is read.
public final class DelimitedReader {
  /// The characters that delimit rows and fields.
  public struct Format: Hashable, Sendable {
    /// The character between fields.
    public var delimiter: UInt8
    /// The character around fields that contain delimiters, quotes or line ends; nil if quotes have no meaning.
    public var quote: UInt8?

    /// Makes a format of ASCII characters.
    public init(delimiter: UInt8, quote: UInt8? = UInt8(ascii: "\"")) {
      self.delimiter = delimiter
      self.quote = quote
    }

    /// Comma-separated values.
    public static let csv = Format(delimiter: UInt8(ascii: ","))
    /// Tab-separated values.
    public static let tsv = Format(delimiter: UInt8(ascii: "\t"))
  }

  /// The maximum length of a row, in bytes.
  public static let rowLimit = 256 << 20

  /// The line at which the current row begins, from 1.
  public private(set) var line = 0
  /// The number of fields in the current row.
  public var fieldCount: Int { fields.count }
  /// Whether rows may have more or fewer fields than the first.
  public var allowsUnequalRows = false
  /// The size of the text in bytes, if known; with `offset` for a progress bar.
  public var size: Int? { window.size }
  /// The offset after the current row.
  public var offset: Int { window.dropped + window.start }
  /// Called when a signal interrupts the wait for a pipe; true ends reading with EINTR.
  public var shouldStop: () -> Bool {
    get { window.shouldStop }
    set { window.shouldStop = newValue }
  }

  private let window: ByteWindow
  private var scanner: DelimitedScanner
  /// Whether to detect the delimiter at the beginning.
  private let detectsDelimiter: Bool
  /// Whether `next` returns the current row again.
  private var isPutBack = false
  private let fields = FieldSlots()
  /// The offset of the current row in the window.
  private var rowStart = 0
  private var nextLine = 1
  private var expectedCount: Int?
  private var isAtBeginning = true

  /// Opens the file at `path`, which may be `/dev/stdin` or a pipe.
  ///
  /// With `detectsDelimiter` the reader detects whether `,` `;` a tab or `|` separates fields.
  public convenience init(
    path: String, format: Format = .csv, detectsDelimiter: Bool = false
  ) throws(DelimitedError) {
    try self.init(path: path, format: format, chunk: 1 << 20, detectsDelimiter: detectsDelimiter)
  }

  /// Opens a file that is read `chunk` bytes at a time.
  convenience init(
    path: String, format: Format, chunk: Int, limit: Int = rowLimit, detectsDelimiter: Bool = false
  ) throws(DelimitedError) {
    do {
      self.init(try ByteWindow(path: path, chunk: chunk, limit: limit), format, detectsDelimiter)
    } catch {
      throw DelimitedError(fact: .unreadable(errorNumber: error.number), place: TextPlace())
    }
  }

  /// Reads a text in memory.
  public convenience init(bytes: [UInt8], format: Format = .csv, detectsDelimiter: Bool = false) {
    self.init(ByteWindow(bytes: bytes), format, detectsDelimiter)
  }

  private init(_ window: ByteWindow, _ format: Format, _ detectsDelimiter: Bool) {
    self.window = window
    self.detectsDelimiter = detectsDelimiter
    scanner = DelimitedScanner(format)
  }

  /// The format; after the first row it has the detected delimiter.
  public var format: Format { scanner.format }

  /// Makes the next call of `next` return this row again.
  public func putBack() { isPutBack = true }

  /// Reads the next row; returns false at the end.
  ///
  /// After a row with a wrong number of fields the next row can be read; other errors are final.
  public func next() throws(DelimitedError) -> Bool {
    if isPutBack {
      isPutBack = false
      return true
    }
    if isAtBeginning { try begin() }
    repeat {
      guard try scanRow() else { return false }
    } while isBlank && expectedCount != 1
    try checkCount()
    return true
  }

  /// The bytes of a field, without quotes.
  public func field(_ index: Int) -> UnsafeRawBufferPointer {
    let slot = fields[index]
    if slot.isEscaped { return fields.unescaped(slot) }
    return window.slice(rowStart + slot.start, rowStart + slot.end)
  }

  /// Whether a field is quoted: `""` is an empty text, an empty field without quotes is nil.
  public func wasQuoted(_ index: Int) -> Bool { fields[index].isQuoted }

  /// A field as text.
  public func text(_ index: Int) throws(DelimitedError) -> String {
    let bytes = field(index)
    guard isValidUTF8(bytes) else { throw DelimitedError(fact: .invalidUTF8, place: place(ofField: index)) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The place at which a field of the current row begins.
  public func place(ofField index: Int) -> TextPlace {
    place(of: fields[index].start - (fields[index].isQuoted ? 1 : 0))
  }
}

extension DelimitedReader {
  private var isBlank: Bool { fields.count == 1 && !fields[0].isQuoted && fields[0].start == fields[0].end }

  private func begin() throws(DelimitedError) {
    try skipMark()
    guard detectsDelimiter else { return }
    while window.count < Self.sampleSize, !window.isAtEnd, !window.isFull { try fill() }
    let quote = scanner.format.quote
    let delimiter = DelimiterDetector.delimiter(of: window.rest, isAtEnd: window.isAtEnd, quote: quote)
    scanner = DelimitedScanner(Format(delimiter: delimiter, quote: quote))
  }

  /// The number of bytes in which to detect the delimiter.
  private static let sampleSize = 1 << 16

  private func skipMark() throws(DelimitedError) {
    while window.count < 3, !window.isAtEnd { try fill() }
    isAtBeginning = false
    if window.rest.starts(with: [0xEF, 0xBB, 0xBF]) { window.start = 3 }
    if window.rest.starts(with: [0xFF, 0xFE]) || window.rest.starts(with: [0xFE, 0xFF]) {
      throw DelimitedError(fact: .wrongEncoding("UTF-16"), place: TextPlace())
    }
  }

  /// Scans one row, reading more until it is complete; returns false at the end of the text.
  private func scanRow() throws(DelimitedError) -> Bool {
    line = nextLine
    while true {
      rowStart = window.start
      switch scanner.scan(window.rest, isAtEnd: window.isAtEnd, into: fields) {
      case .row(let length):
        window.start += length
        nextLine += 1
        if fields.hasQuoted { finishQuotedFields() }
        return true
      case .end: return false
      case .incomplete where window.isFull: throw error(.rowTooLong(limit: window.count - window.start), at: 0)
      case .incomplete: try fill()
      case .mistake(let fact, let offset): throw error(fact, at: offset)
      }
    }
  }

  private func finishQuotedFields() {
    for index in 0..<fields.count where fields[index].isQuoted {
      let slot = fields[index]
      let raw = window.slice(rowStart + slot.start, rowStart + slot.end)
      nextLine += TextPlace(of: raw.count, in: raw).line - 1
      if slot.isEscaped { fields.unescape(raw, at: index, quote: scanner.format.quote ?? 0) }
    }
  }

  private func checkCount() throws(DelimitedError) {
    guard let expected = expectedCount else {
      expectedCount = fields.count
      return
    }
    guard fields.count != expected, !allowsUnequalRows else { return }
    let offset = fields.count > expected ? fields[expected].start : fields[fields.count - 1].end
    throw error(.wrongFieldCount(expected: expected, found: fields.count), at: offset)
  }

  private func fill() throws(DelimitedError) {
    do {
      try window.fill()
    } catch {
      throw DelimitedError(fact: .unreadable(errorNumber: error.number), place: place(of: 0))
    }
  }

  private func place(of offset: Int) -> TextPlace {
    var start = TextPlace()
    start.line = max(line, 1)
    return TextPlace(of: offset, in: window.slice(rowStart, window.count), from: start)
  }

  private func error(_ fact: DelimitedError.Fact, at offset: Int) -> DelimitedError {
    DelimitedError(fact: fact, place: place(of: offset))
  }
}
