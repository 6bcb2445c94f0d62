internal import Modeling
internal import Storage
import Synchronization

/// What the columns of updated rows held before and after some commits, by property.
///
/// The commits' own records tell it; they are read when a row is asked for, so that holding them costs nothing.
final class CommittedValues: Sendable {
  /// A property with another value than before.
  struct Change {
    /// The property, as an index of the entity's.
    let property: Int
    /// The value before the first commit that changed it.
    let old: Value
    /// The value after the last one.
    let new: Value
  }

  /// By key and by column in lower case, the stored values before and after.
  private typealias Rows = [Int64: [String: (old: Value, new: Value)]]

  private let commits: [ReplacedValues]
  private let layouts: [(entity: Entity, layout: EntityLayout)]
  private let rows = Mutex<Rows?>(nil)

  /// What `commits`, in their order, changed in rows of `root` and its subentities.
  init(_ commits: [OwnCommit], of root: Entity, in store: any ObjectStore) {
    self.commits = commits.map { $0.replacedValues(of: root) }
    layouts = root.family.map { ($0, store.layout(of: $0)) }
  }

  /// The attributes and to-ones of a row of `entity` that hold other values now, in the entity's order.
  ///
  /// Left out are composites, Data in files of its own, and to-ones that refer to something else than a key.
  func changes(of key: Int64, entity: Entity) -> [Change] {
    if commits.isEmpty { return [] }
    let row = rows.withLock { rows in
      let known = rows ?? Self.merged(commits)
      rows = known
      return known[key]
    }
    guard let row, let layout = layouts.first(where: { $0.entity === entity })?.layout else { return [] }
    return entity.properties.indices.compactMap { index in
      guard let column = layout.plainColumn(of: index),
        let (old, new) = row[asciiLowercased(layout.columns[column].name)]
      else { return nil }
      let values = [old, new].map { layout.value($0, of: index, in: entity, isStored: true) }
      return values[0] == values[1] ? nil : Change(property: index, old: values[0], new: values[1])
    }
  }

  private static func merged(_ commits: [ReplacedValues]) -> Rows {
    var all: Rows = [:]
    for commit in commits {
      all.merge(commit()) { $0.merging($1) { (old: $0.old, new: $1.new) } }
    }
    return all
  }
}
