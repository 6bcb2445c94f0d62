internal import Foundation
public import Modeling

extension PackedRow {
  /// Packs values in the form of our own stores: dates as seconds since 1970; UUIDs, URLs, decimals and JSON as text.
  ///
  /// For stores without a row format of their own. Call `free()` to release the memory.
  public static func pack(_ values: [Value]) -> PackedRow {
    let count = values.count
    let slots = 8 + ((count + 7) & ~7)
    var head = [UInt8](repeating: 0, count: slots + 8 * count)
    var tail: [UInt8] = []
    func put<Number: FixedWidthInteger>(_ number: Number, at offset: Int) {
      withUnsafeBytes(of: number.littleEndian) { head.replaceSubrange(offset..<offset + $0.count, with: $0) }
    }
    func put(_ bytes: some Collection<UInt8>, _ storage: StorageClass, _ column: Int) {
      head[8 + column] = storage.rawValue
      put(UInt32(truncatingIfNeeded: head.count + tail.count), at: slots + 8 * column)
      put(UInt32(truncatingIfNeeded: bytes.count), at: slots + 8 * column + 4)
      tail += bytes
    }
    func put(_ number: Int64, _ column: Int) {
      head[8 + column] = StorageClass.integer.rawValue
      put(number, at: slots + 8 * column)
    }
    func put(_ number: Double, _ column: Int) {
      head[8 + column] = StorageClass.real.rawValue
      put(number.bitPattern, at: slots + 8 * column)
    }
    for (column, value) in values.enumerated() {
      switch value {
      case .null, .list: break
      case .bool(let flag): put(flag ? 1 : 0 as Int64, column)
      case .int(let number): put(number, column)
      case .double(let number): put(number, column)
      case .decimal(let number): put(number.canonicalText.utf8, .text, column)
      case .string(let text), .url(let text): put(text.utf8, .text, column)
      case .date(let date): put(date.seconds, column)
      case .uuid(let uuid): put(uuid.canonicalText.utf8, .text, column)
      case .data(let bytes): put(bytes, .blob, column)
      case .json(let json): put(json.text.utf8, .text, column)
      case .object(let id): put(id.key, column)
      }
    }
    put(UInt32(truncatingIfNeeded: count), at: 0)
    put(UInt32(truncatingIfNeeded: head.count + tail.count), at: 4)
    let block = UnsafeMutableRawPointer.allocate(byteCount: head.count + tail.count, alignment: 8)
    (head + tail).withUnsafeBytes { if let base = $0.baseAddress { block.copyMemory(from: base, byteCount: $0.count) } }
    return PackedRow(base: block)
  }
}

extension PackedRow {
  /// Makes a row of columns that are packed already, without values between.
  package static func pack(columns count: Int, _ column: (Int) -> ColumnValue) -> PackedRow {
    let slots = 8 + ((count + 7) & ~7)
    var size = slots + 8 * count
    var values: [ColumnValue] = []
    values.reserveCapacity(count)
    for index in 0..<count {
      let value = column(index)
      if case .text(let bytes) = value { size += bytes.count }
      if case .blob(let bytes) = value { size += bytes.count }
      values.append(value)
    }
    let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
    block.initializeMemory(as: UInt8.self, repeating: 0, count: slots + 8 * count)
    block.storeBytes(of: UInt32(truncatingIfNeeded: count), as: UInt32.self)
    block.storeBytes(of: UInt32(truncatingIfNeeded: size), toByteOffset: 4, as: UInt32.self)
    var end = slots + 8 * count
    for (index, value) in values.enumerated() {
      let slot = slots + 8 * index
      let storage: StorageClass
      switch value {
      case .null: storage = .null
      case .integer(let number):
        storage = .integer
        block.storeBytes(of: number, toByteOffset: slot, as: Int64.self)
      case .real(let number):
        storage = .real
        block.storeBytes(of: number, toByteOffset: slot, as: Double.self)
      case .text(let bytes), .blob(let bytes):
        if case .text = value { storage = .text } else { storage = .blob }
        block.storeBytes(of: UInt32(truncatingIfNeeded: end), toByteOffset: slot, as: UInt32.self)
        block.storeBytes(of: UInt32(truncatingIfNeeded: bytes.count), toByteOffset: slot + 4, as: UInt32.self)
        if let base = bytes.baseAddress { (block + end).copyMemory(from: base, byteCount: bytes.count) }
        end += bytes.count
      }
      block.storeBytes(of: storage.rawValue, toByteOffset: 8 + index, as: UInt8.self)
    }
    return PackedRow(base: block)
  }
}
