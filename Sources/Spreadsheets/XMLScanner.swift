/// Reads the tags and texts of an XML document one after the other, as far as spreadsheets and property lists use it.
package struct XMLScanner {
  /// What comes next.
  package enum Token {
    /// A tag, without the prefix of its name; an empty element has no end tag.
    case start(String, attributes: XMLAttributes, isEmpty: Bool)
    case end(String)
    case text(String)
  }

  /// The largest tag or text, in bytes.
  private static let limit = 16 << 20
  private let read: () throws -> [UInt8]?
  private var bytes: [UInt8] = []
  private var place = 0

  package init(_ read: @escaping () throws -> [UInt8]?) { self.read = read }

  /// The next tag or text; nil at the end.
  ///
  /// - Throws: DocumentError for a damaged document; what reading throws.
  package mutating func next() throws -> Token? {
    while true {
      guard try has(1) else { return nil }
      if bytes[place] != UInt8(ascii: "<") { return .text(Self.decoded(try takeText())) }
      guard try has(2), [UInt8(ascii: "!"), UInt8(ascii: "?")].contains(bytes[place + 1]) else {
        place += 1
        return Self.tag(try takeTag())
      }
      if try follows("<!--") {
        _ = try take(upTo: Array("-->".utf8))
        place += 3
      } else if try follows("<![CDATA[") {
        place += 9
        let text = String(decoding: try take(upTo: Array("]]>".utf8)), as: UTF8.self)
        place += 3
        return .text(text)
      } else if try follows("<!") {
        // Its own declarations can define texts that grow without bound.
        let declaration = try take(upTo: [UInt8(ascii: ">")])
        place += 1
        if declaration.contains(UInt8(ascii: "[")) { throw DocumentError.damaged("it declares texts of its own") }
      } else {
        _ = try take(upTo: Array("?>".utf8))
        place += 2
      }
    }
  }

  // MARK: Bytes

  private mutating func has(_ count: Int) throws -> Bool {
    bytes.count - place >= count ? true : try readMore(for: count)
  }

  private mutating func readMore(for count: Int) throws -> Bool {
    while bytes.count - place < count {
      guard let more = try read() else { return false }
      bytes.removeFirst(place)
      place = 0
      bytes += more
    }
    return true
  }

  private mutating func follows(_ text: String) throws -> Bool {
    let count = text.utf8.count
    return try has(count) && bytes[place..<(place + count)].elementsEqual(text.utf8)
  }

  /// The bytes before the next tag, or up to the end.
  private mutating func takeText() throws -> ArraySlice<UInt8> {
    var offset = 0
    while try has(offset + 1) {
      let end = bytes[(place + offset)...].firstIndex(of: UInt8(ascii: "<"))
      offset = (end ?? bytes.count) - place
      if end != nil { break }
      if offset > Self.limit { throw Self.tooLong }
    }
    defer { place += offset }
    return bytes[place..<(place + offset)]
  }

  /// The bytes before an end, which stays.
  private mutating func take(upTo end: [UInt8]) throws -> ArraySlice<UInt8> {
    var offset = 0
    while try has(offset + end.count) {
      if bytes[(place + offset)...].starts(with: end) {
        defer { place += offset }
        return bytes[place..<(place + offset)]
      }
      offset += 1
      if offset > Self.limit { throw Self.tooLong }
    }
    throw DocumentError.damaged("a comment or a text does not end")
  }

  private static var tooLong: DocumentError { .damaged("it has a text of more than 16 MB") }

  /// The bytes of a tag between its brackets; a value in quotes may have a bracket of its own.
  private mutating func takeTag() throws -> ArraySlice<UInt8> {
    var quote: UInt8 = 0
    var offset = 0
    while try has(offset + 1), offset <= Self.limit {
      let start = place + offset
      let end = bytes.withUnsafeBufferPointer { bytes -> Int? in
        for index in start..<bytes.count {
          let byte = bytes[index]
          if quote != 0 {
            if byte == quote { quote = 0 }
          } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
            quote = byte
          } else if byte == UInt8(ascii: ">") {
            return index
          }
        }
        return nil
      }
      if let end {
        defer { place = end + 1 }
        return bytes[place..<end]
      }
      offset = bytes.count - place
    }
    throw DocumentError.damaged("a tag does not end")
  }

  // MARK: Tags

  private static func tag(_ bytes: ArraySlice<UInt8>) -> Token {
    if bytes.first == UInt8(ascii: "/") { return .end(local(bytes.dropFirst().prefix { !isSpace($0) })) }
    let isEmpty = bytes.last == UInt8(ascii: "/")
    let content = isEmpty ? bytes.dropLast() : bytes
    let name = content.prefix { !isSpace($0) }
    var rest = content[name.endIndex...]
    var attributes = XMLAttributes()
    while let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
      let key = rest[..<equals].drop(while: isSpace)
      guard let quote = rest[(equals + 1)...].first(where: { $0 == 34 || $0 == 39 }),
        let start = rest[(equals + 1)...].firstIndex(of: quote),
        let end = rest[(start + 1)...].firstIndex(of: quote)
      else { break }
      attributes.add(local(key.prefix { !isSpace($0) }), decoded(rest[(start + 1)..<end]))
      rest = rest[(end + 1)...]
    }
    return .start(local(name), attributes: attributes, isEmpty: isEmpty)
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }

  /// A name without its prefix.
  private static func local(_ name: ArraySlice<UInt8>) -> String {
    let start = name.lastIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? name.startIndex
    return String(decoding: name[start...], as: UTF8.self)
  }

  private static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
    guard bytes.contains(UInt8(ascii: "&")) else { return String(decoding: bytes, as: UTF8.self) }
    var text = ""
    var rest = bytes
    while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
      text += String(decoding: rest[..<start], as: UTF8.self)
      guard let end = rest[start...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else {
        text += "&"
        rest = rest[(start + 1)...]
        continue
      }
      text += character(String(decoding: rest[(start + 1)..<end], as: UTF8.self))
      rest = rest[(end + 1)...]
    }
    return text + String(decoding: rest, as: UTF8.self)
  }

  private static func character(_ name: String) -> String {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
      let number = name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst())
      return name.hasPrefix("#") ? number.flatMap(Unicode.Scalar.init).map { String($0) } ?? "" : "&\(name);"
    }
  }
}

/// The attributes of a tag. A tag has few, so that a list is faster than a table.
package struct XMLAttributes {
  package private(set) var all: [(name: String, value: String)] = []

  fileprivate mutating func add(_ name: String, _ value: String) { all.append((name, value)) }

  /// The value of an attribute by its name without a prefix.
  package subscript(_ name: String) -> String? { all.last { $0.name == name }?.value }
}
