public import Modeling
public import Queries

/// How a store answers requests: with which plan, what makes it slow, and which indexes would help.
public protocol RequestPlanning {
  /// Returns the SQL, values, plan and costs of a request, which is run to its end.
  ///
  /// - Throws: PredicateError, StoreError.
  func explain(_ request: FetchRequest) throws -> Explanation

  /// Creates indexes in a transaction that is rolled back, and times a request without and with them.
  ///
  /// Other connections never see the indexes; other writers wait meanwhile. Unsaved changes of contexts are ignored.
  ///
  /// - Throws: IndexObstacle for indexes that cannot be created, StoreError; `.openTransaction` within a transaction.
  func tryIndexes(_ indexes: [IndexAdvice], for request: FetchRequest) throws -> IndexTrial

  /// Returns the statement that creates an index, under a unique name.
  ///
  /// - Throws: IndexObstacle, StoreError.
  func statement(making advice: IndexAdvice) throws -> String
}

extension RequestPlanning {
  /// Parses keys such as `place`, `-time` or `mainshock.depth`: a path through to-one relationships means a property of
  /// their destination.
  ///
  /// - Throws: IndexObstacle.
  public func index(of texts: [String], for entity: Entity) throws -> IndexAdvice {
    var advice: IndexAdvice?
    for text in texts {
      let isAscending = !text.hasPrefix("-")
      let path = (isAscending ? text : String(text.dropFirst())).split(separator: ".").map(String.init)
      let (owner, name) = try indexed(path, in: entity)
      if let known = advice?.entity, known !== owner { throw IndexObstacle.severalEntities(texts) }
      let keys = (advice?.keys ?? []) + [IndexAdvice.Key(name, ascending: isAscending)]
      advice = IndexAdvice(owner, keys)
    }
    guard let advice else { throw IndexObstacle.noKeys }
    _ = try statement(making: advice)
    return advice
  }

  private func indexed(_ path: [String], in entity: Entity) throws -> (Entity, String) {
    guard let first = path.first, let index = entity.index(of: first) else {
      let name = path.first ?? ""
      let near = nearestName(to: name, in: entity.properties.map(\.name))
      throw IndexObstacle.unknownProperty(name, entity: entity.name, nearest: near)
    }
    guard path.count > 1, let relationship = entity.properties[index].relationship else {
      return (entity, path.joined(separator: "."))
    }
    if relationship.isToMany { throw IndexObstacle.severalEntities([path.joined(separator: ".")]) }
    return try indexed(Array(path.dropFirst()), in: entity.destination(at: index))
  }
}
