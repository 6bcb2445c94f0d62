import Modeling
import SQLite
import Storage

/// Finds what a to-one leads to by the value of a destination's attribute, for every row of an import.
final class ImportReference {
  let destination: Entity
  /// The destination's attribute that is looked up; nil for its key.
  let attribute: Int?
  /// How many columns the to-one has.
  let width: Int
  /// Whether the destination's rows are those that are being imported.
  let isToItself: Bool

  /// Whether the to-one's one column holds the key itself.
  let holdsKey: Bool

  private let store: SQLiteStore
  private let entity: Entity
  private let relationship: Int
  private let isByRowID: Bool
  private var keys = ReferenceMap()
  /// What the columns hold, by key, where that is not the key itself.
  private var known: [Int64: [Value]] = [:]

  /// Reads the whole destination: it is looked at once for each row.
  init(_ store: SQLiteStore, _ entity: Entity, _ plan: ImportPlan.Reference) throws {
    self.store = store
    self.entity = entity
    relationship = plan.relationship
    attribute = plan.attribute
    destination = entity.destination(at: plan.relationship)
    width = plan.columns.count
    holdsKey = plan.target == .key && plan.columns.count == 1
    isToItself = destination.root === entity.root
    let layout = store.layout(of: destination)
    isByRowID = if case .rowID = layout.key { true } else { false }
    guard case .rowID(let key) = layout.key else { return }
    var column = key
    if let attribute, case .column(let index) = layout.properties[attribute] { column = layout.columns[index].name }
    let statement = try store.connection.checkOut(
      "SELECT \(quotedName(column)), \(quotedName(key)) FROM \(quotedName(layout.table))")
    defer { store.connection.checkIn(statement) }
    keys = try ReferenceMap(statement)
  }

  /// The property that is looked up, in messages.
  var propertyName: String { attribute.map { destination.properties[$0].name } ?? "key" }

  /// What the to-one's columns hold to lead to `key`.
  func values(to key: Int64) throws -> [Value] {
    if let values = known[key] { return values }
    let values = try store.referenceValues(to: key, of: relationship, in: entity)
    known[key] = values
    return values
  }

  /// The key of the destination that a field names; nil for nothing, and where no destination has the value.
  func key(for field: TypedField) throws -> Int64? {
    switch field {
    case .null: return nil
    case .int(let number): if let key = keys[number] { return key }
    case .text(let bytes): if let key = keys[bytes] { return key }
    case .bool, .double, .date, .value: break
    }
    if isByRowID {
      switch field {
      case .int, .text: return nil
      default: break
      }
    }
    // Dates, decimals and the like, and keys of several columns: by a statement.
    guard let attribute else { return try store.key(of: destination, fromKeyValues: [field.value]) }
    return try store.key(of: destination, where: [attribute], equal: [field.value])
  }

  /// Adds a row that was just written.
  func remember(_ field: TypedField, key: Int64) {
    switch field {
    case .int(let number): keys.insert(number, key)
    case .text(let bytes): keys.insert(bytes, key)
    case .null, .bool, .double, .date, .value: break
    }
  }
}
