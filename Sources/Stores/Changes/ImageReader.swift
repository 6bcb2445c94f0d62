import Layouts
package import Modeling
package import StoreErrors

/// Reads the values of rows as bytes, as the record of a commit has them, from memory or a file. Invalid bytes are an error and never trap.
package struct ImageReader {
  package let bytes: [UInt8]
  /// The read position.
  package private(set) var offset: Int
  package let end: Int

  /// A value, with the place of its bytes.
  package enum Item {
    case null
    case integer(Int64)
    case real(Double)
    case text(Range<Int>)
    case blob(Range<Int>)
  }

  /// Creates a reader of `range` of `bytes`, by default all.
  package init(_ bytes: [UInt8], _ range: Range<Int>? = nil) {
    self.bytes = bytes
    let range = (range ?? 0..<bytes.count).clamped(to: 0..<bytes.count)
    offset = range.lowerBound
    end = range.upperBound
  }

  package var isAtEnd: Bool { offset >= end }

  /// Reads one byte.
  package mutating func byte() throws(StoreError) -> UInt8 {
    guard offset < end else { throw Self.damage }
    defer { offset += 1 }
    return bytes[offset]
  }

  /// Reads what `appendNumber` wrote.
  package mutating func number() throws(StoreError) -> UInt64 {
    var (result, shift): (UInt64, UInt64) = (0, 0)
    while true {
      let next = try byte()
      guard shift < 63 || next <= 1 else { throw Self.damage }
      result |= UInt64(next & 0x7f) << shift
      if next < 0x80 { return result }
      shift += 7
      guard shift < 64 else { throw Self.damage }
    }
  }

  /// Reads eight bytes.
  package mutating func fixed() throws(StoreError) -> UInt64 {
    let place = try take(8)
    return bytes.withUnsafeBytes {
      UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: place.lowerBound, as: UInt64.self))
    }
  }

  /// Skips eight bytes.
  package mutating func passFixed() throws(StoreError) { _ = try take(8) }

  /// Reads a count of elements that take at least a byte each.
  package mutating func count() throws(StoreError) -> Int {
    let count = try number()
    guard count <= UInt64(end - offset) else { throw Self.damage }
    return Int(count)
  }

  /// Reads a length and skips as many bytes.
  package mutating func piece() throws(StoreError) -> Range<Int> { try take(count()) }

  /// Reads a name.
  package mutating func name() throws(StoreError) -> String {
    guard let name = String(validating: bytes[try piece()], as: UTF8.self) else { throw Self.damage }
    return name
  }

  /// Reads a value.
  package mutating func item() throws(StoreError) -> Item {
    switch StorageClass(rawValue: try byte()) {
    case .null: return .null
    case .integer:
      let number = try number()
      return .integer(Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1))
    case .real: return .real(Double(bitPattern: try fixed()))
    case .text: return .text(try piece())
    case .blob: return .blob(try piece())
    case nil: throw Self.damage
    }
  }

  /// Skips a value and returns its place.
  package mutating func pass() throws(StoreError) -> Range<Int> {
    let start = offset
    switch StorageClass(rawValue: try byte()) {
    case .null: break
    case .integer: _ = try number()
    case .real: try passFixed()
    case .text, .blob: _ = try piece()
    case nil: throw Self.damage
    }
    return start..<offset
  }

  /// Reads a value as a `Value`.
  package mutating func value() throws(StoreError) -> Value {
    switch try item() {
    case .null: .null
    case .integer(let number): .int(number)
    case .real(let number): .double(number)
    case .text(let place): .string(String(decoding: bytes[place], as: UTF8.self))
    case .blob(let place): .data(Array(bytes[place]))
    }
  }

  private mutating func take(_ count: Int) throws(StoreError) -> Range<Int> {
    guard count <= end - offset else { throw Self.damage }
    defer { offset += count }
    return offset..<offset + count
  }

  private static var damage: StoreError {
    StoreError(.corrupt("the record of a save in \(BookTables.journal) cannot be read"))
  }
}
