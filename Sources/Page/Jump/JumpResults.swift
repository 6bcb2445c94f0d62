internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Session

/// What a text leads to: entities, pages of the notebook, kept requests, objects by key and by name, help.
///
/// Objects are searched for as long as people wait for each key that they type.
struct JumpResults {
  struct Item {
    var text: String
    /// What it is.
    var remark: String
    var address: PageAddress
  }

  private(set) var items: [Item] = []
  /// The entities whose objects could not be searched in time.
  private(set) var unsearched: [String] = []
  private let store: PageStore

  /// The items of each kind, and of each entity.
  private static let most = 6
  /// The seconds that searching for objects may take in all.
  private static let longestSearch = 0.3

  /// - Throws: PageProblem where no store is open.
  init(_ text: String, in store: PageStore) throws {
    self.store = store
    let model = try store.context().store.model
    add(Self.matches(text, model.entities.map(\.name)), "entity") { .rows(RowsAddress($0)) }
    add(Self.matches(text, store.notebook?.names ?? []), "notebook") { .notebook($0) }
    guard !text.isEmpty else { return }
    add(Self.matches(text, store.kept?.names ?? []), "kept") { .notebook($0) }
    try addObjects(text, model.entities)
    add(Self.matches(text, store.session.parts.help.names), "help") { .help($0) }
  }

  private mutating func add(_ names: [String], _ remark: String, _ address: (String) -> PageAddress) {
    items += names.map { Item(text: $0, remark: remark, address: address($0)) }
  }

  /// The names that are a text or end with it as a name of their own, then those that begin with it, then those that contain it.
  private static func matches(_ text: String, _ names: [String]) -> [String] {
    func folded(_ name: String) -> String { name.lowercased().replacing(":", with: ".") }
    let wanted = folded(text)
    let found = names.map { ($0, folded($0)) }.filter { wanted.isEmpty || $0.1.contains(wanted) }
    func rank(_ name: String) -> Int {
      name == wanted || name.hasSuffix("." + wanted) ? 0 : name.hasPrefix(wanted) ? 1 : 2
    }
    let ranked = (0...2).flatMap { place in found.filter { rank($0.1) == place } }
    return ranked.prefix(text.isEmpty ? 200 : most).map(\.0)
  }

  private mutating func addObjects(_ text: String, _ entities: [Entity]) throws {
    let deadline = monotonicSeconds() + Self.longestSearch
    var known: Set<ObjectID> = []
    // Objects of subentities are found with those of their parents.
    for entity in entities where entity.parent == nil {
      let left = deadline - monotonicSeconds()
      do {
        guard left > 0 else { throw PageProblem.tooSlow(seconds: 0) }
        var objects: [ManagedObject] = []
        if let object = try? store.object(ObjectAddress(entity: entity.name, key: [text])) { objects.append(object) }
        objects += try ObjectNames(store).objects(of: entity, like: text, most: Self.most, seconds: left)
        for object in objects.prefix(Self.most) where known.insert(object.objectID).inserted {
          let address = store.address(of: object)
          let remark = "\(object.entity.name) \(address.key.joined(separator: ", "))"
          items.append(Item(text: ObjectText.title(of: object), remark: remark, address: .object(address)))
        }
      } catch PageProblem.tooSlow {
        unsearched.append(entity.name)
      }
    }
  }
}
