import Modeling

/// Finds what a to-one leads to by the value of a destination's attribute, for every row of an import.
struct ImportReference {
  let destination: Entity
  /// The destination's attribute that is looked up; nil for its key.
  let attribute: Int?
  /// How many columns the to-one has.
  let width: Int
  /// Whether the destination's rows are those that are being imported.
  let isToItself: Bool

  private let store: SQLiteStore
  private let entity: Entity
  private let relationship: Int
  private let target: ReferenceTarget
  private var keys = ReferenceMap()
  /// What the columns hold, by key, where that is not the key itself.
  private let known = KnownValues()

  private final class KnownValues {
    var values: [Int64: [Value]] = [:]
  }

  /// Reads the whole destination: it is looked at once for each row.
  init(_ store: SQLiteStore, _ entity: Entity, _ plan: ImportPlan.Reference) throws {
    self.store = store
    self.entity = entity
    relationship = plan.relationship
    attribute = plan.attribute
    destination = entity.destination(at: plan.relationship)
    width = plan.columns.count
    target = plan.target
    isToItself = destination.root === entity.root
    let layout = store.layout(of: destination)
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

  /// What the to-one's columns hold for a field; nil for nothing, and where no destination has the value.
  func values(for field: TypedField) throws -> [Value]? {
    guard let key = try key(for: field) else { return nil }
    if case .key = target, width == 1 { return [.int(key)] }
    if let values = known.values[key] { return values }
    let values = try store.referenceValues(to: key, of: relationship, in: entity)
    known.values[key] = values
    return values
  }

  private func key(for field: TypedField) throws -> Int64? {
    switch field {
    case .null: return nil
    case .int(let number): if let key = keys[number] { return key }
    case .text(let bytes): if let key = keys[bytes] { return key }
    case .bool, .double, .date, .value: break
    }
    if case .rowID = store.layout(of: destination).key {
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
  mutating func remember(_ field: TypedField, key: Int64) {
    switch field {
    case .int(let number): keys.insert(number, key)
    case .text(let bytes): keys.insert(bytes, key)
    case .null, .bool, .double, .date, .value: break
    }
  }
}
