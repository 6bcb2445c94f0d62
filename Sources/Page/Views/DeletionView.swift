internal import HTTP
internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Presentation
internal import Session

/// What deleting an object would do, by its delete rules: what goes with it, and what leads nowhere then.
struct DeletionView {
  private let object: ManagedObject
  private let store: PageStore

  /// The objects that are named.
  private static let most = 200

  init(_ object: ManagedObject, in store: PageStore) { (self.object, self.store) = (object, store) }

  /// The effects of the deletion, made in a context of its own that is dropped.
  private struct Effects {
    var deleted: [(object: ObjectID, cause: ObjectID?)] = []
    var emptied: [(object: ObjectID, property: String, cause: ObjectID)] = []
    var refusal: String?
  }

  private func effects() throws -> Effects {
    var effects = Effects()
    guard !object.isInserted else {
      effects.deleted = [(object.objectID, nil)]
      return effects
    }
    try store.reading {
      let trial = ObjectContext(parent: object.context)
      try trial.object(object.objectID).delete()
      let diff = try trial.diff()
      effects.deleted = diff.deleted.map { ($0.objectID, $0.deletionCause?.objectID) }
      effects.emptied = diff.updated.flatMap { update in
        update.changes.compactMap { change in change.cause.map { (update.object.objectID, change.property, $0) } }
      }
      do { try trial.save(dryRun: true) } catch { effects.refusal = store.sentence(of: error) }
    }
    return effects
  }

  func frame() throws -> PageFrame {
    let effects = try effects()
    let name = ObjectText.name(of: object)
    let address = store.address(of: object)
    var counts: [String: Int] = [:]
    for entry in effects.deleted { counts[entry.object.entity.name, default: 0] += 1 }
    let others = effects.emptied.count
    let sum =
      "This deletes " + Quantity.list(counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
      + (others > 0 ? "; \(Quantity.count(others, "reference")) to them become\(others == 1 ? "s" : "") nil" : "") + "."
    let path: [(String, PageAddress?)] = [
      (object.entity.name, .rows(RowsAddress(object.entity.name))), (ObjectText.title(of: object), .object(address)),
      ("delete", nil),
    ]
    let delete =
      effects.refusal.map { HTML.tag("p", ["class": "mistake", "role": "alert"], $0) }
      ?? store.button(.delete, "Delete", address.fields)
    return store.frame(
      "Delete \(name)", path,
      .group([
        .tag("h1", [:], "Delete \(name)?"), .tag("p", [:], sum), delete,
        .tag("p", ["class": "note"], "Nothing is written before the changes are saved; undo takes it back."),
        tree(effects),
      ]))
  }

  /// The deleted objects, each below the one whose deletion causes its own, with the references that become nil.
  private func tree(_ effects: Effects) -> HTML {
    var left = Self.most
    let context = object.context
    let children = Dictionary(grouping: effects.deleted.filter { $0.cause != nil }, by: { $0.cause! })
    let emptied = Dictionary(grouping: effects.emptied, by: \.cause)
    func items(_ ids: [ObjectID], _ depth: Int) -> HTML {
      var shown: [HTML] = []
      for id in ids {
        guard left > 0, depth < 20 else { break }
        left -= 1
        let others = (emptied[id] ?? []).prefix(left).map { entry in
          HTML.tag(
            "li", ["class": "changed-line"],
            "~ \(ObjectText.name(of: context.object(entry.object))): \(entry.property) → nil")
        }
        left -= others.count
        let below = (children[id] ?? []).map(\.object)
        let nested =
          below.isEmpty && others.isEmpty ? HTML.nothing : .group([.tag("ul", [:], others), items(below, depth + 1)])
        shown.append(
          .tag("li", ["class": "deleted-line"], [.text("- " + ObjectText.name(of: context.object(id))), nested]))
      }
      return shown.isEmpty ? .nothing : .tag("ul", ["class": "tree"], shown)
    }
    let roots = effects.deleted.filter { $0.cause == nil }.map(\.object)
    let tree = items(roots, 0)
    let rest = effects.deleted.count + effects.emptied.count - Self.most
    return rest > 0 ? .group([tree, .tag("p", ["class": "note"], "and \(Quantity.grouped(rest)) more")]) : tree
  }
}
