public import Modeling
public import ObjectGraph
internal import Stores

/// The values of updated objects before a change.
///
/// For commits of this program they come from the commits' own records, which are read when an object is asked for. For
/// objects with unsaved changes they are computed at once, from the state that was reported last. The values that
/// another program replaced are unknown.
public final class FormerValues: Sendable {
  private let commits: CommittedValues
  /// The changes of objects that have or had unsaved changes, by key.
  private let unsaved: [Int64: [PropertyChange]]
  /// The keys of rows that others wrote.
  private let foreignKeys: Set<Int64>
  /// Whether all touched rows are known.
  private let isComplete: Bool

  /// Collects the former values of objects of `entity` with these keys; `before` and `after` are the unsaved changes
  /// reported before the round and with it, of the context itself, its parent and so on.
  init(
    _ round: RoundChanges, of entity: Entity, _ keys: [Int64], before: [[Int64: PendingOverlay.ReportedState]],
    after: [[Int64: PendingOverlay.ReportedState]], in context: ObjectContext
  ) {
    let root = entity.root
    let commits = round.commits.values(of: root, in: context.store)
    let table = round.touched.tables[context.store.layout(of: root).table.lowercased()]
    // Nor is it known what rows held before the last writes of a transaction that is open.
    isComplete = round.touched.isComplete && table?.isUnknown != true && !round.isWithinTransaction
    foreignKeys = round.touched.isForeign ? Set(table?.updated ?? []).union(table?.inserted ?? []) : []
    var unsaved: [Int64: [PropertyChange]] = [:]
    if before.contains(where: { !$0.isEmpty }) || after.contains(where: { !$0.isEmpty }) {
      var origins: [Int64: Int64] = [:]
      for settled in round.settled where settled.root === root {
        if let key = settled.newKey { origins[key] = origins[settled.oldKey] ?? settled.oldKey }
      }
      for key in keys {
        let old = before.compactMap { $0[key] ?? origins[key].flatMap { [reported = $0] in reported[$0] } }
        let new = after.compactMap { $0[key] }
        guard !old.isEmpty || !new.isEmpty else { continue }
        unsaved[key] = Self.changes(of: context.object(ObjectID(entity: root, key: key)), old, new, commits)
      }
    }
    self.commits = commits
    self.unsaved = unsaved
  }

  /// The properties of an object whose values changed, in the entity's order; nil if they are unknown.
  public func changes(of id: ObjectID, entity: Entity) -> [PropertyChange]? {
    if let changes = unsaved[id.key] { return changes }
    guard isComplete, !foreignKeys.contains(id.key) else { return nil }
    return commits.changes(of: id.key, entity: entity).map {
      PropertyChange(property: entity.properties[$0.property].name, old: $0.old, new: $0.new)
    }
  }

  /// The changes of an object with unsaved values before or after.
  private static func changes(
    of object: ManagedObject, _ before: [PendingOverlay.ReportedState], _ after: [PendingOverlay.ReportedState],
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
      // If only one of them is known, the other is the stored value.
      let stored = old == nil || new == nil ? Self.topmost(object).committedValue(inColumn: column) : .null
      let plain = layout.value(stored, of: index, in: entity, isStored: false)
      let change = PropertyChange(property: entity.properties[index].name, old: old ?? plain, new: new ?? plain)
      return change.old == change.new ? nil : change
    }
  }

  /// The object in the topmost context, whose committed values are those of the store.
  private static func topmost(_ object: ManagedObject) -> ManagedObject {
    var context = object.context
    while let parent = context.parent { context = parent }
    return context === object.context ? object : context.object(object.objectID)
  }

  private static func value(_ column: Int, in reported: [PendingOverlay.ReportedState]) -> Value? {
    // A new object has all its values in memory.
    reported.lazy.compactMap { $0.columns[column] ?? ($0.kind == .inserted ? .null : nil) }.first
  }
}
