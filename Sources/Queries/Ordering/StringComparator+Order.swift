extension SortDescriptor.StringComparator {
  /// Compares two texts: negative, zero or positive as `left` is before, the same as, or after `right`.
  ///
  /// - `binary`: by UTF-8 bytes.
  /// - `caseInsensitive`: by the bytes of the texts without case; texts that differ in case alone are the same.
  /// - `localized`: without case and diacritics first, what is then the same by bytes; no two texts are the same.
  /// - `standard`: as `localized`, but runs of digits compare by their value: `Quake 9` before `Quake 10`.
  ///
  /// All are the same on every machine; none asks for a locale. Storage registers them as collations.
  public func compare(_ left: String, _ right: String) -> Int {
    switch self {
    case .binary: return compareBytes(left, right)
    case .caseInsensitive: return compareFolded(left, right, .caseInsensitive)
    case .localized:
      let order = compareFolded(left, right, .folding)
      return order != 0 ? order : compareBytes(left, right)
    case .standard:
      let order = withFoldedBytes(of: left, .folding) { left in
        withFoldedBytes(of: right, .folding) { compareNaturally(left, $0) }
      }
      return order != 0 ? order : compareBytes(left, right)
    }
  }

  /// Compares two texts given as UTF-8, as collations of SQLite are given them.
  public func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
    if self == .binary {
      return left.withMemoryRebound(to: UInt8.self) { left in
        right.withMemoryRebound(to: UInt8.self) { compareBytes(left, $0) }
      }
    }
    return compare(String(decoding: left, as: UTF8.self), String(decoding: right, as: UTF8.self))
  }
}

private func compareFolded(_ left: String, _ right: String, _ options: ComparisonOptions) -> Int {
  withFoldedBytes(of: left, options) { left in withFoldedBytes(of: right, options) { compareBytes(left, $0) } }
}

/// Compares bytes, but runs of ASCII digits by the numbers they are, however long.
private func compareNaturally(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int {
  var (i, j) = (0, 0)
  while i < left.count, j < right.count {
    guard left[i].isDigit, right[j].isDigit else {
      if left[i] != right[j] { return Int(left[i]) - Int(right[j]) }
      i += 1
      j += 1
      continue
    }
    let (one, other) = (digits(left, &i), digits(right, &j))
    if one.count != other.count { return one.count - other.count }
    for (a, b) in zip(one, other) where a != b { return Int(a) - Int(b) }
  }
  return (left.count - i) - (right.count - j)
}

/// The digits from `index` on without leading zeros; moves the index behind them.
private func digits(_ text: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> Slice<UnsafeBufferPointer<UInt8>> {
  while index < text.count, text[index] == UInt8(ascii: "0") { index += 1 }
  let start = index
  while index < text.count, text[index].isDigit { index += 1 }
  return text[start..<index]
}
