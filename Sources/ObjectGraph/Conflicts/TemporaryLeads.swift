internal import Modeling

/// The to-ones of changed objects that refer to objects without a row.
final class TemporaryLeads {
  private var leads: [ObjectID: [ConflictResolver.Place]] = [:]

  init(_ context: ObjectContext) {
    for reference in context.changedReferences() {
      for (column, value) in reference.table.changes[reference.slot]?.columns ?? ChangedColumns() {
        guard case .object = value, let property = reference.table.shape(reference.slot).referenceAtColumn[column]
        else { continue }
        note(reference, property)
      }
    }
  }

  /// Records a to-one that has been set since.
  func note(_ reference: ObjectReference, _ property: Int) {
    guard let target = target(reference, property) else { return }
    leads[target, default: []].append(ConflictResolver.Place(reference: reference, property: property))
  }

  /// Returns the to-ones that refer to an object without a row.
  func leads(to id: ObjectID) -> [ConflictResolver.Place] {
    (leads[id] ?? []).filter { target($0.reference, $0.property) == id }
  }

  private func target(_ reference: ObjectReference, _ property: Int) -> ObjectID? {
    let (table, slot) = (reference.table, reference.slot)
    guard let column = table.shape(slot).layout.properties[property].ownColumns.first,
      case .object(let id)? = table.changes[slot]?.columns[column], id.isTemporary
    else { return nil }
    return id
  }
}
