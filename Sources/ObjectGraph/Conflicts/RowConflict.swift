internal import Modeling
internal import Stores

/// A changed object whose row is no longer what the changes were based on.
final class RowConflict {
  let reference: ObjectReference
  /// The columns that others changed; empty if the row is gone.
  let columns: [Int]
  /// The row in the store; nil if it is gone.
  private(set) var theirs: PackedRow?

  init(_ reference: ObjectReference, columns: [Int], theirs: PackedRow?) {
    self.reference = reference
    self.columns = columns
    self.theirs = theirs
  }

  deinit { theirs?.free() }

  /// Whether the save overwrites nothing: the columns were set to their old values, or only many-to-manys
  /// were changed.
  var isIdle: Bool {
    guard theirs != nil, let changes = reference.table.changes[reference.slot], changes.kind == .updated else {
      return false
    }
    return !changes.columns.contains { isMine($0.column) }
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

  /// Returns the row and gives up its ownership; the caller frees it.
  func takeTheirs() -> PackedRow? {
    defer { theirs = nil }
    return theirs
  }

  /// Returns the conflict as it is reported.
  func facts() -> ObjectConflict {
    let (table, slot) = (reference.table, reference.slot)
    let changes = table.changes[slot]
    let kind: ObjectConflict.Kind =
      theirs == nil ? .deletedInStore : changes?.kind == .deleted ? .deletedHere : .changed
    let conflict = table.conflict(slot, kind)
    return ObjectConflict(
      object: conflict.object, label: conflict.label, kind: kind, properties: properties(changes))
  }

  private func properties(_ changes: UnsavedChanges?) -> [PropertyConflict] {
    let (table, slot) = (reference.table, reference.slot)
    let base = table.row(slot)
    var found: [PropertyConflict] = []
    for (index, property) in table.entity(slot).properties.enumerated() {
      // A foreign key column may also be an attribute; only the relationship is reported.
      guard table.shape(slot).isWritable[index],
        let column = table.shape(slot).layout.properties[index].ownColumns.first
      else { continue }
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
  /// Returns a conflict of the slot's object, without its properties.
  func conflict(_ slot: Int32, _ kind: ObjectConflict.Kind) -> ObjectConflict {
    let id = objectID(slot)
    let label = id.isTemporary ? id.description : "\(id.entity.name) \(context.keyText(of: id))"
    return ObjectConflict(object: id, label: label, kind: kind, properties: [])
  }

  /// Returns a column's value for messages: the target of a to-one, or else the decoded value.
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
