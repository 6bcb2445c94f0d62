import Modeling
import Queries
import Stores

@testable import ObjectGraph

/// Two contexts on one store, and what a test wants to know of them.
struct Rivals {
  let library: Library
  let theirs: ObjectContext
  var mine: ObjectContext { library.context }

  init(_ policy: MergePolicy = .error) throws {
    library = try Library()
    theirs = ObjectContext(store: library.store)
    library.context.mergePolicy = policy
  }

  /// The same row as an object of the other context.
  func their(_ object: ManagedObject) throws -> ManagedObject {
    guard let found = try theirs.existingObject(object.objectID) else { throw GraphError(.deletedObject("it")) }
    return found
  }

  /// What became of a save of mine: `saved`, or the facts of its error.
  func save() throws -> String {
    do {
      try mine.save()
      return "saved"
    } catch let error as GraphError {
      switch error.fact {
      case .conflicts(let conflicts): return conflicts.map(Self.text).joined(separator: "; ")
      case .missingRow(let entity, let key, let from): return "\(from ?? "it") leads to no \(entity) \(key)"
      case .invalid(let violations): return "invalid \(violations.map(\.violation.property))"
      default: throw error
      }
    }
  }

  static func text(_ conflict: ObjectConflict) -> String {
    let properties = conflict.properties.map {
      "\($0.property) \($0.base.displayText) → \($0.isMine ? $0.mine.displayText : "-") | \($0.theirs.displayText)"
    }
    let kind =
      switch conflict.kind {
      case .changed: "changed"
      case .deletedInStore: "deleted in store"
      case .deletedHere: "deleted here"
      case .notUnique(let other): "not unique, as \(other)"
      case .notUniqueAmongChanges(let other): "not unique, as new \(other)"
      }
    return "\(conflict.object) \(kind): \(properties.joined(separator: ", "))"
  }

  /// The books of the store, a line each.
  func books() throws -> [String] {
    try library.rows("SELECT title, code, pages, author_pk FROM book ORDER BY _pk").map {
      $0.map(\.displayText).joined(separator: " ")
    }
  }

  /// Where the objects of mine do not show what the store has, and what else is wrong with them.
  func differences() throws -> [String] {
    let fresh = ObjectContext(store: library.store)
    var found = try mine.checkInvariants() + (mine.hasChanges ? ["there are unsaved changes"] : [])
    for name in ["Book", "Author", "Profile", "Loan", "Tag"] {
      let entity = try library.entity(name)
      let here = try mine.fetch(FetchRequest(entity)).objectList()
      let there = try fresh.fetch(FetchRequest(entity)).objectList()
      if here.map(\.objectID) != there.map(\.objectID) { found.append("other objects of \(name)") }
      for (left, right) in zip(here, there) {
        for (index, property) in entity.properties.enumerated() {
          let values = try [left, right].map { object in
            try property.attribute == nil
              ? Set(object.destinations(at: index).map { .object($0.objectID) }) : [object.attribute(at: index)]
          }
          if values[0] != values[1] {
            found.append("\(left.objectID).\(property.name): \(values[0]), not \(values[1])")
          }
        }
      }
    }
    return found
  }
}
