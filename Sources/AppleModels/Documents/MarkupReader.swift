internal import Modeling

/// Reads the XML of a document: elements and attributes, which is all that models are written with.
///
/// There are no entities but the five that every XML has and those of numbers, so that nothing grows; a declaration of
/// others is refused. It is a reader of our own because that of Foundation brings libxml2 with it, another library that
/// a static program would need.
struct MarkupReader {

  private let bytes: [UInt8]
  private var position = 0
  private var line = 1

  /// The outermost element.
  ///
  /// - Throws: `.damaged` with the line, for text that is no such XML.
  static func document(_ bytes: [UInt8]) throws(AppleModelError) -> MarkupElement {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw AppleModelError(.damaged("the text is not UTF-8"))
    }
    var reader = MarkupReader(bytes: bytes)
    return try reader.document()
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private mutating func document() throws(AppleModelError) -> MarkupElement {
    accept("\u{FEFF}")
    try skipMiscellany()
    guard position < bytes.count, current == UInt8(ascii: "<") else { throw error("there is no element") }
    let root = try elements()
    try skipMiscellany()
    guard position == bytes.count else { throw error("there is something after the end") }
    return root
  }

  private var current: UInt8 { position < bytes.count ? bytes[position] : 0 }

  private func error(_ reason: String) -> AppleModelError { AppleModelError(.damaged("line \(line): \(reason)")) }

  private mutating func advance() {
    if position < bytes.count, bytes[position] == 0x0A { line += 1 }
    position += 1
  }

  @discardableResult private mutating func accept(_ text: String) -> Bool {
    let expected = Array(text.utf8)
    guard bytes.count - position >= expected.count, bytes[position..<position + expected.count].elementsEqual(expected)
    else { return false }
    for _ in expected { advance() }
    return true
  }

  private mutating func skip(through end: String, of what: String) throws(AppleModelError) {
    while position < bytes.count {
      if accept(end) { return }
      advance()
    }
    throw error("\(what) does not end")
  }

  /// Skips spaces, comments and instructions, and the declaration of a document's type if it declares nothing.
  private mutating func skipMiscellany() throws(AppleModelError) {
    while position < bytes.count {
      if accept("<!--") {
        try skip(through: "-->", of: "a comment")
      } else if accept("<?") {
        try skip(through: "?>", of: "an instruction")
      } else if accept("<!DOCTYPE") {
        while position < bytes.count, current != UInt8(ascii: ">") {
          guard current != UInt8(ascii: "[") else { throw error("it declares entities, which no model does") }
          advance()
        }
        advance()
      } else if current.isMarkupSpace {
        advance()
      } else {
        return
      }
    }
  }

  /// Reads the element that begins here, and all in it, without recursion.
  private mutating func elements() throws(AppleModelError) -> MarkupElement {
    var open: [MarkupElement] = []
    while true {
      guard position < bytes.count else { throw error("\(open.last?.name ?? "the document") does not end") }
      if current != UInt8(ascii: "<") {
        advance()
      } else if accept("<!--") {
        try skip(through: "-->", of: "a comment")
      } else if accept("<![CDATA[") {
        try skip(through: "]]>", of: "a text")
      } else if accept("<?") {
        try skip(through: "?>", of: "an instruction")
      } else if accept("</") {
        if let root = try close(&open) { return root }
      } else {
        advance()
        let (element, isClosed) = try start()
        guard open.count < Nesting.markup else {
          throw error("its elements nest more than \(Nesting.markup) levels deep")
        }
        open.append(element)
        if isClosed, let root = Self.closed(&open) { return root }
      }
    }
  }

  private mutating func close(_ open: inout [MarkupElement]) throws(AppleModelError) -> MarkupElement? {
    let name = try self.name("the name of an element")
    skipSpaces()
    guard accept(">") else { throw error("</\(name) does not end") }
    guard open.last?.name == name else { throw error("</\(name)> ends nothing that began") }
    return Self.closed(&open)
  }

  /// Adds the innermost element to its parent; returns it if it has no parent.
  private static func closed(_ open: inout [MarkupElement]) -> MarkupElement? {
    guard let element = open.popLast() else { return nil }
    guard !open.isEmpty else { return element }
    open[open.count - 1].children.append(element)
    return nil
  }

  /// Reads the rest of a tag, after its `<`.
  private mutating func start() throws(AppleModelError) -> (element: MarkupElement, isClosed: Bool) {
    let line = line
    var element = MarkupElement(name: try name("the name of an element"), line: line)
    while true {
      skipSpaces()
      if accept("/>") { return (element, true) }
      if accept(">") { return (element, false) }
      let key = try name("an attribute, or the end of <\(element.name)")
      skipSpaces()
      guard accept("=") else { throw error("the attribute \(key) has no value") }
      skipSpaces()
      guard element.attributes.updateValue(try value(of: key), forKey: key) == nil else {
        throw error("the attribute \(key) is given twice")
      }
    }
  }

  private mutating func skipSpaces() {
    while position < bytes.count, current.isMarkupSpace { advance() }
  }

  private mutating func name(_ what: String) throws(AppleModelError) -> String {
    let start = position
    while position < bytes.count, current.isMarkupName { position += 1 }
    guard position > start else { throw error("expected \(what)") }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func value(of key: String) throws(AppleModelError) -> String {
    let quote = current
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { throw error("\(key) is not in quotes") }
    advance()
    var value: [UInt8] = []
    while position < bytes.count, current != quote {
      switch current {
      case UInt8(ascii: "<"): throw error("there is a < in the value of \(key)")
      case UInt8(ascii: "&"): value += try reference()
      // As XML has it: line ends of an attribute are spaces, unless they are written as numbers.
      case 0x09, 0x0A, 0x0D:
        value.append(0x20)
        advance()
      default:
        value.append(current)
        advance()
      }
    }
    guard position < bytes.count else { throw error("the value of \(key) does not end") }
    advance()
    return String(decoding: value, as: UTF8.self)
  }

  /// Reads `&amp;`, `&#10;` or `&#xA;`.
  private mutating func reference() throws(AppleModelError) -> [UInt8] {
    advance()
    let start = position
    while position < bytes.count, current != UInt8(ascii: ";"), position - start < 12 { position += 1 }
    let name = String(decoding: bytes[start..<min(position, bytes.count)], as: UTF8.self)
    guard accept(";") else { throw error("&\(name) does not end") }
    let known = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
    if let text = known[name] { return Array(text.utf8) }
    var digits = name.dropFirst()
    let isHexadecimal = digits.first == "x"
    if isHexadecimal { digits = digits.dropFirst() }
    guard name.hasPrefix("#"), let number = UInt32(digits, radix: isHexadecimal ? 16 : 10),
      let scalar = Unicode.Scalar(number)
    else { throw error("&\(name); means nothing") }
    return Array(String(scalar).utf8)
  }
}

extension UInt8 {
  fileprivate var isMarkupSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }

  fileprivate var isMarkupName: Bool {
    self >= 0x80 || (0x30...0x3A).contains(self) || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
      || self == 0x5F || self == 0x2D || self == 0x2E
  }
}
