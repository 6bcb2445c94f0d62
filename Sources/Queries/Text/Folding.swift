internal import Foundation
internal import Modeling

/// The text without the differences that `options` ignore.
///
///     folded("Ōsaka", [.caseInsensitive, .diacriticInsensitive])     // "osaka"
///
/// Everything that ignores something, in memory and in SQL, goes through here. Unicode's folding without a locale: `ß`
/// becomes `ss`, `ﬁ` becomes `fi`, the Turkish dotless i stays.
///
/// | options | `==`, `!=`, IN and the string operators | `<`, `<=`, `>`, `>=`, BETWEEN |
/// |---|---|---|
/// | none | the bytes of UTF-8: `é` in one scalar differs from `e` with an accent | the bytes |
/// | `c` | bytes after case folding | the same |
/// | `d` | bytes without diacritics | the same |
/// | `n` | the bytes; `c` and `d` beside it do nothing, for the texts were prepared | the bytes |
/// | `l` | canonically equivalent texts are the same; with `c` and `d` after folding | as the sort `localized`: letters first, then case and marks |
public func folded(_ text: String, _ options: ComparisonOptions) -> String {
  let options = options.applied
  if options.isEmpty { return text }
  if text.utf8.allSatisfy({ $0 < 0x80 }) {
    return options.contains(.caseInsensitive) ? text.lowercased() : text
  }
  return foldedPart(text, options)
}

/// Does the same in parts, with interruption between them.
///
/// - Throws: `EvaluationInterrupted`.
public func foldedInParts(_ text: String, _ options: ComparisonOptions) throws -> String {
  let options = options.applied
  if options.isEmpty || text.utf8.count <= partLength { return folded(text, options) }
  var (result, rest) = ("", text[...])
  while !rest.isEmpty {
    try Interruption.check()
    let part = rest[..<partEnd(of: rest)]
    result += folded(String(part), options)
    rest = rest[part.endIndex...]
  }
  return result
}

/// The approximate number of bytes to fold at a time.
private let partLength = 1 << 15

/// The end of a part at the beginning of `text`: before a letter that never joins with the preceding one.
private func partEnd(of text: Substring) -> Substring.Index {
  guard let middle = text.utf8.index(text.startIndex, offsetBy: partLength, limitedBy: text.endIndex) else {
    return text.endIndex
  }
  return text.unicodeScalars[middle...].firstIndex(where: startsAlone) ?? text.endIndex
}

/// Whether a scalar neither modifies nor joins with those before it: letters and ideographs of common scripts.
private func startsAlone(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0xC0...0x24F, 0x391...0x3FF, 0x400...0x481, 0x48A...0x52F: true
  case 0x3041...0x3096, 0x30A1...0x30FA, 0x4E00...0x9FFF, 0xAC00...0xD7A3: true
  default: false
  }
}

private func foldedPart(_ text: String, _ options: ComparisonOptions) -> String {
  var foundation: String.CompareOptions = []
  if options.contains(.caseInsensitive) { foundation.insert(.caseInsensitive) }
  if options.contains(.diacriticInsensitive) { foundation.insert(.diacriticInsensitive) }
  let folded = foundation.isEmpty ? text : text.folding(options: foundation, locale: nil)
  return options.contains(.localeSensitive) ? folded.precomposedStringWithCanonicalMapping : folded
}

extension ComparisonOptions {
  /// The options that have an effect: with `n`, `c` and `d` have none.
  public var applied: ComparisonOptions { contains(.normalized) ? intersection(.localeSensitive) : self }

  /// Whether text is compared unchanged.
  public var isPlain: Bool { applied.isEmpty }

  /// Case and diacritics alone.
  static let folding: ComparisonOptions = [.caseInsensitive, .diacriticInsensitive]
}

/// Calls `body` with the UTF-8 bytes of the folded text, without allocating a string for ASCII.
func withFoldedBytes<Result>(
  of text: String, _ options: ComparisonOptions, by fold: (String, ComparisonOptions) throws -> String,
  _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
) rethrows -> Result {
  if options.isPlain {
    if let result = try text.utf8.withContiguousStorageIfAvailable(body) { return result }
    var text = text
    return try text.withUTF8(body)
  }
  var text = text
  let ascii: Result? = try text.withUTF8 { bytes in
    guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
    guard options.applied.contains(.caseInsensitive) else { return try body(bytes) }
    return try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bytes.count) { buffer in
      for index in bytes.indices { buffer[index] = bytes[index].asciiLowercased }
      return try body(UnsafeBufferPointer(buffer))
    }
  }
  if let ascii { return ascii }
  var changed = try fold(text, options)
  return try changed.withUTF8(body)
}

extension UInt8 {
  /// The letter in lower case, if it is an ASCII capital.
  var asciiLowercased: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self }
}
