/// A message of PostgreSQL's protocol: a letter, and a body behind its length.
struct WireMessage {
  var letter: UInt8
  var body: [UInt8]

  init(_ letter: Character, _ body: [UInt8]) {
    self.letter = letter.asciiValue ?? 0
    self.body = body
  }

  /// Reads the next message; nil at the end.
  init?(from descriptor: Int32) {
    guard let head = UnixSocket.read(descriptor, 5) else { return nil }
    let length = Int(Self.number(head[1...]))
    guard length >= 4, let body = UnixSocket.read(descriptor, length - 4) else { return nil }
    (letter, self.body) = (head[0], body)
  }

  /// An error with its fields.
  init(error: ProxyError) {
    var body: [UInt8] = []
    for (code, text) in [("S", error.severity), ("V", error.severity), ("C", error.sqlState), ("M", error.message)] {
      body += Array(code.utf8) + Array(text.utf8) + [0]
    }
    self.init("E", body + [0])
  }

  var bytes: [UInt8] { [letter] + Self.bytes(UInt32(body.count + 4)) + body }

  var kind: Character { Character(UnicodeScalar(letter)) }

  /// The texts at the beginning of the body, and what stands behind them.
  func texts(_ count: Int) -> (texts: [String], rest: [UInt8]) {
    var (texts, rest) = ([String](), body[...])
    for _ in 0..<count {
      let text = rest.prefix { $0 != 0 }
      texts.append(String(decoding: text, as: UTF8.self))
      rest = rest[text.endIndex...].dropFirst()
    }
    return (texts, Array(rest))
  }

  /// The same message with other texts at its beginning.
  func with(_ texts: [String]) -> WireMessage {
    var copy = self
    copy.body = texts.flatMap { Array($0.utf8) + [0] } + self.texts(texts.count).rest
    return copy
  }

  static func number(_ bytes: some Collection<UInt8>) -> UInt32 { bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) } }

  static func bytes(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
}

/// What a server says of a refusal.
struct ProxyError: Sendable {
  var severity = "ERROR"
  var sqlState: String
  var message: String

  static let serialization = ProxyError(
    sqlState: "40001", message: "could not serialize access due to read/write dependencies among transactions")
  static let termination = ProxyError(
    severity: "FATAL", sqlState: "57P01", message: "terminating connection due to administrator command")
}
