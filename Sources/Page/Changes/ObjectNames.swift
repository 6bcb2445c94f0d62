internal import Modeling
internal import ObjectGraph
internal import Queries

/// Finds objects by the beginning or a part of the name by which people know them.
struct ObjectNames {
  private let store: PageStore

  /// The names that are found.
  private static let most = 20
  /// The seconds that looking for a part of a name may take.
  private static let longestSearch = 0.1

  init(_ store: PageStore) { self.store = store }

  /// The names that begin with a text, in their order, then those that contain it as far as there is time.
  func names(of entity: Entity, like text: String) throws -> [String] {
    guard let index = entity.titleAttribute else { return [] }
    var names: [String] = []
    for object in try objects(of: entity, like: text, most: Self.most, seconds: 1) {
      let name = try object.attribute(at: index).displayText
      if !names.contains(name) { names.append(name) }
    }
    return names
  }

  /// The objects whose names begin with a text, in the order of the names, then those whose names contain it as far as there is
  /// time.
  ///
  /// - Throws: PageProblem where finding the beginnings takes longer than `seconds`.
  func objects(of entity: Entity, like text: String, most: Int, seconds: Double) throws -> [ManagedObject] {
    guard let index = entity.titleAttribute, let attribute = entity.properties[index].attribute,
      attribute.type == .string, !attribute.isTransient
    else { return [] }
    let path = Expression.path(PropertyPath([attribute.name]))
    let context = try store.context()
    func found(_ comparator: Comparator, _ options: ComparisonOptions, seconds: Double) throws -> [ManagedObject] {
      var request = FetchRequest(entity)
      if !text.isEmpty {
        request.predicate = .comparison(Comparison(path, comparator, .constant(.string(text)), options: options))
      }
      request.sortDescriptors = comparator == .beginsWith ? [SortDescriptor(path, ascending: true)] : []
      request.fetchLimit = most
      return try store.reading(seconds: seconds) { try context.fetch(request).objectList() }
    }
    var objects = try found(.beginsWith, [], seconds: seconds)
    if objects.count < most, !text.isEmpty,
      let more = try? found(
        .contains, [.caseInsensitive, .diacriticInsensitive], seconds: min(Self.longestSearch, seconds))
    {
      let known = Set(objects.map(\.objectID))
      objects += more.filter { !known.contains($0.objectID) }.prefix(most - objects.count)
    }
    return objects
  }
}
