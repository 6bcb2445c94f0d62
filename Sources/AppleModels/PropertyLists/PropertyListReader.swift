/// Reads the objects of a binary property list; every offset, count and reference is checked before it is used.
struct PropertyListReader {
  private let bytes: [UInt8]
  private let offsetTable: Int
  private let offsetSize: Int
  private let referenceSize: Int
  private let count: Int
  /// The index of the object that the list is.
  let root: Int
  /// The number of bytes that objects may still take; in a valid list each object has bytes of its own.
  private var room: Int

  private static let trailerSize = 32

  init(_ bytes: [UInt8]) throws(PropertyListError) {
    guard bytes.starts(with: BinaryPropertyList.signature) else { throw .notAPropertyList }
    guard bytes.count >= 8 + Self.trailerSize else { throw .cutOff }
    let trailer = bytes.count - Self.trailerSize
    self.bytes = bytes
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let count = Self.number(bytes[trailer + 8..<trailer + 16]),
      let root = Self.number(bytes[trailer + 16..<trailer + 24]),
      let table = Self.number(bytes[trailer + 24..<trailer + 32]),
      root < count, table >= 8, table <= trailer, count <= (trailer - table) / offsetSize
    else { throw .cutOff }
    (self.count, self.root, offsetTable, room) = (count, root, table, bytes.count)
  }

  /// Big-endian digits as an index; nil for a number that cannot be one.
  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    var number: UInt64 = 0
    for digit in digits {
      guard number >> 56 == 0 else { return nil }
      number = number << 8 | UInt64(digit)
    }
    return Int(exactly: number)
  }

  mutating func objects() throws(PropertyListError) -> [BinaryPropertyList.Object] {
    var objects: [BinaryPropertyList.Object] = []
    objects.reserveCapacity(count)
    for index in 0..<count {
      let start = offsetTable + index * offsetSize
      guard let offset = Self.number(bytes[start..<start + offsetSize]), offset < offsetTable else { throw .cutOff }
      objects.append(try object(at: offset))
    }
    return objects
  }

  /// The bytes `count` from `start` on, which are before the table of offsets.
  private mutating func content(_ start: Int, _ count: Int) throws(PropertyListError) -> ArraySlice<UInt8> {
    guard count >= 0, start <= offsetTable, count <= offsetTable - start else { throw .cutOff }
    guard count < room else { throw .overlapping }
    room -= count + 1
    return bytes[start..<start + count]
  }

  private mutating func object(at offset: Int) throws(PropertyListError) -> BinaryPropertyList.Object {
    let marker = bytes[offset]
    let low = Int(marker & 0x0F)
    switch marker >> 4 {
    case 0x0: return try constant(marker, offset)
    case 0x1:
      guard low <= 4 else { throw .unknownMarker(marker, offset: offset) }
      return .integer(try content(offset + 1, 1 << low))
    case 0x2: return try real(low, offset)
    case 0x3 where marker == 0x33:
      return .date(Double(bitPattern: UInt64(bigEndian: try content(offset + 1, 8))))
    case 0x4, 0x5, 0x6: return try text(marker >> 4, offset, low)
    case 0x8:
      let digits = try content(offset + 1, low + 1)
      guard let reference = Self.number(digits) else { throw .unknownReference(offset: offset) }
      return .uid(reference)
    case 0xA, 0xB, 0xC, 0xD: return try collection(marker >> 4, offset, low)
    default: throw .unknownMarker(marker, offset: offset)
    }
  }

  private mutating func constant(
    _ marker: UInt8, _ offset: Int
  ) throws(PropertyListError) -> BinaryPropertyList.Object {
    _ = try content(offset + 1, 0)
    switch marker {
    case 0x00, 0x0F: return .null
    case 0x08: return .bool(false)
    case 0x09: return .bool(true)
    default: throw .unknownMarker(marker, offset: offset)
    }
  }

  private mutating func real(_ low: Int, _ offset: Int) throws(PropertyListError) -> BinaryPropertyList.Object {
    switch low {
    // The shortest digits of a Float are closer to the intended value than its bits as a Double.
    case 2:
      let number = Float(bitPattern: UInt32(truncatingIfNeeded: UInt64(bigEndian: try content(offset + 1, 4))))
      return .real(Double("\(number)") ?? Double(number))
    case 3: return .real(Double(bitPattern: UInt64(bigEndian: try content(offset + 1, 8))))
    default: throw .unknownMarker(bytes[offset], offset: offset)
    }
  }

  /// The number of elements that follow, and where they begin.
  private mutating func extent(_ low: Int, _ offset: Int) throws(PropertyListError) -> (start: Int, count: Int) {
    guard low == 0x0F else { return (offset + 1, low) }
    guard offset + 1 < offsetTable, bytes[offset + 1] >> 4 == 0x1 else { throw .cutOff }
    let size = 1 << Int(bytes[offset + 1] & 0x0F)
    guard size <= 8, let count = Self.number(try content(offset + 2, size)) else { throw .cutOff }
    return (offset + 2 + size, count)
  }

  private mutating func text(
    _ kind: UInt8, _ offset: Int, _ low: Int
  ) throws(PropertyListError) -> BinaryPropertyList.Object {
    let (start, count) = try extent(low, offset)
    guard kind == 0x6 else {
      let content = try content(start, count)
      if kind == 0x4 { return .data(Array(content)) }
      guard content.allSatisfy({ $0 < 0x80 }) else { throw .invalidText(offset: offset) }
      return .string(String(decoding: content, as: UTF8.self))
    }
    guard count <= bytes.count else { throw .cutOff }
    let content = try content(start, count * 2)
    let units = stride(from: content.startIndex, to: content.endIndex, by: 2).map {
      UInt16(content[$0]) << 8 | UInt16(content[$0 + 1])
    }
    // Halves of surrogates occur in text that was cut off; they become the replacement character.
    return .string(String(decoding: units, as: UTF16.self))
  }

  private mutating func collection(
    _ kind: UInt8, _ offset: Int, _ low: Int
  ) throws(PropertyListError) -> BinaryPropertyList.Object {
    let (start, count) = try extent(low, offset)
    guard count <= bytes.count else { throw .cutOff }
    let isDictionary = kind == 0xD
    let content = try content(start, count * (isDictionary ? 2 : 1) * referenceSize)
    var references: [Int] = []
    references.reserveCapacity(content.count / referenceSize)
    for start in stride(from: content.startIndex, to: content.endIndex, by: referenceSize) {
      guard let reference = Self.number(content[start..<start + referenceSize]), reference < self.count else {
        throw .unknownReference(offset: offset)
      }
      references.append(reference)
    }
    guard isDictionary else { return kind == 0xA ? .array(references) : .set(references) }
    return .dictionary((0..<count).map { BinaryPropertyList.Entry(key: references[$0], value: references[count + $0]) })
  }
}

extension BinaryPropertyList.Object {
  /// The integer of big-endian digits: up to 4 without a sign, 8 and 16 with one.
  fileprivate static func integer(_ digits: ArraySlice<UInt8>) -> Self {
    if digits.count <= 8 { return .int(Int64(bitPattern: UInt64(bigEndian: digits))) }
    let low = UInt64(bigEndian: digits.suffix(8))
    let high = UInt64(bigEndian: digits.dropLast(8).suffix(8))
    let number = Int128(bitPattern: UInt128(high) << 64 | UInt128(low))
    return Int64(exactly: number).map(Self.int) ?? .largeInt(String(number))
  }
}

extension UInt64 {
  fileprivate init(bigEndian digits: ArraySlice<UInt8>) {
    self = digits.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
