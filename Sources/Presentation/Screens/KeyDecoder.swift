/// Turns the bytes of a terminal into keys.
///
///     var decoder = KeyDecoder()
///     decoder.feed([0x1B, 0x5B, 0x41])
///     decoder.next()          // .up
///
/// A sequence may arrive in pieces. `isWaiting` is true while an incomplete one waits for more bytes, or for the call
/// of `next` that says that none will come. Bytes without a meaning become `.unknown`.
package struct KeyDecoder {
  private var bytes: [UInt8] = []
  private var start = 0
  private var isPasting = false

  package init() {}

  /// The longest sequence that is waited for.
  private static let longestSequence = 32
  private static let pasteStart: [UInt8] = Array("\u{1B}[200~".utf8)
  private static let pasteEnd: [UInt8] = Array("\u{1B}[201~".utf8)

  /// Whether bytes are held that no key was made of yet.
  package var isWaiting: Bool { start < bytes.count }

  /// Takes bytes that were read.
  package mutating func feed(_ new: some Sequence<UInt8>) {
    if start == bytes.count {
      bytes.removeAll(keepingCapacity: true)
      start = 0
    }
    bytes.append(contentsOf: new)
  }

  /// Takes out the bytes that no key was made of, so that another reader makes something of them. A paste that has not
  /// come to its end begins with its mark again.
  package mutating func takeRest() -> [UInt8] {
    defer { reset() }
    return (isPasting ? Self.pasteStart : []) + bytes[start...]
  }

  /// Forgets the held bytes, and a paste that has not come to its end.
  package mutating func reset() { self = KeyDecoder() }

  /// The next key; nil if there is none, or if it may continue and `isComplete` is false.
  package mutating func next(isComplete: Bool = false) -> Key? {
    guard start < bytes.count else { return nil }
    if isPasting { return nextOfPaste(isComplete) }
    let rest = bytes[start...]
    let found =
      rest[start] == 0x1B ? Self.escape(rest, isComplete) : Self.plain(rest, isComplete)
    guard let (key, length) = found else { return nil }
    start += length
    guard key == nil else { return key }
    // The beginning of a paste is no key of its own.
    isPasting = true
    return next(isComplete: isComplete)
  }

  // MARK: Pasting

  private mutating func nextOfPaste(_ isComplete: Bool) -> Key? {
    let rest = bytes[start...]
    if let end = rest.firstRange(of: Self.pasteEnd) {
      isPasting = false
      let text = Self.repaired(rest[..<end.lowerBound])
      start = end.upperBound
      return text.isEmpty ? next(isComplete: isComplete) : .pasted(text)
    }
    // Bytes that may begin the end mark, or a character, wait; a paste that stalls goes on later.
    let held = isComplete ? 0 : Self.heldCount(rest)
    guard rest.count > held else { return nil }
    start = bytes.count - held
    return .pasted(Self.repaired(rest.dropLast(held)))
  }

  private static func heldCount(_ rest: ArraySlice<UInt8>) -> Int {
    for count in stride(from: min(pasteEnd.count - 1, rest.count), to: 0, by: -1)
    where rest.suffix(count).elementsEqual(pasteEnd.prefix(count)) {
      return count
    }
    for count in 1...3 where rest.count >= count {
      let byte = rest[rest.endIndex - count]
      if byte & 0xC0 == 0x80 { continue }
      return length(ofScalar: byte) ?? 1 > count ? count : 0
    }
    return 0
  }

  /// The text of bytes, without invalid ones.
  private static func repaired(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self).replacing("\u{FFFD}", with: "")
  }

  // MARK: Single keys

  private typealias Found = (key: Key?, length: Int)

  private static func plain(_ rest: ArraySlice<UInt8>, _ isComplete: Bool) -> Found? {
    let first = rest[rest.startIndex]
    switch first {
    case 0x09: return (.tab, 1)
    case 0x0D, 0x0A: return (.enter, 1)
    case 0x7F, 0x08: return (.backspace, 1)
    case 0..<0x20: return (.control(control(first)), 1)
    default: break
    }
    guard let length = length(ofScalar: first) else { return (.unknown, 1) }
    let scalar = rest.prefix(length)
    let isCut = scalar.dropFirst().contains { $0 & 0xC0 != 0x80 }
    if isCut || (scalar.count < length && isComplete) { return (.unknown, 1) }
    guard scalar.count == length else { return nil }
    guard let text = String(validating: scalar, as: UTF8.self) else { return (.unknown, 1) }
    return (isPrintable(text) ? .text(text) : .unknown, length)
  }

  /// Controls of eight bits act on terminals, wherever they are shown.
  private static func isPrintable(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { !(0x80..<0xA0).contains($0.value) }
  }

  private static func control(_ byte: UInt8) -> Character {
    let letter = Unicode.Scalar(byte | 0x40)
    return Character(Unicode.Scalar(letter.value | (("A"..."Z").contains(letter) ? 0x20 : 0))!)
  }

  private static func length(ofScalar first: UInt8) -> Int? {
    switch first {
    case 0..<0x80: 1
    case 0xC2..<0xE0: 2
    case 0xE0..<0xF0: 3
    case 0xF0..<0xF5: 4
    default: nil
    }
  }

  // MARK: Sequences

  private static func escape(_ rest: ArraySlice<UInt8>, _ isComplete: Bool) -> Found? {
    guard let second = rest.dropFirst().first else { return isComplete ? (.escape, 1) : nil }
    switch second {
    case 0x1B: return (.escape, 1)
    case UInt8(ascii: "["): return bracket(rest, isComplete)
    case UInt8(ascii: "O"):
      guard let third = rest.dropFirst(2).first else { return isComplete ? (.alt("O"), 2) : nil }
      guard (0x40..<0x7F).contains(third) else { return (.alt("O"), 2) }
      return (KeySequence(final: third, numbers: []).key, 3)
    case 0x20..<0x7F: return (.alt(Character(Unicode.Scalar(second))), 2)
    case 0x7F, 0x08: return (.alt("\u{7F}"), 2)
    default: return (.escape, 1)
    }
  }

  /// `ESC [ numbers final`, as ECMA-48 has it.
  private static func bracket(_ rest: ArraySlice<UInt8>, _ isComplete: Bool) -> Found? {
    var place = rest.startIndex + 2
    // The Linux console's F1 to F5 have a second bracket.
    if place < rest.endIndex, rest[place] == UInt8(ascii: "[") {
      guard place + 1 < rest.endIndex else { return isComplete ? (.unknown, 3) : nil }
      let number = Int(rest[place + 1]) - 0x40
      return (1...5).contains(number) ? (.function(number), 4) : (.unknown, 3)
    }
    while place < rest.endIndex, (0x20..<0x40).contains(rest[place]) { place += 1 }
    let length = place - rest.startIndex
    guard place < rest.endIndex else {
      if length > longestSequence { return (.unknown, length) }
      return isComplete ? (length == 2 ? .alt("[") : .unknown, length) : nil
    }
    let final = rest[place]
    guard (0x40..<0x7F).contains(final) else { return (.unknown, length) }
    let parameters = rest[(rest.startIndex + 2)..<place]
    guard parameters.allSatisfy({ $0 == UInt8(ascii: ";") || (0x30..<0x3A).contains($0) }) else {
      return (.unknown, length + 1)
    }
    let numbers = parameters.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      .map { Int(String(decoding: $0, as: UTF8.self)) ?? 0 }
    let sequence = KeySequence(final: final, numbers: numbers)
    return (sequence.beginsPaste ? nil : sequence.key, length + 1)
  }
}
