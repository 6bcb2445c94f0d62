internal import Foundation

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
  var foundation: String.CompareOptions = []
  if options.contains(.caseInsensitive) { foundation.insert(.caseInsensitive) }
  if options.contains(.diacriticInsensitive) { foundation.insert(.diacriticInsensitive) }
  let folded = foundation.isEmpty ? text : text.folding(options: foundation, locale: nil)
  return options.contains(.localeSensitive) ? folded.precomposedStringWithCanonicalMapping : folded
}

extension ComparisonOptions {
  /// The options that do something: `n` says that the texts were prepared, so that `c` and `d` need do nothing.
  public var applied: ComparisonOptions { contains(.normalized) ? intersection(.localeSensitive) : self }

  /// Whether text is compared as it is.
  public var isPlain: Bool { applied.isEmpty }

  /// Case and diacritics alone.
  static let folding: ComparisonOptions = [.caseInsensitive, .diacriticInsensitive]
}

/// The UTF-8 bytes of the folded text, without a new string where the text is ASCII.
func withFoldedBytes<Result>(
  of text: String, _ options: ComparisonOptions, _ body: (UnsafeBufferPointer<UInt8>) -> Result
) -> Result {
  if options.isPlain {
    if let result = text.utf8.withContiguousStorageIfAvailable(body) { return result }
    var text = text
    return text.withUTF8(body)
  }
  var text = text
  let ascii: Result? = text.withUTF8 { bytes in
    guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
    guard options.applied.contains(.caseInsensitive) else { return body(bytes) }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bytes.count) { buffer in
      for index in bytes.indices { buffer[index] = bytes[index].asciiLowercased }
      return body(UnsafeBufferPointer(buffer))
    }
  }
  if let ascii { return ascii }
  var changed = folded(text, options)
  return changed.withUTF8(body)
}

extension UInt8 {
  /// The letter in lower case, if it is an ASCII capital.
  var asciiLowercased: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self }
}
