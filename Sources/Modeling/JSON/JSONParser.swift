/// A recursive descent parser over the bytes of a JSON text.
struct JSONParser {
  let bytes: UnsafeRawBufferPointer
  private let start: TextPlace
  var position = 0
  private var depth = 0

  init(_ bytes: UnsafeRawBufferPointer, from start: TextPlace) {
    self.bytes = bytes
    self.start = start
  }

  mutating func parseDocument() throws(JSONError) -> JSON {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    let value = try parseValue()
    skipSpace()
    guard position == bytes.count else { throw error(.trailingText(found), at: position) }
    return value
  }

  private mutating func parseValue() throws(JSONError) -> JSON {
    skipSpace()
    switch peek {
    case UInt8(ascii: "{"): return try parseObject()
    case UInt8(ascii: "["): return try parseArray()
    case UInt8(ascii: "\""): return .string(try parseString())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case let byte? where byte == UInt8(ascii: "-") || byte &- UInt8(ascii: "0") < 10: return try parseNumber()
    default: throw unexpected("a value")
    }
  }

  /// Skips an opening bracket.
  private mutating func enter() throws(JSONError) {
    guard depth < Nesting.json else { throw error(.tooDeep(limit: Nesting.json), at: position) }
    depth += 1
    position += 1
  }

  private mutating func parseArray() throws(JSONError) -> JSON {
    try enter()
    defer { depth -= 1 }
    var elements: [JSON] = []
    if skip("]") { return .array([]) }
    while true {
      elements.append(try parseValue())
      if skip(",") { continue }
      guard skip("]") else { throw unexpected("',' or ']'") }
      return .array(elements)
    }
  }

  private mutating func parseObject() throws(JSONError) -> JSON {
    try enter()
    defer { depth -= 1 }
    var members: [String: JSON] = [:]
    if skip("}") { return .object([:]) }
    while true {
      skipSpace()
      guard peek == UInt8(ascii: "\"") else { throw unexpected("a key in quotes") }
      let key = try parseString()
      guard skip(":") else { throw unexpected("':'") }
      members[key] = try parseValue()
      if skip(",") { continue }
      guard skip("}") else { throw unexpected("',' or '}'") }
      return .object(members)
    }
  }

  private mutating func word(_ word: StaticString, _ value: JSON) throws(JSONError) -> JSON {
    let end = position + word.utf8CodeUnitCount
    let text = UnsafeRawBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    guard end <= bytes.count, bytes[position..<end].elementsEqual(text) else { throw unexpected("a value") }
    position = end
    return value
  }

  private mutating func parseNumber() throws(JSONError) -> JSON {
    let start = position
    let isInteger = try skipNumber()
    let text = UnsafeRawBufferPointer(rebasing: bytes[start..<position])
    if isInteger, let value = parseInt64(text) {
      // JSON has a negative zero; integers do not.
      return value == 0 && text[0] == UInt8(ascii: "-") ? .double(-0.0) : .int(value)
    }
    // An infinity, as files of rows write it; JSON has no word for it.
    if text.elementsEqual("1e999".utf8) { return .double(.infinity) }
    if text.elementsEqual("-1e999".utf8) { return .double(-.infinity) }
    guard let value = parseDouble(text) else {
      throw error(.numberOutOfRange(String(decoding: text, as: UTF8.self)), at: start)
    }
    return .double(value)
  }

  /// Skips a number and returns whether it is written as an integer.
  private mutating func skipNumber() throws(JSONError) -> Bool {
    let start = position
    var isInteger = true
    if peek == UInt8(ascii: "-") { position += 1 }
    let first = position
    var isValid = skipDigits() > 0 && !(bytes[first] == UInt8(ascii: "0") && position - first > 1)
    if isValid, peek == UInt8(ascii: ".") {
      position += 1
      isInteger = false
      isValid = skipDigits() > 0
    }
    if isValid, peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
      position += 1
      isInteger = false
      if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { position += 1 }
      isValid = skipDigits() > 0
    }
    guard isValid else {
      let text = bytes[start..<min(position + 1, bytes.count)]
      throw error(.invalidNumber(String(decoding: text, as: UTF8.self)), at: start)
    }
    return isInteger
  }

  private mutating func skipDigits() -> Int {
    let start = position
    while let byte = peek, byte &- UInt8(ascii: "0") < 10 { position += 1 }
    return position - start
  }
}

extension JSONParser {
  var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || (0x09...0x0A).contains(byte) || byte == 0x0D { position += 1 }
  }

  /// Skips white space, then `character` if it follows.
  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard peek == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  /// The word or character at the position, for a message.
  private var found: String {
    let rest = String(decoding: bytes[position..<min(position + 24, bytes.count)], as: UTF8.self)
    let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    return word.isEmpty ? String(rest.prefix(1)) : String(word)
  }

  private func unexpected(_ expected: String) -> JSONError {
    position < bytes.count
      ? error(.unexpected(found: found, expected: expected), at: position)
      : error(.unexpectedEnd(expected: expected), at: position)
  }

  func error(_ fact: JSONError.Fact, at offset: Int) -> JSONError {
    JSONError(fact, at: offset, of: bytes, from: start)
  }
}
