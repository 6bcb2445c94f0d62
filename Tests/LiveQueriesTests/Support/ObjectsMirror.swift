import Modeling
import ObjectGraph
import Queries
import Reactive
import Testing

@testable import LiveQueries

/// The objects that an observer knows from reports alone.
final class ObjectsMirror {
  private let context: LiveContext
  private let entity: Entity
  /// The keys of objects with rows.
  private var keys: Set<Int64> = []
  /// Objects without rows; their keys become others when they are saved, without a report.
  private var unsaved: Set<ManagedObject> = []
  private var problem: String?
  private var token: ObservationToken?

  init(_ entity: Entity, in context: LiveContext) throws {
    self.context = context
    self.entity = entity
    try take()
    token = context.observeObjects { [unowned self] in follow($0) }
  }

  func stop() { token?.cancel() }

  private func take() throws {
    (keys, unsaved) = ([], [])
    for object in try context.context.fetch(FetchRequest(entity)).objectList() { add(object) }
  }

  private func add(_ object: ManagedObject) {
    if object.objectID.isTemporary { unsaved.insert(object) } else { keys.insert(object.objectID.key) }
  }

  /// Objects that were saved have keys like others.
  private func settle() {
    for object in unsaved where !object.objectID.isTemporary {
      unsaved.remove(object)
      keys.insert(object.objectID.key)
    }
  }

  private func follow(_ changes: ObjectChanges) {
    guard changes.isComplete else {
      // The other former values are not known.
      return (try? take()) ?? ()
    }
    settle()
    for change in changes.changes where change.object.entity.root === entity.root {
      let id = change.object.objectID
      let isKnown = keys.contains(id.key) || unsaved.contains { $0.objectID == id }
      switch change.kind {
      case .insert where !isKnown: add(change.object)
      case .delete:
        // One that came and went, by several writers, may be reported as well.
        keys.remove(id.key)
        unsaved = unsaved.filter { $0.objectID != id }
      case .update where isKnown: break
      default: problem = problem ?? "\(id) is told as \(change.kind), known \(isKnown)"
      }
    }
  }

  /// The error: the objects are not those that were reported.
  func problems() throws -> [String] {
    let name = "\(entity.name) level \(context.context.depth)"
    if let problem { return ["\(name): \(problem)"] }
    settle()
    let known = (keys + unsaved.map { $0.objectID.key }).sorted()
    let fetched = try context.context.fetch(FetchRequest(entity)).objectIDs.map(\.key).sorted()
    return known == fetched ? [] : ["objects of \(name) told are \(known), a fetch gives \(fetched)"]
  }
}
