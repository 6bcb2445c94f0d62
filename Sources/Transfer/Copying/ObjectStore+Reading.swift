import Modeling
import Stores

extension ObjectStore {
  /// The key that a reference's values are; nil if they name the object otherwise.
  func plainKey(_ values: [Value], of relationship: Int, in entity: Entity) -> Int64? {
    guard case .reference(_, .key) = layout(of: entity).properties[relationship], values.count == 1,
      case .rowID = layout(of: entity.destination(at: relationship)).key, case .int(let key) = values[0]
    else { return nil }
    return key
  }

  /// The keys of the objects that values of a reference name; values that name none are left out.
  func keys(named values: [[Value]], by relationship: Int, in entity: Entity) throws -> [Int64] {
    guard values.first?.count == 1 else {
      return try values.compactMap { try resolve($0, of: relationship, in: entity) }
    }
    var keys: [Int64] = []
    try values.map { $0[0] }.inChunks { some in
      keys += try resolveAll(some, of: relationship, in: entity).map(\.key)
    }
    return keys
  }

  /// The decoded value of a column in the cursor's current row; an archive is decoded only if `isOpened`.
  func value(_ column: Int, in layout: EntityLayout, _ cursor: RowCursor, isOpened: Bool = true) -> Value {
    let kept = layout.columns[column]
    let value = ValueCoding.decode(
      cursor.storageClass(column), integer: cursor.integer(column), real: cursor.real(column),
      bytes: cursor.bytes(column), as: kept.type)
    return kept.isArchive && !isOpened ? value : opened(value, of: kept)
  }
}
