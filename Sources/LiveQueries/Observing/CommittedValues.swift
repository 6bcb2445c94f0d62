internal import Modeling
internal import Stores
import Synchronization

/// The property values of updated rows before and after some commits.
///
/// They come from the commits' own records, which are read when a row is asked for, so that keeping them costs nothing.
final class CommittedValues: Sendable {
  /// A property whose value changed.
  struct Change {
    /// The property, as an index of the entity's.
    let property: Int
    /// The value before the first commit that changed it.
    let old: Value
    /// The value after the last one.
    let new: Value
  }

  /// The stored values before and after, by key and by column in lower case.
  private typealias Rows = [Int64: [String: (old: Value, new: Value)]]

  private let commits: [ReplacedValues]
  private let layouts: [(entity: Entity, layout: EntityLayout)]
  private let rows = Mutex<Rows?>(nil)

  /// Collects the changes that `commits`, in order, made to rows of `root` and its subentities.
  init(_ commits: [OwnCommit], of root: Entity, in store: any ObjectStore) {
    self.commits = commits.map { $0.replacedValues(of: root) }
    layouts = root.family.map { ($0, store.layout(of: $0)) }
  }

  /// The attributes and to-one relationships of a row of `entity` whose values changed, in the entity's order.
  ///
  /// Composites, external data, and to-one relationships that do not refer by key are left out.
  func changes(of key: Int64, entity: Entity) -> [Change] {
    guard let row = row(key), let layout = layout(of: entity) else { return [] }
    return entity.properties.indices.compactMap { index in
      guard let column = layout.plainColumn(of: index),
        let (old, new) = row[asciiLowercased(layout.columns[column].name)]
      else { return nil }
      let values = [old, new].map { layout.value($0, of: index, in: entity, isStored: true) }
      return values[0] == values[1] ? nil : Change(property: index, old: values[0], new: values[1])
    }
  }

  /// A plain value before the commits.
  enum Former {
    case value(Value)
    /// The value after them.
    case same
    case unknown
  }

  /// The former value of an attribute of an updated row of `entity`.
  func former(_ attribute: Int, of key: Int64, entity: Entity) -> Former {
    guard let row = row(key), let layout = layout(of: entity), let column = layout.plainColumn(of: attribute) else {
      return .unknown
    }
    guard let (old, _) = row[asciiLowercased(layout.columns[column].name)] else { return .same }
    return .value(layout.value(old, of: attribute, in: entity, isStored: true))
  }

  private func row(_ key: Int64) -> [String: (old: Value, new: Value)]? {
    if commits.isEmpty { return nil }
    return rows.withLock { rows in
      let known = rows ?? Self.merged(commits)
      rows = known
      return known[key]
    }
  }

  private func layout(of entity: Entity) -> EntityLayout? { layouts.first { $0.entity === entity }?.layout }

  private static func merged(_ commits: [ReplacedValues]) -> Rows {
    var all: Rows = [:]
    for commit in commits {
      all.merge(commit()) { $0.merging($1) { (old: $0.old, new: $1.new) } }
    }
    return all
  }
}
