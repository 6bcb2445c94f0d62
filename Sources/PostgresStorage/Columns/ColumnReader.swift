internal import Foundation
import Layouts
import Modeling
import Postgres
import Stores

/// Reads the bytes of a column into the form of packed rows.
///
/// Text and bytes stay in the server's message. Values that are converted are kept in `Scratch` until the next row.
enum ColumnReader {
  /// Reads a column's bytes.
  static func read(_ bytes: UnsafeRawBufferPointer, _ form: ColumnForm, _ scratch: inout Scratch) -> ColumnValue {
    switch form.kind {
    case .boolean: return bytes.count == 1 ? .integer(bytes[0] == 0 ? 0 : 1) : .null
    case .integer: return PostgresField.int(bytes).map(ColumnValue.integer) ?? .null
    case .real: return real(bytes)
    case .text, .label: return .text(bytes)
    case .bytes: return .blob(bytes)
    case .instant, .civilTime:
      guard bytes.count == 8, let number = PostgresField.int(bytes) else { return .null }
      return .real(ColumnForm.seconds(microseconds: number))
    case .day:
      guard bytes.count == 4, let number = PostgresField.int(bytes) else { return .null }
      if number == Int32.max { return .real(.infinity) }
      if number == Int32.min { return .real(-.infinity) }
      return .real(Double(number) * 86_400 + secondsToPostgresEpoch)
    case .uuid:
      guard bytes.count == 16 else { return .null }
      return .text(scratch.keep(uuidText(bytes)))
    case .numeric:
      // A number that a decimal cannot hold exactly stays text.
      guard let number = parseDecimal(bytes) else { return .text(bytes) }
      return .text(scratch.keep(Array(number.canonicalText.utf8)))
    case .json:
      guard let json = try? JSON.parse(bytes) else { return .text(bytes) }
      return .text(scratch.keep(Array(json.text.utf8)))
    case .foreign: return .text(bytes)
    }
  }

  /// NaN is read as nil, as in every store. Negative zero is read as zero: two equal values that differ would make the
  /// least value ambiguous.
  private static func real(_ bytes: UnsafeRawBufferPointer) -> ColumnValue {
    let number: Double
    switch bytes.count {
    case 4: number = Double(Float(bitPattern: UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self))))
    case 8: number = Double(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
    default: return .null
    }
    return number.isNaN ? .null : .real(number + 0)
  }

  private static func uuidText(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    var text: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      if index == 4 || index == 6 || index == 8 || index == 10 { text.append(UInt8(ascii: "-")) }
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return text
  }

  /// Memory for values that are written anew, which lasts until `empty`.
  struct Scratch: ~Copyable {
    private var blocks: [UnsafeMutableRawBufferPointer] = []

    init() {}
    deinit { for block in blocks { block.deallocate() } }

    mutating func empty() {
      if blocks.isEmpty { return }
      for block in blocks { block.deallocate() }
      blocks.removeAll(keepingCapacity: true)
    }

    mutating func keep(_ bytes: [UInt8]) -> UnsafeRawBufferPointer {
      let block = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 1), alignment: 1)
      block.copyBytes(from: bytes)
      blocks.append(block)
      return UnsafeRawBufferPointer(rebasing: block[..<bytes.count])
    }
  }
}
