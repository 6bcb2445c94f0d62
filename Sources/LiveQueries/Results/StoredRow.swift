internal import Modeling
internal import ObjectGraph
internal import Queries
internal import Stores

/// A stored row, for predicates and orders that use only the row's own plain values.
///
/// A value that is not of its attribute's declared type may evaluate differently in memory than in SQL; reading it
/// throws.
final class StoredRow: PredicateSubject {
  let entity: Entity
  let key: Int64
  private let source: Source
  /// The values that were asked for, by property, as all results ask for the same ones.
  private var known: [Value?]

  /// The source of the row's values.
  enum Source {
    /// Values by property; null for properties that are not plain values.
    case values([Value])
    case present(PresentRows)
  }

  /// A value that is not a plain value of its attribute's type.
  private struct UnexpectedValue: Error {}

  init(_ entity: Entity, _ key: Int64, _ source: Source) {
    self.entity = entity
    self.key = key
    self.source = source
    known = Array(repeating: nil, count: entity.properties.count)
  }

  var objectID: ObjectID { ObjectID(entity: entity, key: key) }

  func attribute(at index: Int) throws -> Value {
    if let value = known[index] { return value }
    let value: Value
    switch source {
    case .values(let values): value = values[index]
    case .present(let rows):
      guard let type = entity.properties[index].attribute?.type, let item = rows.item(of: key, property: index) else {
        throw UnexpectedValue()
      }
      value = try Self.value(item, type)
    }
    known[index] = value
    return value
  }

  func toOne(at index: Int) -> (any PredicateSubject)? { nil }
  func toMany(at index: Int) -> [any PredicateSubject] { [] }

  /// Whether a column's values of the declared type evaluate equally in memory and in SQL.
  static func isPlain(_ column: ColumnLayout) -> Bool {
    guard column.isExact, column.collation == nil else { return false }
    return switch column.type {
    case .integer16, .integer32, .integer64, .boolean, .double, .float, .date, .string: true
    default: false
    }
  }

  /// The plain values of a cursor's current row.
  static func values(_ cursor: RowCursor, _ entity: Entity, _ layout: EntityLayout) throws -> [Value] {
    try layout.properties.enumerated().map { index, property in
      guard case .column(let column) = property, isPlain(layout.columns[column]),
        let type = entity.properties[index].attribute?.type
      else { return .null }
      return try value(item(cursor, column), type)
    }
  }

  private static func item(_ cursor: RowCursor, _ column: Int) -> PresentRows.Item {
    switch cursor.storageClass(column) {
    case .null: .null
    case .integer: .integer(cursor.integer(column))
    case .real: .real(cursor.real(column))
    case .text: .text(ArraySlice(cursor.bytes(column)))
    case .blob: .blob([])
    }
  }

  private static func value(_ item: PresentRows.Item, _ type: AttributeType) throws -> Value {
    switch (item, type) {
    case (.null, _): return .null
    case (.integer(let number), .boolean) where number == 0 || number == 1: return .bool(number == 1)
    case (.integer(let number), .integer16), (.integer(let number), .integer32), (.integer(let number), .integer64):
      return .int(number)
    case (.real(let number), .double), (.real(let number), .float): return .double(number)
    case (.real(let number), .date): return .date(Timestamp(number))
    case (.text(let bytes), .string):
      // SQL's functions end a text at a NUL character.
      if !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) { return .string(text) }
    default: break
    }
    throw UnexpectedValue()
  }
}
