internal import Layouts
internal import Modeling
internal import Queries
internal import Stores

/// An object as it is compared.
struct ComparedRow {
  let key: Int64
  /// Nil where a value of the identity is nil.
  let identity: RowIdentity?
  let packed: PackedRow
  let references: [[Value]?]
  let members: [[[Value]]]
}

/// The identity of a row, which takes no memory of its own where it is the key, an integer or a text.
enum RowIdentity {
  /// The key of the row, or an integer in it.
  case integer(Int64)
  /// The bytes of a text in the row itself.
  case text(UnsafeRawBufferPointer)
  case values([Value])

  var values: [Value] {
    switch self {
    case .integer(let number): [.int(number)]
    case .text(let bytes): [.string(String(decoding: bytes, as: UTF8.self))]
    case .values(let values): values
    }
  }

  /// The order of two identities: negative, zero or positive.
  func order(_ other: RowIdentity) -> Int {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): left < right ? -1 : left == right ? 0 : 1
    case (.text(let left), .text(let right)): left.order(right)
    default: values.order(other.values)
    }
  }
}

/// Where the identity of a row is.
enum IdentityForm: Equatable {
  case key
  /// A column of integers or texts, with their storage class.
  case column(Int, StorageClass)
  case values

  init(of entity: Entity, _ side: ComparisonSide) {
    guard let identity = side.identities[entity] else {
      self = .key
      return
    }
    self = .values
    let layout = side.store.layout(of: entity)
    guard identity.count == 1, case .column(let column) = layout.properties[identity[0]] else { return }
    let kept = layout.columns[column]
    if layout.key.integerName == kept.name {
      self = .key
    } else if kept.type == .string || kept.type == .integer64, !kept.encoding.isSealed {
      self = .column(column, kept.type == .string ? .text : .integer)
    }
  }
}

extension UnsafeRawBufferPointer {
  /// The order of bytes as unsigned numbers, as that of texts in a store: negative, zero or positive.
  func order(_ other: UnsafeRawBufferPointer) -> Int {
    compareBytes(assumingMemoryBound(to: UInt8.self), other.assumingMemoryBound(to: UInt8.self))
  }
}
