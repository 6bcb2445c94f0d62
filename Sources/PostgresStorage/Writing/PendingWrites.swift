import Modeling
import Postgres

/// Writes of a transaction that wait to be sent together: those with the same shape by one statement.
///
/// They are sent before any other statement, so that reads see them. A refusal by the server is thrown then, at the latest
/// at the commit. They are all inserts or all updates, each of another row, so that they may be sent in the order of their
/// shapes.
final class PendingWrites {
  /// The writes of one shape.
  final class Group {
    let shape: WriteShape
    fileprivate(set) var keys: [Int64] = []
    /// The values of each write, as they were given.
    fileprivate(set) var values: [[Value]] = []
    /// The elements of each write that are sent: the columns of its key for an update, and the columns that it sets.
    fileprivate(set) var elements: [PostgresArgument] = []

    init(_ shape: WriteShape) { self.shape = shape }

    /// How many elements a write has.
    var width: Int { shape.columns.count + (shape.kind == .update ? shape.keys.count : 0) }
    var count: Int { keys.count }

    /// An element of all its writes.
    func column(_ index: Int) -> [PostgresArgument] {
      stride(from: index, to: elements.count, by: width).map { elements[$0] }
    }
  }

  /// Writes that are sent together, and the order in which they came: for each, the index of its group, and its index
  /// there.
  struct Batch {
    var groups: [Group] = []
    var order: [(group: Int32, row: Int32)] = []
    var count: Int { order.count }
  }

  /// The most writes that wait: enough that round trips are rare, few enough to take little memory.
  static let most = 4096
  /// The approximate most bytes of their texts and data.
  private static let mostBytes = 4 << 20

  private var batch = Batch()
  private var places: [ObjectIdentifier: Int32] = [:]
  /// The rows that are updated, by root entity.
  private var rows: [ObjectIdentifier: Set<Int64>] = [:]
  private var bytes = 0

  var count: Int { batch.count }
  /// Whether no further write may wait.
  var isFull: Bool { batch.count >= Self.most || bytes >= Self.mostBytes }

  /// Whether a write may be sent with those that wait.
  func takes(_ shape: WriteShape, key: Int64) -> Bool {
    guard let first = batch.groups.first else { return true }
    guard first.shape.kind == shape.kind else { return false }
    return shape.kind == .insert || rows[ObjectIdentifier(shape.entity.root)]?.contains(key) != true
  }

  func add(_ shape: WriteShape, key: Int64, _ values: [Value], _ elements: [PostgresArgument]) {
    let place = places[ObjectIdentifier(shape)] ?? newGroup(shape)
    let group = batch.groups[Int(place)]
    batch.order.append((place, Int32(truncatingIfNeeded: group.count)))
    group.keys.append(key)
    group.values.append(values)
    group.elements += elements
    if shape.kind == .update { rows[ObjectIdentifier(shape.entity.root), default: []].insert(key) }
    for element in elements {
      switch element {
      case .text(let text), .json(let text), .jsonb(let text): bytes += text.utf8.count
      case .bytes(let data): bytes += data.count
      default: break
      }
    }
  }

  private func newGroup(_ shape: WriteShape) -> Int32 {
    let place = Int32(truncatingIfNeeded: batch.groups.count)
    batch.groups.append(Group(shape))
    places[ObjectIdentifier(shape)] = place
    return place
  }

  func take() -> Batch {
    defer {
      batch = Batch()
      (places, rows, bytes) = ([:], [:], 0)
    }
    return batch
  }
}

/// Keys that were taken from a sequence and not used yet.
struct KeyBlocks {
  private var keys: [String: ArraySlice<Int64>] = [:]
  private var sizes: [String: Int64] = [:]

  /// The next key of a table; `read` takes a number of keys from its sequence, or none if it has no sequence.
  mutating func next(_ table: String, _ read: (Int64) throws -> [Int64]) rethrows -> Int64? {
    if sizes[table] == 0 { return nil }
    if keys[table]?.isEmpty != false {
      // A program that inserts many gets many at once.
      let size = min((sizes[table] ?? 0) * 4 + 1, 4096)
      keys[table] = try read(size)[...]
      sizes[table] = keys[table]?.isEmpty == false ? size : 0
    }
    return keys[table]?.popFirst()
  }
}
