internal import Modeling

/// The pattern of LIKE: `*` matches any number of characters, `?` exactly one, a backslash escapes either.
///
/// A character is a Unicode scalar, as in SQLite.
struct Wildcard {
  private enum Element {
    case byte(UInt8)
    case one
    case many
  }

  private let elements: [Element]

  /// Reads a pattern in UTF-8.
  init(_ pattern: [UInt8]) {
    var elements: [Element] = []
    var index = 0
    while index < pattern.count {
      switch pattern[index] {
      case UInt8(ascii: "*"): elements.append(.many)
      case UInt8(ascii: "?"): elements.append(.one)
      case UInt8(ascii: "\\") where index + 1 < pattern.count:
        index += 1
        elements.append(.byte(pattern[index]))
      default: elements.append(.byte(pattern[index]))
      }
      index += 1
    }
    self.elements = elements
  }

  /// Whether the whole text matches. O(text · pattern) at worst: matching backtracks to the last star only.
  ///
  /// - Throws: `EvaluationInterrupted`.
  func matches(_ text: UnsafeBufferPointer<UInt8>) throws -> Bool {
    var (position, element, steps) = (0, 0, 0)
    var star: (element: Int, position: Int)?
    while position < text.count {
      steps += 1
      if steps & 0xFFFF == 0 { try Interruption.check() }
      if element < elements.count {
        switch elements[element] {
        case .many:
          star = (element, position)
          element += 1
          continue
        case .one:
          position = Self.next(text, position)
          element += 1
          continue
        case .byte(let byte) where byte == text[position]:
          position += 1
          element += 1
          continue
        case .byte: break
        }
      }
      guard let last = star else { return false }
      position = Self.next(text, last.position)
      star = (last.element, position)
      element = last.element + 1
    }
    return elements[element...].allSatisfy { if case .many = $0 { true } else { false } }
  }

  /// The position after the scalar at `position`.
  private static func next(_ text: UnsafeBufferPointer<UInt8>, _ position: Int) -> Int {
    var next = position + 1
    while next < text.count, text[next] & 0xC0 == 0x80 { next += 1 }
    return next
  }
}
