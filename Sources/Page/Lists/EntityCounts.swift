internal import LiveQueries
internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Queries
internal import Reactive

/// The numbers of the objects of entities, which are counted again when objects come or go.
///
/// It follows the store from the first count until `stop`, so that a page that is read again counts what has changed alone.
final class EntityCounts {
  private let engine: Engine
  private var known: [Entity: Int] = [:]
  private weak var context: ObjectContext?
  private var token: ObservationToken?
  /// Called when counts have changed.
  var onChange: () -> Void = {}

  /// What the events of pages call them by.
  static let name = "entities"

  init(_ engine: Engine) { self.engine = engine }

  /// How many objects an entity has; nil where they cannot be counted.
  func count(of entity: Entity, in context: ObjectContext) -> Int? {
    follow(context)
    if let count = known[entity] { return count }
    let count = try? context.count(FetchRequest(entity))
    if token != nil { known[entity] = count }
    return count
  }

  private func follow(_ context: ObjectContext) {
    if token != nil, self.context === context { return }
    stop()
    self.context = context
    token = engine.mainLiveContext?.observeObjects(name: "page") { [weak self] in self?.notice($0) }
  }

  private func notice(_ changes: ObjectChanges) {
    var roots: Set<Entity> = []
    for change in changes.changes where change.kind != .update { roots.insert(change.object.entity.root) }
    if changes.isComplete, roots.isEmpty { return }
    known = changes.isComplete ? known.filter { !roots.contains($0.key.root) } : [:]
    onChange()
  }

  /// Follows the store no longer.
  func stop() {
    token?.cancel()
    (token, known) = (nil, [:])
  }
}
