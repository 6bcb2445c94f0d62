internal import Modeling
internal import Queries

extension SortKeyEncoder.Kind {
  /// The comparison of text by a comparator of sort descriptors.
  init(_ comparator: SortDescriptor.StringComparator) {
    switch comparator {
    case .binary: self = .plain
    case .caseInsensitive: self = .text { Array(folded($0, .caseInsensitive).utf8) }
    case .localized: self = .text { text in collated(text, Array(folded(text, foldedAway).utf8)) }
    case .standard: self = .text { text in collated(text, withNumbersByValue(folded(text, foldedAway).utf8)) }
    }
  }
}

private let foldedAway: ComparisonOptions = [.caseInsensitive, .diacriticInsensitive]

/// The bytes of the primary comparison, followed by the text itself as a tie-breaker.
///
/// The separator must not occur in UTF-8, so zero and one are each encoded as two bytes, the second at least one.
private func collated(_ text: String, _ primary: [UInt8]) -> [UInt8] {
  var bytes: [UInt8] = []
  for byte in primary { bytes += byte <= 1 ? [1, byte + 1] : [byte] }
  bytes.append(0)
  bytes += text.utf8
  return bytes
}

/// The bytes with each run of digits replaced by a digit, the run's length without leading zeros, and its digits.
private func withNumbersByValue(_ text: some Sequence<UInt8>) -> [UInt8] {
  var bytes: [UInt8] = []
  var run: [UInt8]?
  for byte in text {
    if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
      if run == nil { run = [] }
      if byte != UInt8(ascii: "0") || run?.isEmpty == false { run?.append(byte) }
      continue
    }
    if let digits = run { appendNumber(digits, to: &bytes) }
    run = nil
    bytes.append(byte)
  }
  if let digits = run { appendNumber(digits, to: &bytes) }
  return bytes
}

private func appendNumber(_ digits: [UInt8], to bytes: inout [UInt8]) {
  bytes.append(UInt8(ascii: "0"))
  if digits.count < 255 {
    bytes.append(UInt8(clamping: digits.count))
  } else {
    bytes.append(255)
    for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: digits.count >> shift)) }
  }
  bytes += digits
}
