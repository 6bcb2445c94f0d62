internal import Modeling
internal import ObjectGraph
internal import Presentation
internal import Queries
internal import Stores

/// The columns of an entity's table as the store holds them: the key, the discriminator, and every column that a program
/// can write.
struct StoredColumns {
  let table: String
  let names: [String]
  private let entity: Entity
  private let properties: [Int]
  private let hasKey: Bool
  private let keyName: String?
  private let hasDiscriminator: Bool
  /// The places of the columns by entity: subentities have others.
  private let places = PlacesByEntity()

  /// The columns of all properties, or of those that a script asks for without the key; nil where it asks for more than
  /// columns.
  ///
  /// - Throws: UnknownColumn for a name that is no property with a column.
  init?(_ entity: Entity, in store: any ObjectStore, only requests: [ColumnRequest]? = nil) throws {
    guard requests?.contains(where: { $0.title != nil }) != true,
      let chosen = try EntityColumns(entity, isData: true, only: requests).properties
    else { return nil }
    let layout = store.layout(of: entity)
    self.entity = entity
    table = layout.table
    properties = chosen
    let own = Self.columns(chosen, of: layout).flatMap { place in
      let column = layout.columns[place.column]
      return column.storedNames + [column.entityColumn].compactMap(\.self)
    }
    // A key that is one of the properties, or the hidden row id, needs no column of its own.
    if requests == nil, case .rowID(let key) = layout.key, !own.contains(key),
      !Self.hiddenKeys.contains(key.lowercased())
    {
      keyName = key
    } else {
      keyName = nil
    }
    hasKey = keyName != nil
    hasDiscriminator = requests == nil && layout.discriminator != nil
    var all: [String] = []
    if let keyName { all.append(keyName) }
    if hasDiscriminator, let column = layout.discriminator?.column { all.append(column) }
    self.names = all + own
  }

  private static let hiddenKeys: Set<String> = ["rowid", "oid", "_rowid_"]

  /// The columns behind the properties, each once; not those that the store itself computes.
  private static func columns(_ properties: [Int], of layout: EntityLayout) -> [(property: Int, column: Int)] {
    var seen: Set<Int> = []
    return properties.flatMap { property in layout.properties[property].ownColumns.map { (property, $0) } }
      .filter { layout.columns[$0.1].isWritable && seen.insert($0.1).inserted }
  }

  var columns: [TabularColumn] { names.map { TabularColumn($0) } }

  /// The columns' values for an object.
  func cells(of object: ManagedObject) throws -> [Cell] {
    let layout = object.context.store.layout(of: object.entity)
    var cells: [Cell] = []
    cells.reserveCapacity(names.count)
    if hasKey { cells.append(object.objectID.isTemporary ? .null : .integer(object.objectID.key)) }
    if hasDiscriminator { cells.append(layout.discriminator.map { Cell($0.value) } ?? .null) }
    for (property, index) in places.places(of: object.entity, { Self.columns(properties, of: layout) }) {
      let column = layout.columns[index]
      var value = try object.table.column(object.slot, index).decoded(as: column.type)
      // An object that was set is there itself, and may have no row yet.
      if case .object(let id) = value { value = id.isTemporary ? .null : .int(id.key) }
      if case .int(let key) = value, key <= ObjectID.temporaryLimit, isReference(property) { value = .null }
      cells += column.storedValues(value).map { Cell($0) }
      if column.entityColumn != nil { cells.append(try destinationEntity(of: object, property)) }
    }
    return cells
  }

  private func isReference(_ property: Int) -> Bool { entity.properties[property].relationship != nil }

  /// The discriminator of a to-one's destination.
  private func destinationEntity(of object: ManagedObject, _ property: Int) throws -> Cell {
    guard isReference(property), let related = try object.related(at: property) else { return .null }
    return related.context.store.layout(of: related.entity).discriminator.map { Cell($0.value) } ?? .null
  }
}

/// Objects that are known already as the rows of their table.
final class StoredRows: TabularSource {
  private let stored: StoredColumns
  private let count: Int
  private let object: (Int) throws -> ManagedObject
  private var position = 0

  init(_ columns: StoredColumns, _ count: Int, _ object: @escaping (Int) throws -> ManagedObject) {
    (stored, self.count, self.object) = (columns, count, object)
  }

  var columns: [TabularColumn] { stored.columns }
  var tableName: String? { stored.table }

  func next() throws -> [Cell]? {
    guard position < count else { return nil }
    defer { position += 1 }
    return try stored.cells(of: object(position))
  }

  func totalCount() -> Int? { count }
}

/// The objects of a request as the rows of their table, read as they are asked for.
final class StoredRequestRows: TabularSource {
  private let stored: StoredColumns
  private let context: ObjectContext
  private let request: FetchRequest
  private var cursor: ObjectCursor?

  init(_ request: FetchRequest, in context: ObjectContext, _ columns: StoredColumns) {
    (self.request, self.context, stored) = (request, context, columns)
  }

  deinit { cursor?.close() }

  var columns: [TabularColumn] { stored.columns }
  var tableName: String? { stored.table }

  func next() throws -> [Cell]? {
    let cursor = try self.cursor ?? context.cursor(request)
    self.cursor = cursor
    guard let slot = try cursor.next() else { return nil }
    return try stored.cells(of: ManagedObject(table: cursor.objects, slot: slot))
  }
}

/// Where the columns of entities are, each found once.
private final class PlacesByEntity {
  private var places: [ObjectIdentifier: [(property: Int, column: Int)]] = [:]

  func places(
    of entity: Entity, _ find: () -> [(property: Int, column: Int)]
  ) -> [(property: Int, column: Int)] {
    if let known = places[ObjectIdentifier(entity)] { return known }
    let found = find()
    places[ObjectIdentifier(entity)] = found
    return found
  }
}
