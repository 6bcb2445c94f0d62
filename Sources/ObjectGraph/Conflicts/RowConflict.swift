internal import Modeling
internal import Storage

/// A changed object whose row is no longer what the changes were based on.
final class RowConflict {
  let reference: ObjectReference
  /// The columns that others changed; none when the row is gone.
  let columns: [Int]
  /// The row as it is in the store; nil when it is gone.
  private(set) var theirs: PackedRow?

  init(_ reference: ObjectReference, columns: [Int], theirs: PackedRow?) {
    self.reference = reference
    self.columns = columns
    self.theirs = theirs
  }

  deinit { theirs?.free() }

  /// Whether nothing is to be written over what others wrote: the columns were set to what they were, or pairs alone
  /// were changed.
  var isIdle: Bool {
    guard theirs != nil, let changes = reference.table.changes[reference.slot], changes.kind == .updated else {
      return false
    }
    return !changes.columns.indices.contains { isMine($0) }
  }

  /// Whether a column was changed here.
  func isMine(_ column: Int) -> Bool {
    let (table, slot) = (reference.table, reference.slot)
    guard let changes = table.changes[slot], changes.kind == .updated, let value = changes.columns[column] else {
      return false
    }
    guard let base = table.row(slot) else { return true }
    return RawColumn(base, column).decoded(as: table.shape(slot).layout.columns[column].type) != value
  }

  /// Hands the row over to somebody who frees it.
  func takeTheirs() -> PackedRow? {
    defer { theirs = nil }
    return theirs
  }

  /// The conflict as facts.
  func facts() -> ObjectConflict {
    let (table, slot) = (reference.table, reference.slot)
    let changes = table.changes[slot]
    let kind: ObjectConflict.Kind =
      theirs == nil ? .deletedInStore : changes?.kind == .deleted ? .deletedHere : .changed
    let conflict = table.conflict(slot, kind)
    return ObjectConflict(
      object: conflict.object, label: conflict.label, kind: kind, properties: properties(changes))
  }

  private func properties(_ changes: ObjectChanges?) -> [PropertyConflict] {
    let (table, slot) = (reference.table, reference.slot)
    let base = table.row(slot)
    var found: [PropertyConflict] = []
    for (index, property) in table.entity(slot).properties.enumerated() {
      guard let column = table.shape(slot).layout.properties[index].ownColumns.first else { continue }
      let own = table.shape(slot).layout.properties[index].ownColumns
      let isMine = own.contains(where: self.isMine)
      guard theirs == nil ? isMine : own.contains(where: columns.contains) else { continue }
      func value(_ row: PackedRow?) -> Value {
        row.map { table.value(of: index, slot, RawColumn($0, column)) } ?? .null
      }
      var mine = value(base)
      if changes?.kind == .deleted {
        mine = .null
      } else if let changed = changes?.columns[column] {
        mine = table.value(of: index, slot, .value(changed))
      }
      found.append(
        PropertyConflict(
          property: property.name, base: value(base), mine: mine, theirs: value(theirs), isMine: isMine))
    }
    return found
  }
}

extension ObjectTable {
  /// A conflict of the slot's object, its properties still to be named.
  func conflict(_ slot: Int32, _ kind: ObjectConflict.Kind) -> ObjectConflict {
    let id = objectID(slot)
    let label = id.isTemporary ? id.description : "\(id.entity.name) \(context.keyText(of: id))"
    return ObjectConflict(object: id, label: label, kind: kind, properties: [])
  }

  /// What a column holds for people: the object that a to-one leads to, else the decoded value.
  func value(of property: Int, _ slot: Int32, _ raw: RawColumn) -> Value {
    let layout = shape(slot).layout
    if case .reference(_, .key) = layout.properties[property] {
      let value = raw.decoded(as: .any)
      guard case .int(let key) = value else { return value }
      return .object(ObjectID(entity: entity(slot).destination(at: property), key: key))
    }
    return raw.decoded(as: shape(slot).types[property] ?? .any)
  }
}
