internal import Modeling
internal import ObjectGraph
internal import Queries
internal import Stores

/// Answers whether hidden properties equal a value, over a connection of its own that knows them.
///
///     token == "abc"             becomes               SELF IN { the objects whose token that is }
///
/// The condition is replaced before it is checked: all that follows, its texts, plans and reasons, names objects. Any other
/// use of a hidden property fails as that of an unknown one.
final class HiddenLookUp {
  /// The most objects that may have the value: it is for looking up, not for listing.
  static let mostObjects = 10_000

  private let hidden: [HiddenProperty]
  private let open: () throws -> any OpenedStore
  private var opened: (any OpenedStore)?

  /// `open` opens the store with all its properties.
  init(_ hidden: [HiddenProperty], open: @escaping () throws -> any OpenedStore) {
    (self.hidden, self.open) = (hidden, open)
  }

  func close() {
    opened?.close()
    opened = nil
  }

  /// The predicate without hidden properties that are compared by `==` with a value, outside of NOT.
  ///
  /// - Throws: StoreError, PredicateError for a value of another type.
  func replaced(_ predicate: Predicate, in entity: Entity) throws -> Predicate {
    switch predicate {
    case .and(let terms): .and(try terms.map { try replaced($0, in: entity) })
    case .or(let terms): .or(try terms.map { try replaced($0, in: entity) })
    case .comparison(let comparison): try replaced(comparison, in: entity)
    case .constant, .not, .expression: predicate
    }
  }

  private func replaced(_ comparison: Comparison, in entity: Entity) throws -> Predicate {
    guard comparison.comparator == .equal, comparison.options.isEmpty,
      comparison.modifier == .direct || comparison.modifier == .any,
      case .path(let path) = comparison.left, let name = path.components.last?.name,
      let value = comparison.right.constantValue, !value.isNull
    else { return .comparison(comparison) }
    let prefix = PropertyPath(Array(path.components.dropLast()))
    let owner = prefix.components.isEmpty ? entity : try? prefix.resolve(in: entity).destination
    guard let owner, owner.index(of: name) == nil, hidden.contains(where: { $0.covers(name, of: owner) }) else {
      return .comparison(comparison)
    }
    let objects = try keys(of: owner, where: name, equal: value).map { Value.object(ObjectID(entity: owner, key: $0)) }
    if objects.isEmpty { return .constant(false) }
    var replaced = comparison
    (replaced.comparator, replaced.right) = (.in, .aggregate(objects.map { .constant($0) }))
    replaced.left = prefix.components.isEmpty ? .object : .path(prefix)
    return .comparison(replaced)
  }

  private func keys(of owner: Entity, where name: String, equal value: Value) throws -> [Int64] {
    let store = try opened ?? open()
    opened = store
    guard let entity = store.model.entity(named: owner.name), entity.property(named: name)?.attribute != nil else {
      return []
    }
    guard case .rowID = store.layout(of: entity).key else {
      throw ScriptError(owner.name, .other("hidden properties are compared only where rows have integer keys"))
    }
    var request = FetchRequest(entity)
    let condition = Predicate.comparison(
      Comparison(.path(PropertyPath([name])), .equal, .constant(value)))
    try condition.check(in: entity, for: .fetch)
    request.predicate = condition
    request.fetchLimit = Self.mostObjects + 1
    let keys = try store.keys(request)
    guard keys.count <= Self.mostObjects else {
      throw ScriptError(
        owner.name,
        .other("more than \(Quantity.grouped(Self.mostObjects)) objects equal the value of a hidden property"))
    }
    return keys
  }
}

extension ResolvedPath {
  /// The entity that the path leads to; nil if it leads to an attribute.
  fileprivate var destination: Entity? { attribute == nil ? end : nil }
}
