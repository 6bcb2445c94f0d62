import Layouts
import Modeling
import Queries
import SQLite

/// The values of an aggregate as SQLite has them, each with how often it came, in the order in which they came first.
///
/// Numbers of different classes and bits are different values, as are texts and blobs of different bytes.
final class CountedValues {
  private enum Key: Hashable {
    case integer(Int64)
    case real(UInt64)
    case text([UInt8])
    case blob([UInt8])
  }

  private var places: [Key: Int] = [:]
  private var counts: [(key: Key, count: Int64)] = []

  /// Counts the argument of a call; null is passed over.
  func add(_ call: SQLFunctionCall) {
    switch call.type(0) {
    case .null: break
    case .integer: add(.integer(call.integer(0)))
    case .real: add(.real(call.real(0).bitPattern))
    case .text: add(.text([UInt8](call.bytes(0))))
    case .blob: add(.blob([UInt8](call.bytes(0))))
    }
  }

  private func add(_ key: Key) {
    if let place = places[key] {
      counts[place].count += 1
    } else {
      places[key] = counts.count
      counts.append((key, 1))
    }
  }

  /// The counts as bytes: for each value its class, its count, its bits or its length, and then the bytes of a text or blob.
  var state: [UInt8] {
    var state: [UInt8] = []
    func append(_ kind: UInt8, _ count: Int64, _ bits: UInt64, _ bytes: [UInt8] = []) {
      state.append(kind)
      for word in [UInt64(bitPattern: count), bits] { withUnsafeBytes(of: word) { state.append(contentsOf: $0) } }
      state.append(contentsOf: bytes)
    }
    for (key, count) in counts {
      switch key {
      case .integer(let number): append(0, count, UInt64(bitPattern: number))
      case .real(let bits): append(1, count, bits)
      case .text(let bytes): append(2, count, UInt64(bytes.count), bytes)
      case .blob(let bytes): append(3, count, UInt64(bytes.count), bytes)
      }
    }
    return state
  }

  /// Calls `body` with each value of a state, decoded as one of a kind, and its count.
  static func forEach(in state: UnsafeRawBufferPointer, as kind: SQLKind, _ body: (Value, Int) -> Void) {
    let type = kind.attributeType
    var rest = state[...]
    while let first = rest.first, rest.count >= 17 {
      let start = rest.startIndex
      let count = Int(state.loadUnaligned(fromByteOffset: start + 1, as: Int64.self))
      let bits = state.loadUnaligned(fromByteOffset: start + 9, as: UInt64.self)
      rest = rest.dropFirst(17)
      let bytes = UnsafeRawBufferPointer(rebasing: rest.prefix(first < 2 ? 0 : Int(bits)))
      rest = rest.dropFirst(bytes.count)
      switch first {
      case 0: body(ValueCoding.decode(integer: Int64(bitPattern: bits), as: type), count)
      case 1: body(ValueCoding.decode(real: Double(bitPattern: bits), as: type), count)
      case 2: body(ValueCoding.decode(text: bytes, as: type), count)
      default: body(ValueCoding.decode(blob: bytes, as: type), count)
      }
    }
  }
}
