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
    guard let index = entity.titleAttribute, let attribute = entity.properties[index].attribute,
      attribute.type == .string
    else { return [] }
    let path = Expression.path(PropertyPath([attribute.name]))
    let context = try store.context()
    func found(_ comparator: Comparator, _ options: ComparisonOptions, seconds: Double) throws -> [String] {
      var request = FetchRequest(entity)
      if !text.isEmpty {
        request.predicate = .comparison(Comparison(path, comparator, .constant(.string(text)), options: options))
      }
      request.sortDescriptors = comparator == .beginsWith ? [SortDescriptor(path, ascending: true)] : []
      request.fetchLimit = Self.most
      return try store.reading(seconds: seconds) {
        let objects = try context.fetch(request)
        return try (0..<objects.count).map { try objects[$0].attribute(at: index).displayText }
      }
    }
    var names = try found(.beginsWith, [], seconds: 1)
    if names.count < Self.most, !text.isEmpty,
      let more = try? found(.contains, [.caseInsensitive, .diacriticInsensitive], seconds: Self.longestSearch)
    {
      names += more.filter { !names.contains($0) }.prefix(Self.most - names.count)
    }
    return names
  }
}
