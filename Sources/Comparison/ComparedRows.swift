internal import Layouts
internal import Modeling
internal import Queries
internal import Stores

/// The objects of an entity in one store, in the order of their identity: what is still to be read, and a window of rows.
final class ComparedRows {
  let side: ComparisonSide
  let entity: Entity
  let layout: EntityLayout
  private let references: [Int]
  private let members: [Int]
  private let form: IdentityForm
  private var source: Source
  private var window: [ComparedRow] = []
  private var position = 0
  /// Whether there are no rows behind the window.
  private var isOver = false
  /// The identity of the object before the current one.
  var last: RowIdentity?
  /// How many rows are read at once: more of them from a server, where each time is a round trip.
  private let windowSize: Int

  /// Where rows come from.
  private enum Source {
    case cursor(RowCursor)
    case keys(ArraySlice<Int64>)
  }

  /// The rows of some keys, which are in the order of the identity.
  init(_ side: ComparisonSide, _ entity: Entity, references: [Int], members: [Int], keys: [Int64]) {
    (self.side, self.entity, self.references, self.members) = (side, entity, references, members)
    layout = side.store.layout(of: entity)
    form = IdentityForm(of: entity, side)
    windowSize = side.store.traits.rowsPerRoundTrip == 0 ? 512 : 4_096
    source = .keys(keys[...])
  }

  /// The rows that a predicate selects; all without one. Not `sorted`, they are in the order of the store.
  ///
  /// A store in this process returns them one by one. A server would send all at once, because both stores show one snapshot; its
  /// rows are read by their keys.
  convenience init(
    _ side: ComparisonSide, _ entity: Entity, references: [Int], members: [Int], where predicate: Predicate?,
    sorted: Bool = true
  ) throws {
    var request = FetchRequest(entity)
    request.includesSubentities = false
    request.predicate = predicate
    let isInOrder = predicate == nil && IdentityForm(of: entity, side) == .key
    let order = isInOrder || !sorted ? [] : side.identities[entity] ?? []
    request.sortDescriptors = order.map { property in
      var path = [entity.properties[property].name]
      if entity.properties[property].relationship != nil {
        let destination = entity.destination(at: property)
        path += (side.identities[destination] ?? []).map { destination.properties[$0].name }
      }
      return SortDescriptor(.path(PropertyPath(path)))
    }
    let isOrdered = !sorted || predicate == nil || !request.sortDescriptors.isEmpty
    let streams = isOrdered && side.store.traits.rowsPerRoundTrip == 0
    let keys = streams ? [] : try side.store.keys(request)
    self.init(side, entity, references: references, members: members, keys: keys)
    if streams { source = .cursor(try side.store.cursor(request)) }
  }

  deinit {
    for row in window { row.packed.free() }
    if case .cursor(let cursor) = source { cursor.close() }
  }

  /// The current object; nil behind the last.
  func current() throws -> ComparedRow? {
    if position == window.count, !isOver { try fill() }
    return position < window.count ? window[position] : nil
  }

  /// Moves to the next object.
  func advance() { position += 1 }

  private func fill() throws {
    // The rows that are freed hold the bytes of the last identity.
    last = last.map { .values($0.values) }
    for row in window { row.packed.free() }
    (window, position) = ([], 0)
    while window.isEmpty, !isOver {
      let read = try nextRows()
      do { window = try described(read.rows) } catch {
        read.free()
        throw error
      }
    }
  }

  private func nextRows() throws -> RowWindow {
    switch source {
    case .cursor(let cursor):
      let read = try RowWindow(cursor, most: windowSize)
      isOver = read.rows.isEmpty
      return read
    case .keys(let keys):
      let some = Array(keys.prefix(windowSize))
      source = .keys(keys.dropFirst(some.count))
      isOver = some.isEmpty
      return try RowWindow(side.store, entity, keys: some)
    }
  }

  private func described(_ rows: [(key: Int64, row: PackedRow)]) throws -> [ComparedRow] {
    let identities = try identities(rows)
    let packed = rows.map(\.row)
    let references = try references.map { try side.references($0, of: entity, packed) }
    let members = try members.map { try side.members($0, of: entity, owners: rows.map(\.key)) }
    return rows.indices.map { index in
      ComparedRow(
        key: rows[index].key, identity: identities[index],
        packed: rows[index].row,
        references: references.map { $0[index] }, members: members.map { $0[rows[index].key] ?? [] })
    }
  }

  private func identities(_ rows: [(key: Int64, row: PackedRow)]) throws -> [RowIdentity?] {
    switch form {
    case .key: rows.map { .integer($0.key) }
    case .column(let column, let storage):
      rows.map { _, row in
        switch row.storageClass(column) {
        case .null: nil
        case .integer where storage == .integer: .integer(row.integer(column))
        case .text where storage == .text: .text(row.bytes(column))
        default: .values([side.value(column, in: layout, row)])
        }
      }
    case .values: try side.identity(of: rows, entity).map { $0.map(RowIdentity.values) }
    }
  }
}
