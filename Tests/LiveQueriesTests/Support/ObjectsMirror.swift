import Modeling
import ObjectGraph
import Queries
import Reactive
import Testing

@testable import LiveQueries

/// What an observer of objects believes there to be who knows nothing but what is told.
final class ObjectsMirror {
  private let context: LiveContext
  private let entity: Entity
  private var objects: Set<ManagedObject> = []
  private var problem: String?
  private var token: ObservationToken?

  init(_ entity: Entity, in context: LiveContext) throws {
    self.context = context
    self.entity = entity
    objects = try present()
    token = context.observeObjects { [unowned self] in follow($0) }
  }

  func stop() { token?.cancel() }

  private func present() throws -> Set<ManagedObject> {
    Set(try context.context.fetch(FetchRequest(entity)).objectList())
  }

  private func follow(_ changes: ObjectChanges) {
    guard changes.isComplete else {
      // Nobody knows what else there was.
      objects = (try? present()) ?? []
      return
    }
    for change in changes.changes where change.object.entity.root === entity.root {
      let known = objects.first { $0.objectID == change.object.objectID }
      switch (change.kind, known) {
      case (.insert, nil): objects.insert(change.object)
      case (.delete, let known?): objects.remove(known)
      case (.update, .some): break
      // One that came and went, by several writers.
      case (.delete, nil): break
      default:
        problem = problem ?? "\(change.object.objectID) is told as \(change.kind), known \(known != nil)"
      }
    }
  }

  /// What is wrong: other objects are there than those told.
  func problems() throws -> [String] {
    let name = "\(entity.name) level \(context.context.depth)"
    if let problem { return [name + ": " + problem] }
    let known = objects.map { $0.objectID.key }.sorted()
    let fetched = try present().map { $0.objectID.key }.sorted()
    return known == fetched ? [] : ["objects \(name) told are \(known), a fetch gives \(fetched)"]
  }
}
