import Layouts
import Modeling
import Postgres
import StoreErrors
import Stores

/// Reverts the writes of one transaction by the rows that it kept, within the caller's transaction.
struct PostgresReversal {
  /// A save of the journal.
  struct Entry {
    let number: Int64
    let direction: SaveDirection
    let transaction: String
    let time: Timestamp
    /// The time as the server writes it.
    let timeText: String
    let author: String?
    let isOwn: Bool
  }

  /// The change of one row, from the beginning of the transaction to its end.
  struct Row {
    /// The texts of the key's columns.
    let key: [String]
    var old: String?
    var new: String?
  }

  /// The rows of one table.
  struct Table {
    let name: String
    let sqlName: String
    /// The type of its rows.
    let rowType: String
    /// The root entity; nil for pairs.
    let entity: Entity?
    let keyColumns: [String]
    /// The columns that can be written, with those that the store computes left out.
    var columns: [String] = []
    var inserted: [Row] = []
    var updated: [Row] = []
    var deleted: [Row] = []

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
  }

  static let mostConflicts = 100

  let store: PostgresStore
  let recording: PostgresRecording
  let entry: Entry
  private(set) var tables: [Table] = []

  /// Reads the writes of an entry's transaction.
  ///
  /// - Throws: StoreError, `.notUndoable` if its rows were too many, or their table has changed.
  init(_ entry: Entry, _ recording: PostgresRecording, _ store: PostgresStore) throws {
    (self.entry, self.recording, self.store) = (entry, recording, store)
    let found = try store.pool.run(
      "SELECT DISTINCT relation FROM \(raw: recording.books.image) WHERE tx = \(.untyped(entry.transaction))::xid8")
    for row in 0..<found.rowCount {
      if found.isNull(row, 0) { throw StoreError(.notUndoable(.tooLarge), path: store.path) }
    }
    for row in 0..<found.rowCount {
      let table = try read(found.text(row, 0))
      if !table.isEmpty { tables.append(table) }
    }
    tables.sort { $0.name < $1.name }
  }

  func read(_ name: String) throws -> Table {
    let entity = store.model.entities.first { $0.parent == nil && store.layout(of: $0).table == name }
    var key = entity.map { store.layout(of: $0).key.columns } ?? []
    if entity == nil { key = pairColumns(name) }
    guard !key.isEmpty else { throw StoreError(.notUndoable(.schemaChanged(table: name)), path: store.path) }
    var table = Table(
      name: name, sqlName: store.tables[name].sqlName, rowType: try store.rowType(of: name), entity: entity,
      keyColumns: key)
    let derived = Set(
      entity?.family.flatMap { member -> [String] in
        let layout = store.layout(of: member)
        return member.properties.indices.compactMap { index in
          guard member.properties[index].attribute?.isDerived == true,
            case .column(let column) = layout.properties[index]
          else { return nil }
          return layout.columns[column].name
        }
      } ?? [])
    let columns = try store.pool.run(
      """
      SELECT attname::text FROM pg_attribute WHERE attrelid = \(.untyped(table.sqlName))::regclass AND attnum > 0 \
      AND NOT attisdropped AND attgenerated = '' ORDER BY attnum
      """)
    table.columns = (0..<columns.rowCount).map { columns.text($0, 0) }.filter { !derived.contains($0) }
    let names = key.map { "((coalesce(i.new, i.old)::\(table.rowType)).\(quoted($0)))::text" }.joined(separator: ", ")
    let images: PostgresResult
    do {
      images = try store.pool.run(
        """
        SELECT \(raw: names), i.old, i.new FROM \(raw: recording.books.image) AS i \
        WHERE i.tx = \(.untyped(entry.transaction))::xid8 AND i.relation = \(.text(name)) ORDER BY i.id
        """)
    } catch let error as StoreError {
      // A row that no longer fits the table.
      guard case .server(let refusal) = error.fact, refusal.sqlState.hasPrefix("22") || refusal.sqlState.hasPrefix("42")
      else { throw error }
      throw StoreError(.notUndoable(.schemaChanged(table: name)), path: store.path)
    }
    var order: [[String]] = []
    var rows: [[String]: Row] = [:]
    for row in 0..<images.rowCount {
      let key = key.indices.map { images.text(row, $0) }
      let old: String? = images.isNull(row, key.count) ? nil : images.text(row, key.count)
      let new: String? = images.isNull(row, key.count + 1) ? nil : images.text(row, key.count + 1)
      if rows[key] == nil {
        order.append(key)
        rows[key] = Row(key: key, old: old, new: new)
      } else {
        // Rows of a bulk insert are kept when it ends, after the writes to them meanwhile.
        if old == nil, rows[key]?.new != nil { rows[key]?.old = nil }
        rows[key]?.new = new
      }
    }
    for row in order.compactMap({ rows[$0] }) where row.old != row.new {
      switch (row.old, row.new) {
      case (nil, _): table.inserted.append(row)
      case (_, nil): table.deleted.append(row)
      default: table.updated.append(row)
      }
    }
    return table
  }

  func pairColumns(_ name: String) -> [String] {
    for entity in store.model.entities {
      for case .join(let join) in store.layout(of: entity).properties where join.table == name {
        return join.ownerColumns + join.memberColumns
      }
    }
    return []
  }

  /// The save, with the objects whose rows it would write.
  var save: ReversibleSave {
    var save = ReversibleSave(time: entry.time, author: entry.author, isOwn: entry.isOwn)
    for table in tables {
      save.deleted += objects(table.inserted, table)
      save.updated += objects(table.updated, table)
      save.inserted += objects(table.deleted, table)
    }
    return save
  }

  private func objects(_ rows: [Row], _ table: Table) -> [ObjectID] {
    guard let entity = table.entity else { return [] }
    return rows.compactMap { key($0, table).map { ObjectID(entity: entity, key: $0) } }
  }

  func key(_ row: Row, _ table: Table) -> Int64? {
    guard let entity = table.entity else { return nil }
    guard let interner = store.interner(of: entity) else { return Int64(row.key[0]) }
    let values = zip(table.keyColumns, row.key).compactMap { store.tables.form(table.name, $0).raw($1) }
    return values.count == table.keyColumns.count ? interner.number(of: values) : nil
  }
}
