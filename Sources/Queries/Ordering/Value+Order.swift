public import Modeling

internal import struct Foundation.Decimal

extension Value {
  /// Compares two comparable values: negative, zero or positive; nil if they are not comparable.
  ///
  /// Numbers of all types compare exactly, true as 1 and false as 0; a double is compared with a decimal by its
  /// shortest notation, so that 0.1 equals 0.1. Texts, including URLs, compare by UTF-8 bytes, with the differences in
  /// `options` ignored. A UUID equals its text in either case. Dates compare with dates, bytes with bytes; JSON and
  /// objects only for equality. No value compares with nil, and values of different kinds do not compare.
  public func compare(_ other: Value, _ options: ComparisonOptions = []) -> Int? {
    switch (self, other) {
    case (.int(let left), .int(let right)): return left < right ? -1 : left == right ? 0 : 1
    case (.double(let left), .double(let right)): return left < right ? -1 : left > right ? 1 : left == right ? 0 : nil
    case (.string(let left), .string(let right)), (.string(let left), .url(let right)),
      (.url(let left), .string(let right)), (.url(let left), .url(let right)):
      return compareText(left, right, options)
    case (.date(let left), .date(let right)): return Value.double(left.seconds).compare(.double(right.seconds))
    case (.null, _), (_, .null): return nil
    case (.uuid(let left), .uuid(let right)): return compareBytes(left.canonicalText, right.canonicalText)
    case (.uuid(let left), .string(let right)):
      return compareBytes(left.canonicalText, right.uppercased())
    case (.string(let left), .uuid(let right)):
      return compareBytes(left.uppercased(), right.canonicalText)
    case (.data(let left), .data(let right)):
      return left.withUnsafeBufferPointer { left in right.withUnsafeBufferPointer { compareBytes(left, $0) } }
    case (.data(let left), .json(let right)): return compareArchive(left, right)
    case (.json(let left), .data(let right)): return compareArchive(right, left)
    case (.json(let left), .json(let right)): return left == right ? 0 : compareBytes(left.text, right.text)
    case (.object(let left), .object(let right)):
      guard left.entity.root === right.entity.root else { return nil }
      return left.key < right.key ? -1 : left.key == right.key ? 0 : 1
    case (.list(let left), .list(let right)): return left == right ? 0 : nil
    default: return compareMixedNumbers(other)
    }
  }

  /// Compares JSON with the output of an app's transformer, which scripts read and pass as a string: only for equality.
  private func compareArchive(_ bytes: [UInt8], _ json: JSON) -> Int {
    if case .string(let text) = json, bytes.elementsEqual(text.utf8) { return 0 }
    return 1
  }

  private func compareMixedNumbers(_ other: Value) -> Int? {
    switch (self, other) {
    case (.bool(let flag), _): return Value.int(flag ? 1 : 0).compare(other)
    case (_, .bool(let flag)): return compare(.int(flag ? 1 : 0))
    case (.int(let left), .double(let right)): return Self.compare(left, right)
    case (.double(let left), .int(let right)): return Self.compare(right, left).map { -$0 }
    case (.decimal, _), (_, .decimal):
      guard let left = decimalValue, let right = other.decimalValue else { return compareOutOfRange(other) }
      return left < right ? -1 : left == right ? 0 : 1
    default: return nil
    }
  }

  /// Compares a decimal with a double beyond the range of decimals: too large, too small, or infinite.
  private func compareOutOfRange(_ other: Value) -> Int? {
    guard let left = doubleValue, let right = other.doubleValue else { return nil }
    return Value.double(left).compare(.double(right))
  }

  /// Compares an integer with a double without rounding either.
  private static func compare(_ left: Int64, _ right: Double) -> Int? {
    if right.isNaN { return nil }
    if right >= 0x1p63 { return -1 }
    if right < -0x1p63 { return 1 }
    let whole = Int64(right.rounded(.down))
    if left != whole { return left < whole ? -1 : 1 }
    return Double(whole) < right ? -1 : 0
  }

  /// Compares values of columns without a declared type: as `compare`, and values that it does not compare as SQLite
  /// does, numbers before text before bytes. Nil equals only nil.
  func compareAcrossClasses(_ other: Value, _ options: ComparisonOptions) -> Int? {
    if let order = compare(other, options) { return order }
    return isNull || other.isNull ? nil : order(other)
  }

  // MARK: Sorting

  /// The rank of a value's kind in the order of any two values, as in SQLite: nil, numbers and dates, text, bytes.
  private var sortRank: Int {
    switch self {
    case .null: 0
    case .bool, .int, .double, .decimal, .date, .object: 1
    case .string, .url, .uuid, .json: 2
    case .data: 3
    case .list: 4
    }
  }

  /// The value as SQLite stores it, so that values of one rank compare.
  private var sortValue: Value {
    switch self {
    case .date(let date): .double(date.seconds)
    case .object(let id): .int(id.key)
    case .url(let text): .string(text)
    case .uuid(let uuid): .string(uuid.canonicalText)
    case .json(let json): .string(json.text)
    case .double(let number) where number.isNaN: .null
    default: self
    }
  }

  /// Compares any two values for sorting: nil first, then numbers, text and bytes; text by `comparator`.
  public func order(_ other: Value, by comparator: SortDescriptor.StringComparator = .binary) -> Int {
    switch (self, other) {
    case (.string(let left), .string(let right)): return comparator.compare(left, right)
    default: break
    }
    let (left, right) = (sortValue, other.sortValue)
    if left.sortRank != right.sortRank { return left.sortRank - right.sortRank }
    if case .string(let one) = left, case .string(let two) = right { return comparator.compare(one, two) }
    return left.compare(right) ?? 0
  }
}
