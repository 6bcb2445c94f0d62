/// Writes a binary property list, object by object.
///
/// ```swift
/// var writer = PropertyListWriter()
/// let root = writer.add(.array([writer.add(.string("a")), writer.add(.integer(1))]))
/// writer.bytes(root: root)
/// ```
struct PropertyListWriter {
  /// An object; collections hold the numbers of others.
  enum Item {
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    case string(String)
    case data([UInt8])
    case uid(Int)
    case array([Int])
    case dictionary([(key: Int, value: Int)])
  }

  private var items: [Item] = []

  /// Adds an object; returns its number.
  mutating func add(_ item: Item) -> Int {
    items.append(item)
    return items.count - 1
  }

  /// The property list whose outermost object has the number `root`.
  func bytes(root: Int) -> [UInt8] {
    let referenceSize = Self.size(of: UInt64(items.count))
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    for item in items {
      offsets.append(bytes.count)
      append(item, referenceSize, to: &bytes)
    }
    let table = bytes.count
    let offsetSize = Self.size(of: UInt64(table))
    for offset in offsets { Self.append(UInt64(offset), size: offsetSize, to: &bytes) }
    bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
    for number in [items.count, root, table] { Self.append(UInt64(number), size: 8, to: &bytes) }
    return bytes
  }

  private func append(_ item: Item, _ referenceSize: Int, to bytes: inout [UInt8]) {
    switch item {
    case .bool(let flag): bytes.append(flag ? 0x09 : 0x08)
    case .integer(let number): Self.append(number, to: &bytes)
    case .real(let number):
      bytes.append(0x23)
      Self.append(number.bitPattern, size: 8, to: &bytes)
    case .string(let text):
      let isPlain = text.utf8.allSatisfy { $0 < 0x80 }
      Self.append(marker: isPlain ? 0x50 : 0x60, count: isPlain ? text.utf8.count : text.utf16.count, to: &bytes)
      if isPlain { return bytes.append(contentsOf: text.utf8) }
      for unit in text.utf16 { Self.append(UInt64(unit), size: 2, to: &bytes) }
    case .data(let data):
      Self.append(marker: 0x40, count: data.count, to: &bytes)
      bytes += data
    case .uid(let number):
      let size = Self.size(of: UInt64(number))
      bytes.append(0x80 | UInt8(size - 1))
      Self.append(UInt64(number), size: size, to: &bytes)
    case .array(let members):
      Self.append(marker: 0xA0, count: members.count, to: &bytes)
      for member in members { Self.append(UInt64(member), size: referenceSize, to: &bytes) }
    case .dictionary(let entries):
      Self.append(marker: 0xD0, count: entries.count, to: &bytes)
      for number in entries.map(\.key) + entries.map(\.value) {
        Self.append(UInt64(number), size: referenceSize, to: &bytes)
      }
    }
  }

  private static func append(marker: UInt8, count: Int, to bytes: inout [UInt8]) {
    if count < 15 { return bytes.append(marker | UInt8(count)) }
    bytes.append(marker | 15)
    append(Int64(count), to: &bytes)
  }

  private static func append(_ number: Int64, to bytes: inout [UInt8]) {
    // A negative number takes eight bytes, since shorter ones have no sign.
    let size = number < 0 ? 8 : size(of: UInt64(number))
    bytes.append(0x10 | UInt8(size.trailingZeroBitCount))
    append(UInt64(bitPattern: number), size: size, to: &bytes)
  }

  private static func append(_ number: UInt64, size: Int, to bytes: inout [UInt8]) {
    for place in (0..<size).reversed() { bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(place * 8))) }
  }

  private static func size(of number: UInt64) -> Int {
    switch number {
    case ...0xFF: 1
    case ...0xFFFF: 2
    case ...0xFFFF_FFFF: 4
    default: 8
    }
  }
}
