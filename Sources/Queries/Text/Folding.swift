internal import Foundation

/// The text without the differences that `options` ignore: case for `c`, diacritics for `d`.
///
///     folded("Ōsaka", [.caseInsensitive, .diacriticInsensitive])     // "osaka"
///
/// Everything that ignores case or diacritics, in memory and in SQL, goes through here. Unicode's folding without a
/// locale: `ß` becomes `ss`, `ﬁ` becomes `fi`, the Turkish dotless i stays. `[n]` and `[l]` change nothing: text is
/// compared by its bytes, in one fixed locale.
public func folded(_ text: String, _ options: ComparisonOptions) -> String {
  let folding = options.intersection(.folding)
  if folding.isEmpty { return text }
  if text.utf8.allSatisfy({ $0 < 0x80 }) {
    return folding.contains(.caseInsensitive) ? text.lowercased() : text
  }
  var foundation: String.CompareOptions = []
  if folding.contains(.caseInsensitive) { foundation.insert(.caseInsensitive) }
  if folding.contains(.diacriticInsensitive) { foundation.insert(.diacriticInsensitive) }
  return text.folding(options: foundation, locale: nil)
}

extension ComparisonOptions {
  /// The options that change text before it is compared.
  static let folding: ComparisonOptions = [.caseInsensitive, .diacriticInsensitive]

  /// Whether text is compared as it is.
  var isPlain: Bool { intersection(.folding).isEmpty }
}

/// The UTF-8 bytes of the folded text, without a new string where the text is ASCII.
func withFoldedBytes<Result>(
  of text: String, _ options: ComparisonOptions, _ body: (UnsafeBufferPointer<UInt8>) -> Result
) -> Result {
  var text = text
  if options.isPlain { return text.withUTF8(body) }
  let ascii: Result? = text.withUTF8 { bytes in
    guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
    guard options.contains(.caseInsensitive) else { return body(bytes) }
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
