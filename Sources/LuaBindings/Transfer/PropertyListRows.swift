internal import AppleModels
internal import Modeling
internal import Spreadsheets

/// The rows in a property list, as lines of JSON: the dictionaries of an array or of a dictionary, which then have a `key`;
/// otherwise the keys and values of a dictionary, as UserDefaults keep them.
struct PropertyListRows {
  let lines: [UInt8]

  /// Reads a binary property list, or one of XML.
  ///
  /// - Throws: DataFileError, DocumentError for damaged XML.
  init(_ bytes: [UInt8]) throws {
    let json: JSON
    if BinaryPropertyList.isBegun(by: bytes) {
      guard let list = try? BinaryPropertyList(bytes), let value = list.json(limit: max(1 << 20, bytes.count * 16))
      else {
        throw DataFileError.damagedPropertyList
      }
      json = value
    } else {
      json = try XMLPropertyList(bytes).value
    }
    var lines: [UInt8] = []
    for row in try Self.rows(json) {
      JSON.object(row).write(to: &lines)
      lines.append(10)
    }
    self.lines = lines
  }

  private static func rows(_ json: JSON) throws -> [[String: JSON]] {
    switch json {
    case .array(let elements):
      return elements.map { if case .object(let fields) = $0 { fields } else { ["value": $0] } }
    case .object(let fields):
      if fields["$archiver"] != nil { throw DataFileError.archive }
      let members = fields.sorted { $0.key < $1.key }
      let areRows = members.allSatisfy { if case .object = $0.value { true } else { false } }
      return members.map { key, value in
        guard areRows, case .object(let row) = value else { return ["key": .string(key), "value": value] }
        return row.merging(["key": .string(key)]) { own, _ in own }
      }
    default: throw DataFileError.damagedPropertyList
    }
  }
}

/// A property list of XML.
private struct XMLPropertyList {
  let value: JSON

  init(_ bytes: [UInt8]) throws {
    var rest: [UInt8]? = bytes
    var scanner = XMLScanner {
      defer { rest = nil }
      return rest
    }
    var stack: [(members: [JSON], keys: [String]?)] = []
    var text = ""
    var found: JSON?
    while found == nil, let token = try scanner.next() {
      switch token {
      case .text(let part): text += part
      case .start(let name, _, let isEmpty):
        text = ""
        if name == "dict" || name == "array" {
          guard stack.count < Nesting.archives else { throw DataFileError.damagedPropertyList }
          stack.append(([], name == "dict" ? [] : nil))
        }
        if isEmpty { found = try Self.end(name, text, &stack) }
      case .end(let name): found = try Self.end(name, text, &stack)
      }
    }
    guard let found else { throw DataFileError.damagedPropertyList }
    value = found
  }

  /// Takes the value of an element into what is around it; returns the outermost value when that is complete.
  private static func end(
    _ name: String, _ text: String, _ stack: inout [(members: [JSON], keys: [String]?)]
  ) throws -> JSON? {
    let value: JSON
    switch name {
    case "plist": return nil
    case "key":
      guard !stack.isEmpty, stack[stack.count - 1].keys != nil else { throw DataFileError.damagedPropertyList }
      stack[stack.count - 1].keys?.append(text)
      return nil
    case "string", "date": value = .string(text)
    case "data": value = .string(text.filter { !$0.isWhitespace })
    case "integer":
      let digits = text.drop { "+-".contains($0) }.utf8
      guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
        throw DataFileError.damagedPropertyList
      }
      value = Int64(text).map(JSON.int) ?? .string(text)
    case "real":
      guard let number = Double(text) else { throw DataFileError.damagedPropertyList }
      value = number.isFinite ? .double(number) : .null
    case "true": value = .bool(true)
    case "false": value = .bool(false)
    case "dict", "array":
      guard let ended = stack.popLast(), (ended.keys != nil) == (name == "dict"),
        ended.keys.map({ $0.count == ended.members.count }) ?? true
      else { throw DataFileError.damagedPropertyList }
      value =
        ended.keys.map { .object(Dictionary(zip($0, ended.members), uniquingKeysWith: { $1 })) }
        ?? .array(ended.members)
    default: throw DataFileError.damagedPropertyList
    }
    if stack.isEmpty { return value }
    stack[stack.count - 1].members.append(value)
    return nil
  }
}
