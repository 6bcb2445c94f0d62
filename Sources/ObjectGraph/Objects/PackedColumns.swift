internal import Modeling

internal import struct Foundation.UUID
internal import typealias Foundation.uuid_t

/// The values of a new object's columns in one block of bytes: less than half of what an array of values and texts takes.
///
/// The block is the number of columns, a tag for each, and then the values that do not fit into tags, in the order of the
/// columns: numbers in eight bytes, UUIDs in sixteen, texts behind a byte with their length. The position of a value
/// follows from the tags before it.
struct PackedColumns {
  /// A managed buffer, as an array has 16 bytes more beside its elements.
  private let block: ManagedBuffer<Void, UInt8>

  private enum Tag: UInt8 {
    case unchanged, null, no, yes, int, double, date, string, url, uuid
  }

  /// Longer texts stay behind a reference, which a copy shares.
  private static let longestText = 255
  /// With more columns, going through their tags would take longer than the rest.
  private static let mostColumns = 32

  /// Packs the values of all columns, of which nil says that a column is not changed.
  ///
  /// Returns nil if there is one that has no packed form, such as a reference, or too many columns.
  init?(_ values: [Value?]) {
    guard values.count <= Self.mostColumns else { return nil }
    var size = 1 + values.count
    for value in values {
      guard let payload = Self.payload(value) else { return nil }
      size += payload
    }
    block = ManagedBuffer<Void, UInt8>.create(minimumCapacity: size) { _ in }
    block.withUnsafeMutablePointerToElements { start in
      let bytes = UnsafeMutableRawPointer(start)
      bytes.storeBytes(of: UInt8(truncatingIfNeeded: values.count), as: UInt8.self)
      var end = 1 + values.count
      for column in values.indices {
        let tag = Self.append(values[column], to: bytes, &end)
        bytes.storeBytes(of: tag.rawValue, toByteOffset: 1 + column, as: UInt8.self)
      }
    }
  }

  /// How many bytes a value takes besides its tag; nil if it has no packed form.
  @inline(__always)
  private static func payload(_ value: Value?) -> Int? {
    switch value {
    case nil, .null, .bool: return 0
    case .int, .double, .date: return 8
    case .uuid: return 16
    case .string(let text), .url(let text):
      let count = text.utf8.count
      return count <= longestText ? 1 + count : nil
    case .decimal, .data, .json, .object, .list: return nil
    }
  }

  @inline(__always)
  private static func append(_ value: Value?, to bytes: UnsafeMutableRawPointer, _ end: inout Int) -> Tag {
    func put(_ bits: UInt64) {
      bytes.storeBytes(of: bits, toByteOffset: end, as: UInt64.self)
      end += 8
    }
    func put(_ text: String) {
      var text = text
      text.withUTF8 { utf8 in
        bytes.storeBytes(of: UInt8(truncatingIfNeeded: utf8.count), toByteOffset: end, as: UInt8.self)
        if let start = utf8.baseAddress { (bytes + end + 1).copyMemory(from: start, byteCount: utf8.count) }
        end += 1 + utf8.count
      }
    }
    switch value {
    case .null: return .null
    case .bool(let flag): return flag ? .yes : .no
    case .int(let number):
      put(UInt64(bitPattern: number))
      return .int
    case .double(let number):
      put(number.bitPattern)
      return .double
    case .date(let date):
      put(date.seconds.bitPattern)
      return .date
    case .string(let text):
      put(text)
      return .string
    case .url(let text):
      put(text)
      return .url
    case .uuid(let uuid):
      bytes.storeBytes(of: uuid.uuid, toByteOffset: end, as: uuid_t.self)
      end += 16
      return .uuid
    case nil, .decimal, .data, .json, .object, .list: return .unchanged
    }
  }

  /// The number of columns.
  var count: Int { withBytes { Int($0.load(as: UInt8.self)) } }

  @inline(__always)
  private func withBytes<Result>(_ body: (UnsafeRawPointer) -> Result) -> Result {
    block.withUnsafeMutablePointerToElements { body(UnsafeRawPointer($0)) }
  }

  @inline(__always)
  private static func tag(_ column: Int, in bytes: UnsafeRawPointer) -> Tag {
    Tag(rawValue: bytes.load(fromByteOffset: 1 + column, as: UInt8.self)) ?? .unchanged
  }

  /// The values of all columns, of which nil says that a column is not changed.
  var values: [Value?] {
    var place = firstPlace
    return (0..<count).map { value($0, at: &place) }
  }

  /// Where the value of the first column stands.
  var firstPlace: Int { 1 + count }

  /// Returns the column's value at `place`, and moves `place` to the next column.
  func value(_ column: Int, at place: inout Int) -> Value? {
    withBytes { bytes in
      let tag = Self.tag(column, in: bytes)
      defer { place += Self.payload(tag, at: place, in: bytes) }
      return Self.value(tag, at: place, in: bytes)
    }
  }

  /// The value of a column; nil if it is not changed, or if there is none.
  subscript(column: Int) -> Value? {
    guard column < count else { return nil }
    return withBytes { bytes in
      var place = firstPlace
      for earlier in 0..<column { place += Self.payload(Self.tag(earlier, in: bytes), at: place, in: bytes) }
      return Self.value(Self.tag(column, in: bytes), at: place, in: bytes)
    }
  }

  /// Whether the value of a column is null; nil if the column is not changed, or if there is none.
  func isNull(_ column: Int) -> Bool? {
    guard column < count, case let tag = withBytes({ Self.tag(column, in: $0) }), tag != .unchanged else { return nil }
    return tag == .null
  }

  /// Whether no column is changed.
  var isEmpty: Bool { (0..<count).allSatisfy { isNull($0) == nil } }

  @inline(__always)
  private static func payload(_ tag: Tag, at place: Int, in bytes: UnsafeRawPointer) -> Int {
    switch tag {
    case .int, .double, .date: 8
    case .string, .url: 1 + Int(bytes.load(fromByteOffset: place, as: UInt8.self))
    case .uuid: 16
    case .unchanged, .null, .no, .yes: 0
    }
  }

  @inline(__always)
  private static func value(_ tag: Tag, at place: Int, in bytes: UnsafeRawPointer) -> Value? {
    func bits() -> UInt64 { bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self) }
    func text() -> String {
      let count = Int(bytes.load(fromByteOffset: place, as: UInt8.self))
      return String(decoding: UnsafeRawBufferPointer(start: bytes + place + 1, count: count), as: UTF8.self)
    }
    switch tag {
    case .unchanged: return nil
    case .null: return .null
    case .no: return .bool(false)
    case .yes: return .bool(true)
    case .int: return .int(Int64(bitPattern: bits()))
    case .double: return .double(Double(bitPattern: bits()))
    case .date: return .date(Timestamp(Double(bitPattern: bits())))
    case .string: return .string(text())
    case .url: return .url(text())
    case .uuid: return .uuid(UUID(uuid: bytes.loadUnaligned(fromByteOffset: place, as: uuid_t.self)))
    }
  }
}
