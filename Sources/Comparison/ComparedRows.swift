internal import Layouts
internal import Modeling
internal import Queries
internal import Stores

/// The objects of an entity in one store, in the order of their identity: a list of keys, and a window of rows.
final class ComparedRows {
  let side: ComparisonSide
  let entity: Entity
  let layout: EntityLayout
  private let references: [Int]
  private let members: [Int]
  private var keys: ArraySlice<Int64>
  private var window: [ComparedRow] = []
  private var position = 0
  private static let windowSize = 512

  /// The rows of some keys, which are in the order of the identity.
  init(_ side: ComparisonSide, _ entity: Entity, references: [Int], members: [Int], keys: [Int64]) {
    (self.side, self.entity, self.references, self.members) = (side, entity, references, members)
    layout = side.store.layout(of: entity)
    self.keys = keys[...]
  }

  /// The rows that a predicate selects; all without one.
  convenience init(
    _ side: ComparisonSide, _ entity: Entity, references: [Int], members: [Int], where predicate: Predicate?
  ) throws {
    var request = FetchRequest(entity)
    request.includesSubentities = false
    request.predicate = predicate
    request.sortDescriptors = (side.identities[entity] ?? []).map { property in
      var path = [entity.properties[property].name]
      if entity.properties[property].relationship != nil {
        let destination = entity.destination(at: property)
        path += (side.identities[destination] ?? []).map { destination.properties[$0].name }
      }
      return SortDescriptor(.path(PropertyPath(path)))
    }
    self.init(side, entity, references: references, members: members, keys: try side.store.keys(request))
  }

  deinit { for row in window { row.packed.free() } }

  /// The current object; nil behind the last.
  func current() throws -> ComparedRow? {
    if position == window.count, !keys.isEmpty { try fill() }
    return position < window.count ? window[position] : nil
  }

  /// Moves to the next object.
  func advance() { position += 1 }

  private func fill() throws {
    for row in window { row.packed.free() }
    (window, position) = ([], 0)
    while window.isEmpty, !keys.isEmpty {
      let some = Array(keys.prefix(Self.windowSize))
      keys = keys.dropFirst(some.count)
      let read = try RowWindow(side.store, entity, keys: some)
      do { window = try described(read.rows) } catch {
        read.free()
        throw error
      }
    }
  }

  private func described(_ rows: [(key: Int64, row: PackedRow)]) throws -> [ComparedRow] {
    let identities = try side.identities[entity] == nil ? [] : side.identity(of: rows, entity)
    let packed = rows.map(\.row)
    let references = try references.map { try side.references($0, of: entity, packed) }
    let members = try members.map { try side.members($0, of: entity, owners: rows.map(\.key)) }
    return rows.indices.map { index in
      ComparedRow(
        key: rows[index].key,
        identity: identities.isEmpty ? .key(rows[index].key) : identities[index].map(RowIdentity.values),
        packed: rows[index].row,
        references: references.map { $0[index] }, members: members.map { $0[rows[index].key] ?? [] })
    }
  }
}

/// An object as it is compared.
struct ComparedRow {
  let key: Int64
  /// Nil where a value of the identity is nil.
  let identity: RowIdentity?
  let packed: PackedRow
  let references: [[Value]?]
  let members: [[[Value]]]
}

/// The identity of a row, which takes no memory of its own where it is the key.
enum RowIdentity {
  case key(Int64)
  case values([Value])

  var values: [Value] {
    switch self {
    case .key(let key): [.int(key)]
    case .values(let values): values
    }
  }

  /// The order of two identities: negative, zero or positive.
  func order(_ other: RowIdentity) -> Int {
    if case .key(let left) = self, case .key(let right) = other { return left < right ? -1 : left == right ? 0 : 1 }
    return values.order(other.values)
  }
}
