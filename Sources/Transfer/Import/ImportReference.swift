import Modeling
import Stores

/// Finds the destinations of a to-one relationship by the value of an attribute, for every row of an import.
final class ImportReference {
  let destination: Entity
  /// The destination's attribute to search; nil for its key.
  let attribute: Int?
  /// The number of the relationship's columns.
  let width: Int
  /// Whether the destination is the entity being imported.
  let isToItself: Bool

  /// Whether the relationship's single column contains the key itself.
  let holdsKey: Bool

  private let store: any ObjectStore
  private let entity: Entity
  private let relationship: Int
  private let isByRowID: Bool
  private var keys = ReferenceMap()
  /// A cache of column values by key, if the columns do not contain the key itself.
  private var known: [Int64: [Value]] = [:]

  /// Reads the whole destination, because each row looks up one object.
  init(_ store: any ObjectStore, _ entity: Entity, _ plan: ImportPlan.Reference) throws {
    self.store = store
    self.entity = entity
    relationship = plan.relationship
    attribute = plan.attribute
    destination = entity.destination(at: plan.relationship)
    width = plan.columns.count
    holdsKey = plan.target == .key && plan.columns.count == 1
    isToItself = destination.root === entity.root
    isByRowID = if case .rowID = store.layout(of: destination).key { true } else { false }
    if isByRowID { keys = try ReferenceMap(store, destination, attribute) }
  }

  /// The name of the attribute to search, for messages.
  var propertyName: String { attribute.map { destination.properties[$0].name } ?? "key" }

  /// The column values of a reference to `key`.
  func values(to key: Int64) throws -> [Value] {
    if let values = known[key] { return values }
    let values = try store.referenceValues(to: key, of: relationship, in: entity)
    known[key] = values
    return values
  }

  /// The key of the destination for a field; nil for an empty field, and if no destination has the value.
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
    // Dates, decimals and other types, and composite keys: by a statement.
    guard let attribute else { return try store.key(of: destination, fromKeyValues: [field.value]) }
    return try store.key(of: destination, where: [attribute], equal: [field.value])
  }

  /// Adds a row that was just inserted.
  func remember(_ field: TypedField, key: Int64) {
    switch field {
    case .int(let number): keys.insert(number, key)
    case .text(let bytes): keys.insert(bytes, key)
    case .null, .bool, .double, .date, .value: break
    }
  }
}
