/// The replies of a terminal to questions, apart from keys that were typed meanwhile.
///
///     var replies = TerminalReplies()
///     replies.feed(bytes)
///     replies.hasEnded      // the last question was answered
package struct TerminalReplies: Equatable {
  /// The questions, in order; every terminal answers the last one.
  ///
  /// They are for the size of a cell in pixels, the colour of the ground, the pictures of kitty, and the attributes of the
  /// device, among which 4 stands for sixels.
  package static let questions = "\u{1B}[16t\u{1B}]11;?\u{1B}\\\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[c"

  /// The width and height of a cell in pixels.
  package private(set) var cell: (width: Int, height: Int)?
  /// Whether the ground is dark.
  package private(set) var isDark: Bool?
  package private(set) var hasKitty = false
  package private(set) var hasSixel = false
  /// Whether the answer to the last question has come.
  package private(set) var hasEnded = false
  /// The bytes that are no answers: keys.
  package private(set) var typed: [UInt8] = []
  /// The beginning of a sequence that is not complete.
  private var waiting: [UInt8] = []

  package init() {}

  package static func == (one: Self, other: Self) -> Bool {
    one.cell?.width == other.cell?.width && one.cell?.height == other.cell?.height && one.isDark == other.isDark
      && one.hasKitty == other.hasKitty && one.hasSixel == other.hasSixel && one.hasEnded == other.hasEnded
      && one.typed == other.typed && one.waiting == other.waiting
  }

  package mutating func feed(_ bytes: [UInt8]) {
    waiting += bytes
    while let length = nextLength() {
      let sequence = Array(waiting.prefix(length))
      waiting.removeFirst(length)
      if !take(sequence) { typed += sequence }
    }
  }

  /// Ends the waiting: incomplete bytes were typed.
  package mutating func finish() {
    typed += waiting
    waiting = []
  }

  /// The length of the first sequence, or of a byte if there is none; nil if the sequence is incomplete.
  private func nextLength() -> Int? {
    guard let first = waiting.first else { return nil }
    guard first == 0x1B else { return 1 }
    guard waiting.count > 1 else { return nil }
    switch waiting[1] {
    case UInt8(ascii: "["):
      let end = waiting.dropFirst(2).firstIndex { (0x40...0x7E).contains($0) }
      return end.map { $0 + 1 }
    case UInt8(ascii: "]"), UInt8(ascii: "_"), UInt8(ascii: "P"):
      // A string ends with a bell or with ESC \.
      for place in waiting.indices.dropFirst(2) {
        if waiting[place] == 0x07 { return place + 1 }
        if waiting[place] == 0x1B {
          guard place + 1 < waiting.count else { return nil }
          return waiting[place + 1] == UInt8(ascii: "\\") ? place + 2 : place
        }
      }
      return nil
    default: return 2
    }
  }

  /// Reads a reply; returns false if the sequence is not a reply.
  private mutating func take(_ sequence: [UInt8]) -> Bool {
    guard sequence.first == 0x1B else { return false }
    let text = String(decoding: sequence.dropFirst(), as: UTF8.self)
    if text.hasPrefix("_Gi=31") {
      hasKitty = hasKitty || text.contains(";OK")
      return true
    }
    if text.hasPrefix("]11;") {
      isDark = Self.isDark(text.dropFirst(4)) ?? isDark
      return true
    }
    if text.hasPrefix("[6;"), text.hasSuffix("t") {
      let numbers = text.dropFirst(3).dropLast().split(separator: ";").compactMap { Int($0) }
      if numbers.count == 2, numbers.allSatisfy({ (1...500).contains($0) }) { cell = (numbers[1], numbers[0]) }
      return true
    }
    if text.hasPrefix("[?"), text.hasSuffix("c") {
      // The first number is the class of the device.
      hasSixel = text.dropFirst(2).dropLast().split(separator: ";").dropFirst().contains("4")
      hasEnded = true
      return true
    }
    return false
  }

  /// Whether `rgb:0d0d/1111/1717` is dark.
  private static func isDark(_ text: Substring) -> Bool? {
    guard let start = text.firstRange(of: "rgb") else { return nil }
    let parts = text[start.upperBound...].drop { $0 != ":" }.dropFirst().split(separator: "/").prefix(3).map { part in
      let digits = part.prefix { $0.isHexDigit }
      guard !digits.isEmpty, digits.count <= 4, let number = Int(digits, radix: 16) else { return -1.0 }
      return Double(number) / Double(1 << (4 * digits.count) - 1)
    }
    guard parts.count == 3, !parts.contains(where: { $0 < 0 }) else { return nil }
    return 0.299 * parts[0] + 0.587 * parts[1] + 0.114 * parts[2] < 0.5
  }
}
