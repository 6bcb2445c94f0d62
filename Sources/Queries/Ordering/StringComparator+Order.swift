extension SortDescriptor.StringComparator {
  /// Compares two texts: negative, zero or positive if `left` comes before, equals, or comes after `right`.
  ///
  /// - `binary`: by UTF-8 bytes.
  /// - `caseInsensitive`: by the bytes of the texts without case; texts that differ only in case are equal.
  /// - `localized`: first without case and diacritics, then by bytes; no two different texts are equal.
  /// - `standard`: as `localized`, but runs of digits compare by their value: `Quake 9` before `Quake 10`.
  ///
  /// All are the same on every machine; none uses a locale. Storage registers them as collations.
  public func compare(_ left: String, _ right: String) -> Int {
    switch self {
    case .binary: return compareBytes(left, right)
    case .caseInsensitive: return compareFolded(left, right, .caseInsensitive, byNumbers: false)
    case .localized, .standard:
      let order = compareFolded(left, right, .folding, byNumbers: self == .standard)
      return order != 0 ? order : compareBytes(left, right)
    }
  }

  /// Compares two texts in UTF-8, as SQLite passes them to collations.
  public func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
    if self == .binary {
      return left.withMemoryRebound(to: UInt8.self) { left in
        right.withMemoryRebound(to: UInt8.self) { compareBytes(left, $0) }
      }
    }
    return compare(String(decoding: left, as: UTF8.self), String(decoding: right, as: UTF8.self))
  }
}

/// Compares folded texts. Usually ASCII characters decide first, and nothing has to be folded.
private func compareFolded(_ left: String, _ right: String, _ options: ComparisonOptions, byNumbers: Bool) -> Int {
  var (one, other) = (left, right)
  let order = one.withUTF8 { one in
    other.withUTF8 { compareFolded(one, $0, byNumbers: byNumbers, isFolded: false) }
  }
  if let order { return order }
  return withFoldedBytes(of: left, options, by: folded) { left in
    withFoldedBytes(of: right, options, by: folded) {
      compareFolded(left, $0, byNumbers: byNumbers, isFolded: true) ?? 0
    }
  }
}

/// Compares bytes without case, and optionally runs of ASCII digits by their value, however long.
///
/// Returns nil if unfolded text has a character beyond ASCII before the first difference.
private func compareFolded(
  _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>, byNumbers: Bool, isFolded: Bool
) -> Int? {
  var (i, j) = (0, 0)
  while i < left.count, j < right.count {
    if !isFolded, left[i] | right[j] >= 0x80 { return nil }
    guard byNumbers, left[i].isDigit, right[j].isDigit else {
      let (one, other) = isFolded ? (left[i], right[j]) : (left[i].asciiLowercased, right[j].asciiLowercased)
      if one != other { return Int(one) - Int(other) }
      i += 1
      j += 1
      continue
    }
    let (one, other) = (digits(left, &i), digits(right, &j))
    if one.count != other.count { return one.count - other.count }
    for (a, b) in zip(one, other) where a != b { return Int(a) - Int(b) }
  }
  // A following mark may disappear in folding.
  if !isFolded, (left[i...].first ?? right[j...].first ?? 0) >= 0x80 { return nil }
  return (left.count - i) - (right.count - j)
}

/// The digits from `index` on without leading zeros; advances the index past them.
private func digits(_ text: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> Slice<UnsafeBufferPointer<UInt8>> {
  while index < text.count, text[index] == UInt8(ascii: "0") { index += 1 }
  let start = index
  while index < text.count, text[index].isDigit { index += 1 }
  return text[start..<index]
}
