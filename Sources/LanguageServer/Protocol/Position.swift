internal import Modeling

/// A place in a document: a line and a character in it, both from 0, in the units of a `PositionEncoding`.
struct Position: Equatable {
  var line: Int
  var character: Int

  init(line: Int, character: Int) { (self.line, self.character) = (line, character) }

  init?(_ json: JSON) {
    guard case .object(let members) = json, let line = members["line"]?.index,
      let character = members["character"]?.index
    else { return nil }
    self.init(line: line, character: character)
  }

  var json: JSON { .object(["line": .int(Int64(line)), "character": .int(Int64(character))]) }
}

/// The units in which clients count the characters of a line.
enum PositionEncoding: String {
  case utf8 = "utf-8"
  case utf16 = "utf-16"

  /// UTF-8 where a client offers it, because texts are kept in it, else UTF-16, which each client takes.
  init(offered: JSON?) {
    guard case .array(let names)? = offered, names.contains(.string(Self.utf8.rawValue)) else {
      self = .utf16
      return
    }
    self = .utf8
  }

  /// The number of units of a character that begins with a byte; none for a byte that continues one.
  func units(ofCharacterBeginningWith byte: UInt8) -> Int {
    switch byte {
    case 0x80...0xBF: 0
    case 0xF0...: self == .utf16 ? 2 : 4
    case 0xE0...: self == .utf16 ? 1 : 3
    case 0xC0...: self == .utf16 ? 1 : 2
    default: 1
    }
  }
}
