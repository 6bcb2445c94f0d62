import Modeling
import SQLite

/// Combines recorded changes into touched rows.
///
/// The result may include rows that did not change. It never omits one that did.
struct TouchCollector {
  private enum Kind { case inserted, updated, deleted }

  /// The rows of one table.
  private struct Touched {
    var place: HistoryPlaces.Place
    var kinds: [Int64: Kind] = [:]
    /// Rows that others may have replaced.
    var inTheWay: Set<Int64> = []
    /// Rows that the history mentions only because other rows referred to them.
    var referredTo: Set<Int64> = []
    /// Whether a row was deleted, or now refers to other rows.
    var losesReferences = false
  }

  /// The maximum number of former references that are searched for.
  private static let mostReferences = 10_000

  private let places: HistoryPlaces
  private let tellsOwners: Bool
  private var tables: [String: Touched] = [:]
  private var pairs: [String: TouchedRows.Table] = [:]

  /// Collects changes by the numbers of `places`; `tellsOwners` says whether the history records former owners, too.
  init(_ places: HistoryPlaces, tellsOwners: Bool) {
    self.places = places
    self.tellsOwners = tellsOwners
  }

  /// Adds the change in the statement's current row.
  mutating func add(_ statement: Statement) {
    // The model may no longer have the entity.
    guard let place = places.place(statement.integer(2)) else { return }
    let (key, kind) = (statement.integer(3), statement.integer(4))
    var touched = tables.removeValue(forKey: place.table) ?? Touched(place: place)
    if kind == RecordedKind.touch, touched.kinds[key] == nil { touched.referredTo.insert(key) }
    touched.kinds[key] = fold(touched.kinds[key], kind)
    if kind == RecordedKind.inTheWay { touched.inTheWay.insert(key) }
    if kind == RecordedKind.delete { touched.losesReferences = true }
    if kind == RecordedKind.update { addProperties(statement, key, &touched) }
    tables[place.table] = touched
  }

  /// Adds all collected rows to `rows`; `isThere` returns whether a table has a row with a key.
  func finish(_ rows: inout TouchedRows, isThere: (String, Int64) throws(StoreError) -> Bool) throws(StoreError) {
    for (name, touched) in tables {
      var table = TouchedRows.Table(name: touched.place.name, entity: touched.place.entity)
      var kinds = touched.kinds
      for key in touched.inTheWay {
        guard let kind = kinds[key], kind != .deleted, try !isThere(touched.place.name, key) else { continue }
        kinds[key] = kind == .inserted ? nil : .deleted
      }
      // References may be dangling.
      for key in touched.referredTo.subtracting(touched.inTheWay).prefix(Self.mostReferences) {
        guard kinds[key] == .updated, try !isThere(touched.place.name, key) else { continue }
        kinds[key] = nil
      }
      if kinds.isEmpty { continue }
      for key in kinds.keys.sorted() {
        switch kinds[key] {
        case .inserted: table.inserted.append(key)
        case .deleted: table.deleted.append(key)
        default: table.updated.append(key)
        }
      }
      if touched.losesReferences, !tellsOwners { table.formerReferences = nil }
      rows.tables[name] = table
    }
    for (name, table) in pairs { rows.tables[name] = table }
    guard !tellsOwners, !tables.isEmpty else { return }
    for place in places.computed {
      rows.tables[place.table, default: TouchedRows.Table(name: place.name, entity: place.entity)].isUnknown = true
    }
  }

  private func fold(_ before: Kind?, _ kind: Int64) -> Kind? {
    switch kind {
    // The history has recorded the replaced row before.
    case RecordedKind.insert: before == nil || before == .inserted ? .inserted : .updated
    // If the history does not record replaced rows, this change may have replaced an existing row.
    case RecordedKind.delete: before == .inserted && tellsOwners ? nil : .deleted
    default: before ?? .updated
    }
  }

  // MARK: Properties

  private mutating func addProperties(_ statement: Statement, _ key: Int64, _ touched: inout Touched) {
    let family = places.families[touched.place.family]
    guard !family.pairs.isEmpty || !family.references.isEmpty else { return }
    switch statement.storageClass(5) {
    case .integer: addBits(statement.integer(5), 0, key, family, &touched)
    case .text:
      for (index, word) in statement.text(5).split(separator: ",").enumerated() {
        addBits(Int64(word) ?? 0, index, key, family, &touched)
      }
    default: break
    }
  }

  private mutating func addBits(
    _ word: Int64, _ index: Int, _ key: Int64, _ family: HistoryPlaces.Family, _ touched: inout Touched
  ) {
    var rest = word
    while rest != 0 {
      let position = index * RecordedChange.wordLength + rest.trailingZeroBitCount
      rest &= rest - 1
      if family.references.contains(position) { touched.losesReferences = true }
      for column in family.pairs[position] ?? [] { addOwner(key, column) }
    }
  }

  /// The object has other members: the owners of the pairs that contain it now or did before.
  private mutating func addOwner(_ key: Int64, _ column: HistoryPlaces.PairColumn) {
    var table = pairs[column.table] ?? TouchedRows.Table(name: column.name, entity: nil)
    table.presentReferences[column.column, default: []].append(.int(key))
    table.formerReferences?[column.column, default: []].append(.int(key))
    pairs[column.table] = table
  }
}
