internal import Layouts
internal import Modeling
internal import Queries
internal import Stores

/// One of the compared stores: it reads rows, and tells by which identity objects are known.
final class ComparisonSide {
  let store: any ObjectStore
  /// The properties that identify the objects of an entity; an entity that is not here is identified by the key.
  let identities: [Entity: [Int]]
  /// The identities of objects that references led to.
  private var known: [Entity: [Int64: [Value]]] = [:]
  private var knownCount = 0
  private static let limit = 100_000

  init(_ store: any ObjectStore, _ identities: [Entity: [Int]]) {
    self.store = store
    self.identities = identities
  }

  // MARK: Values

  /// The value of a column of a packed row.
  func value(_ column: Int, in layout: EntityLayout, _ row: PackedRow) -> Value {
    let kept = layout.columns[column]
    let storage = row.storageClass(column)
    let hasBytes = storage == .text || storage == .blob
    let value = ValueCoding.decode(
      storage, integer: row.integer(column), real: row.real(column),
      bytes: hasBytes ? row.bytes(column) : UnsafeRawBufferPointer(start: nil, count: 0), as: kept.type)
    return kept.encoding.isSealed ? store.opened(value, of: kept) : value
  }

  /// Whether a column of a packed row names a file that is not there, so that its value is not known.
  func isFileMissing(_ column: Int, in layout: EntityLayout, _ row: PackedRow) -> Bool {
    let kept = layout.columns[column]
    guard kept.encoding == .externalData, row.storageClass(column) == .blob else { return false }
    return store.isFileMissing(.data([UInt8](row.bytes(column))), of: kept)
  }

  /// The identity of each row; nil where a value of it is nil.
  func identity(of rows: [(key: Int64, row: PackedRow)], _ entity: Entity) throws -> [[Value]?] {
    guard let properties = identities[entity] else { return rows.map { [.int($0.key)] } }
    let layout = store.layout(of: entity)
    var found = rows.map { _ in [Value]() }
    for property in properties {
      if case .column(let column) = layout.properties[property] {
        for index in rows.indices { found[index].append(value(column, in: layout, rows[index].row)) }
      } else {
        let references = try references(property, of: entity, rows.map(\.row))
        for index in rows.indices { found[index] += references[index] ?? [.null] }
      }
    }
    return found.map { $0.contains(where: \.isNull) ? nil : $0 }
  }

  // MARK: References

  /// The identities of the destinations of a to-one relationship; nil where it leads nowhere.
  func references(_ property: Int, of entity: Entity, _ rows: [PackedRow]) throws -> [[Value]?] {
    let layout = store.layout(of: entity)
    guard case .reference(let columns, let target) = layout.properties[property] else { return rows.map { _ in nil } }
    let destination = entity.destination(at: property)
    let named = rows.map { row -> [Value]? in
      let values = columns.map { value($0, in: layout, row) }
      return values.contains(where: \.isNull) ? nil : values
    }
    if isIdentity(target, of: destination) { return named }
    let keys = try named.map { try $0.flatMap { try key($0, property, entity, target) } }
    let found = try identities(of: destination, keys: keys.compactMap(\.self))
    // A dangling reference is known by its values.
    return zip(named, keys).map { named, key in key.flatMap { found[$0] } ?? named }
  }

  /// Whether the columns of a reference hold the identity of the destination.
  private func isIdentity(_ target: ReferenceTarget, of destination: Entity) -> Bool {
    let layout = store.layout(of: destination)
    guard let properties = identities[destination] else {
      return target == .key && layout.key.integerName != nil
    }
    let names = properties.map { layout.properties[$0].ownColumns.map { layout.columns[$0].name } }
    return names == target.columns(layout).map { [$0] }
  }

  private func key(
    _ named: [Value], _ property: Int, _ entity: Entity, _ target: ReferenceTarget
  ) throws -> Int64? {
    if target == .key, store.layout(of: entity.destination(at: property)).key.integerName != nil {
      if case .int(let key) = named[0] { return key }
      return nil
    }
    return try store.resolve(named, of: property, in: entity)
  }

  /// The identities of objects by their keys. One round trip for some hundred keys that are new.
  private func identities(of entity: Entity, keys: [Int64]) throws -> [Int64: [Value]] {
    let cached = known[entity] ?? [:]
    var missing = Set(keys)
    for key in keys where cached[key] != nil { missing.remove(key) }
    guard !missing.isEmpty else { return cached }
    if knownCount + missing.count > Self.limit {
      let kept = cached.filter { keys.contains($0.key) }
      known = [entity: kept]
      knownCount = kept.count
    }
    let window = try RowWindow(store, entity, keys: missing.sorted(), includesSubentities: true)
    defer { window.free() }
    for (key, identity) in zip(window.rows.map(\.key), try identity(of: window.rows, entity)) {
      known[entity, default: [:]][key] = identity ?? [.null]
      knownCount += 1
    }
    return known[entity] ?? [:]
  }

  /// The identities of the members of a to-many relationship, by owner.
  func members(_ property: Int, of entity: Entity, owners: [Int64]) throws -> [Int64: [[Value]]] {
    let pairs = try store.members(of: property, in: entity, owners: owners)
    let found = try destinations(pairs.map(\.member), entity.destination(at: property))
    var members: [Int64: [[Value]]] = [:]
    for pair in pairs { members[pair.owner, default: []].append(found[pair.member] ?? [.int(pair.member)]) }
    return members
  }

  private func destinations(_ keys: [Int64], _ entity: Entity) throws -> [Int64: [Value]] {
    if identities[entity] == nil { return [:] }
    return try identities(of: entity, keys: keys)
  }
}

/// Some rows, which are read at once.
struct RowWindow {
  private(set) var rows: [(key: Int64, row: PackedRow)] = []

  /// Reads the next rows of a cursor.
  init(_ cursor: RowCursor, most: Int) throws {
    do {
      rows.reserveCapacity(most)
      while rows.count < most, try cursor.step() { rows.append((cursor.key, cursor.pack())) }
    } catch {
      free()
      throw error
    }
  }

  /// Reads the rows of some keys, in the order of the keys. Keys without a row are left out.
  init(_ store: any ObjectStore, _ entity: Entity, keys: [Int64], includesSubentities: Bool = false) throws {
    do {
      let cursor = try store.rows(of: entity, keys: keys)
      defer { cursor.close() }
      rows.reserveCapacity(keys.count)
      while try cursor.step() {
        if includesSubentities || cursor.entity === entity { rows.append((cursor.key, cursor.pack())) }
      }
    } catch {
      free()
      throw error
    }
    // Most stores return rows in this order.
    if rows.count == keys.count, zip(rows, keys).allSatisfy({ $0.key == $1 }) { return }
    var found: [Int64: PackedRow] = [:]
    for (key, row) in rows { found.updateValue(row, forKey: key)?.free() }
    rows = keys.compactMap { key in found[key].map { (key, $0) } }
  }

  /// Frees the memory of the rows.
  func free() {
    for row in rows { row.row.free() }
  }
}
