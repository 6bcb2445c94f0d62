public import Modeling
public import ObjectGraph
internal import Storage

/// What updated objects held before a change.
///
/// Of what this program committed, the commits' own records tell it; they are read when an object is asked for. Of objects
/// with unsaved changes it is found out at once, beginning with what was told of them last. What another program replaced
/// is not known.
public final class FormerValues: Sendable {
  private let commits: CommittedValues
  /// By key, the changes of objects that have or had unsaved changes.
  private let unsaved: [Int64: [PropertyChange]]
  /// The keys of rows that others wrote.
  private let foreignKeys: Set<Int64>
  /// Whether all rows that were touched are known.
  private let isComplete: Bool

  /// What objects of `entity` with these keys held before an occasion; `before` and `after` are the unsaved changes that
  /// were told before it and are told by it, of the context itself, its parent and so on.
  init(
    _ occasion: Occasion, of entity: Entity, _ keys: [Int64], before: [[Int64: PendingOverlay.Told]],
    after: [[Int64: PendingOverlay.Told]], in context: ObjectContext
  ) {
    let root = entity.root
    let commits = occasion.commits.values(of: root, in: context.store)
    let table = occasion.touched.tables[context.store.layout(of: root).table.lowercased()]
    isComplete = occasion.touched.isComplete && table?.isUnknown != true
    foreignKeys = occasion.touched.isForeign ? Set(table?.updated ?? []).union(table?.inserted ?? []) : []
    var unsaved: [Int64: [PropertyChange]] = [:]
    if before.contains(where: { !$0.isEmpty }) || after.contains(where: { !$0.isEmpty }) {
      var origins: [Int64: Int64] = [:]
      for settled in occasion.settled where settled.root === root {
        if let key = settled.newKey { origins[key] = origins[settled.oldKey] ?? settled.oldKey }
      }
      for key in keys {
        let old = before.compactMap { $0[key] ?? origins[key].flatMap { [told = $0] in told[$0] } }
        let new = after.compactMap { $0[key] }
        guard !old.isEmpty || !new.isEmpty else { continue }
        unsaved[key] = Self.changes(of: context.object(ObjectID(entity: root, key: key)), old, new, commits)
      }
    }
    self.commits = commits
    self.unsaved = unsaved
  }

  /// The properties of an object that hold other values than before, in the entity's order; nil where that is not known.
  public func changes(of id: ObjectID, entity: Entity) -> [PropertyChange]? {
    if let changes = unsaved[id.key] { return changes }
    guard isComplete, !foreignKeys.contains(id.key) else { return nil }
    return commits.changes(of: id.key, entity: entity).map {
      PropertyChange(property: entity.properties[$0.property].name, old: $0.old, new: $0.new)
    }
  }

  /// The changes of an object of which unsaved values were told before, or are told now.
  private static func changes(
    of object: ManagedObject, _ before: [PendingOverlay.Told], _ after: [PendingOverlay.Told],
    _ commits: CommittedValues
  ) -> [PropertyChange] {
    let entity = object.entity
    let layout = object.context.store.layout(of: entity)
    let committed = commits.changes(of: object.objectID.key, entity: entity)
    return entity.properties.indices.compactMap { index -> PropertyChange? in
      guard let column = layout.plainColumn(of: index) else { return nil }
      let saved = committed.first { $0.property == index }
      let old = value(column, in: before).map { layout.value($0, of: index, in: entity, isStored: false) } ?? saved?.old
      let new = value(column, in: after).map { layout.value($0, of: index, in: entity, isStored: false) } ?? saved?.new
      if old == nil, new == nil { return nil }
      // Where only one of them is known, the other is what the store has.
      let stored = old == nil || new == nil ? Self.topmost(object).committedValue(inColumn: column) : .null
      let plain = layout.value(stored, of: index, in: entity, isStored: false)
      let change = PropertyChange(property: entity.properties[index].name, old: old ?? plain, new: new ?? plain)
      return change.old == change.new ? nil : change
    }
  }

  /// The object as the store has it: that of the topmost context.
  private static func topmost(_ object: ManagedObject) -> ManagedObject {
    var context = object.context
    while let parent = context.parent { context = parent }
    return context === object.context ? object : context.object(object.objectID)
  }

  private static func value(_ column: Int, in told: [PendingOverlay.Told]) -> Value? {
    told.lazy.compactMap { told -> Value? in
      guard told.columns.indices.contains(column) else { return nil }
      // A new object has all its values in memory.
      return told.columns[column] ?? (told.kind == .inserted ? .null : nil)
    }.first
  }
}
