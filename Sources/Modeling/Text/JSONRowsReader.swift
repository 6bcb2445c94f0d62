/// Reads the rows of a JSON file one by one: an array of objects, or one object per line (NDJSON).
///
/// The first character decides: `[` begins an array. Memory holds one row at a time.
public final class JSONRowsReader {
  /// The place at which the current row begins.
  public private(set) var place = TextPlace()
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
  /// The length of the current row, which ends at `window.start`.
  private var currentLength = 0
  private var state = State.beginning
  /// The place of `window.start`.
  private var here = TextPlace()

  private enum State {
    case beginning
    case lines
    /// In an array, before the first element.
    case arrayStart
    /// In an array, after an element.
    case array
    case finished
  }

  /// Opens the file at `path`, which may be `/dev/stdin` or a pipe.
  public convenience init(path: String) throws(JSONRowsError) {
    try self.init(path: path, chunk: 1 << 20)
  }

  /// Opens a file that is read `chunk` bytes at a time.
  init(path: String, chunk: Int, limit: Int = DelimitedReader.rowLimit) throws(JSONRowsError) {
    do {
      window = try ByteWindow(path: path, chunk: chunk, limit: limit)
    } catch {
      throw JSONRowsError(fact: .unreadable(errorNumber: error.number), place: TextPlace())
    }
  }

  /// Reads a text in memory.
  public init(bytes: [UInt8]) { window = ByteWindow(bytes: bytes) }

  /// Reads the next row; nil at the end.
  public func next() throws(JSONRowsError) -> [String: JSON]? {
    if state == .beginning { try begin() }
    guard state != .finished, let first = try skipSpace() else {
      if state == .array || state == .arrayStart { throw error(.unexpectedEnd(expected: "']'")) }
      state = .finished
      return nil
    }
    if state == .array || state == .arrayStart { guard try nextElement(first) else { return nil } }
    return try parseRow()
  }

  private func begin() throws(JSONRowsError) {
    while window.count < 3, !window.isAtEnd { try fill() }
    if window.rest.starts(with: [0xEF, 0xBB, 0xBF]) { window.start = 3 }
    guard try skipSpace() == UInt8(ascii: "[") else {
      state = .lines
      return
    }
    state = .arrayStart
    advance(1)
  }

  /// Moves to the next element of the array; returns false after the last.
  private func nextElement(_ first: UInt8) throws(JSONRowsError) -> Bool {
    if first == UInt8(ascii: "]") {
      advance(1)
      state = .finished
      guard try skipSpace() == nil else { throw error(.unexpected(found: found, expected: "the end")) }
      return false
    }
    if state == .array {
      guard first == UInt8(ascii: ",") else { throw error(.unexpected(found: found, expected: "',' or ']'")) }
      advance(1)
      guard try skipSpace() != nil else { throw error(.unexpectedEnd(expected: "a row")) }
    }
    state = .array
    return true
  }

  private func parseRow() throws(JSONRowsError) -> [String: JSON] {
    place = here
    guard window.base[window.start] == UInt8(ascii: "{") else {
      throw error(.unexpected(found: found, expected: "an object"))
    }
    let length = try rowLength()
    let json: JSON
    do {
      json = try JSON.parse(window.slice(window.start, window.start + length), from: here)
    } catch {
      throw JSONRowsError(fact: .json(error.fact), place: error.place)
    }
    advance(length)
    currentLength = length
    guard case .object(let row) = json else { preconditionFailure("what begins with a brace is an object") }
    return row
  }
}

extension JSONRowsReader {
  /// The keys of the current row in written order, which a dictionary does not preserve.
  public var keys: [String] {
    let row = window.slice(window.start - currentLength, window.start)
    var keys: [String] = []
    var known: Set<String> = []
    var depth = 0
    var opening: Int?
    var isEscaped = false
    var isKey = true
    for (offset, byte) in row.enumerated() {
      if let start = opening {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          opening = nil
          guard depth == 1, isKey, let end = row.index(offset, offsetBy: 1, limitedBy: row.endIndex) else { continue }
          let text = UnsafeRawBufferPointer(rebasing: row[start..<end])
          if case .string(let key)? = try? JSON.parse(text), known.insert(key).inserted { keys.append(key) }
          isKey = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): opening = offset
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ",") where depth == 1: isKey = true
      default: break
      }
    }
    return keys
  }

  /// The length of the row at the window's start: the line, or up to its closing bracket.
  private func rowLength() throws(JSONRowsError) -> Int {
    var scanner = BracketScanner()
    while true {
      let bytes = window.rest
      let end =
        state == .lines ? bytes.dropFirst(scanner.position).firstIndex(of: UInt8(ascii: "\n")) : scanner.end(in: bytes)
      if let end { return end }
      // An incomplete row at the end of the text is left to the parser, which reports what is missing.
      if window.isAtEnd { return bytes.count }
      guard !window.isFull else { throw error(.rowTooLong(limit: bytes.count)) }
      scanner.position = bytes.count
      try fill()
    }
  }

  /// Skips white space and returns the next byte.
  private func skipSpace() throws(JSONRowsError) -> UInt8? {
    while true {
      let bytes = window.rest
      if let index = bytes.firstIndex(where: { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }) {
        advance(index)
        return bytes[index]
      }
      // A carriage return at the end of the window may precede a line feed, so it waits for more bytes.
      advance(bytes.last == 0x0D ? bytes.count - 1 : bytes.count)
      if window.isAtEnd { return nil }
      try fill()
    }
  }

  private func advance(_ count: Int) {
    here = TextPlace(of: count, in: window.rest, from: here)
    window.start += count
  }

  private func fill() throws(JSONRowsError) {
    do {
      try window.fill()
    } catch {
      throw self.error(.unreadable(errorNumber: error.number))
    }
  }

  private var found: String { String(decoding: window.rest.prefix(1), as: UTF8.self) }

  private func error(_ fact: JSONRowsError.Fact) -> JSONRowsError { JSONRowsError(fact: fact, place: here) }
}

/// Finds the end of an object by counting brackets outside strings; resumes where it stopped.
private struct BracketScanner {
  var position = 0
  private var depth = 0
  private var isInString = false
  private var isEscaped = false

  /// The offset after the closing bracket, if it is in the window.
  mutating func end(in bytes: UnsafeRawBufferPointer) -> Int? {
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth <= 0 { return position }
      default: break
      }
    }
    return nil
  }
}
