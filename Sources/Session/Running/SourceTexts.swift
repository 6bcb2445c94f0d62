internal import Glibc
internal import Modeling

/// The source texts that ran, from which messages show lines.
///
/// Files that scripts load by themselves are read when a message needs them.
package struct SourceTexts {
  private var texts: [String: String] = [:]
  private var files: Set<String> = []

  /// Stores a source under its chunk name: `=-e`, `@report.lua`.
  package mutating func add(_ text: String, chunk: String) { texts[Self.displayName(of: chunk)] = text }

  /// The chunk's name in messages.
  static func displayName(of chunk: String) -> String {
    chunk.hasPrefix("=") || chunk.hasPrefix("@") ? String(chunk.dropFirst()) : chunk
  }

  /// Stores the name of a file that ran; its text is read when a message needs it.
  package mutating func add(file path: String) { files.insert(path) }

  /// The full chunk name for a name in a message: Lua shortens long ones to `...` and their end.
  func resolve(_ name: String) -> String {
    guard name.hasPrefix("...") else { return name }
    return files.first { $0.hasSuffix(name.dropFirst(3)) } ?? name
  }

  /// Whether a source of this name ran or exists as a file.
  func contains(_ name: String) -> Bool {
    texts[name] != nil || files.contains(name) || (name.hasSuffix(".lua") && isReadable(name))
  }

  /// Whether a source of this name was run by the user, not loaded by a script.
  func hasRun(_ name: String) -> Bool { texts[name] != nil || files.contains(name) }

  /// The source text with this name in messages.
  func text(_ name: String) -> String? {
    if let known = texts[name] { return known }
    return (try? readFile(name)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// A line of a text, from 1.
  func line(_ number: Int, of name: String) -> String? {
    guard number > 0, let text = text(name) else { return nil }
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), maxSplits: number, omittingEmptySubsequences: false)
    return number <= lines.count ? String(lines[number - 1]) : nil
  }

  /// Finds a piece of text in a source, the occurrence nearest to a line; returns the line and the byte in it
  /// of the piece's byte at `offset`.
  func place(of piece: String, offset: Int, near line: Int, in name: String) -> (line: Int, column: Int)? {
    guard !piece.isEmpty, let text = text(name) else { return nil }
    let bytes = Array(text.utf8)
    var best: (line: Int, column: Int)?
    for start in Self.occurrences(of: Array(piece.utf8), in: bytes) {
      let place = start + min(offset, piece.utf8.count)
      let number = bytes[..<place].count { $0 == UInt8(ascii: "\n") } + 1
      let lineStart = bytes[..<place].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
      if best.map({ abs($0.line - line) > abs(number - line) }) ?? true { best = (number, place - lineStart) }
    }
    return best
  }

  private static func occurrences(of piece: [UInt8], in bytes: [UInt8]) -> [Int] {
    guard bytes.count >= piece.count else { return [] }
    return (0...bytes.count - piece.count).filter {
      bytes[$0] == piece[0] && bytes[$0..<$0 + piece.count].elementsEqual(piece)
    }
  }
}

/// Why a file could not be read or written.
package struct FileFailure: Error {
  var path: String
  var errno: Int32
  var verb = "read"

  package init(path: String, errno: Int32, verb: String = "read") {
    self.path = path
    self.errno = errno
    self.verb = verb
  }

  package var sentence: String {
    let path = path.withoutPassword
    return errno == EEXIST
      ? "'\(path)' is there already; force = true replaces it"
      : "'\(path)' cannot be \(verb): \(String(cString: strerror(errno)))"
  }
}

/// The bytes of a file.
package func readFile(_ path: String) throws(FileFailure) -> [UInt8] {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { throw FileFailure(path: path, errno: errno) }
  defer { close(descriptor) }
  var status = stat()
  if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
    throw FileFailure(path: path, errno: EISDIR)
  }
  return readToEnd(descriptor)
}

/// Whether a readable file exists at the path.
package func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }
