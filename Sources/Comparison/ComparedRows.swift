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
  private static let windowSize = 500

  init(
    _ side: ComparisonSide, _ entity: Entity, references: [Int], members: [Int], where predicate: Predicate?
  ) throws {
    (self.side, self.entity, self.references, self.members) = (side, entity, references, members)
    layout = side.store.layout(of: entity)
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
    keys = try side.store.keys(request)[...]
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
    let identities = try side.identity(of: rows, entity)
    let packed = rows.map(\.row)
    let references = try references.map { try side.references($0, of: entity, packed) }
    let members = try members.map { try side.members($0, of: entity, owners: rows.map(\.key)) }
    return rows.indices.map { index in
      ComparedRow(
        key: rows[index].key, identity: identities[index], packed: rows[index].row,
        references: references.map { $0[index] }, members: members.map { $0[rows[index].key] ?? [] })
    }
  }
}

/// An object as it is compared.
struct ComparedRow {
  let key: Int64
  /// Nil where a value of the identity is nil.
  let identity: [Value]?
  let packed: PackedRow
  let references: [[Value]?]
  let members: [[[Value]]]
}
