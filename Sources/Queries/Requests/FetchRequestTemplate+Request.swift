public import Modeling

/// An error in a request that a model contains, with its place.
public struct FetchTemplateError: Error, Hashable, Sendable {
  /// The request's name: `Quake.similar`, or `template big`.
  public var place: String
  /// The errors, with their places in the text.
  public var error: PredicateError
}

extension FetchRequestTemplate {
  /// Returns the request, with unbound variables.
  ///
  /// - Throws: all errors of its texts; names and types are not checked.
  public func request(in model: Model) throws(PredicateError) -> FetchRequest {
    guard let target = model.entity(named: entity) else {
      let nearest = nearestName(to: entity, in: model.entities.map(\.name))
      throw PredicateError(.unknownEntity(entity, nearest: nearest))
    }
    var request = FetchRequest(target)
    request.predicate = try predicate.map { text throws(PredicateError) in try Predicate.parse(text) }
    request.sortDescriptors = try sortDescriptors.map { text throws(PredicateError) in
      let isReversed = text.hasPrefix("-")
      return SortDescriptor(try Expression.parse(isReversed ? String(text.dropFirst()) : text), ascending: !isReversed)
    }
    request.fetchLimit = fetchLimit
    request.fetchOffset = fetchOffset
    request.fetchBatchSize = fetchBatchSize
    request.resultType = resultType
    request.includesSubentities = includesSubentities
    request.includesPropertyValues = includesPropertyValues
    request.returnsObjectsAsFaults = returnsObjectsAsFaults
    request.returnsDistinctResults = returnsDistinctResults
    return request
  }

  /// Checks texts, names and types.
  fileprivate func check(
    in model: Model, at place: String, source: Entity?, of fetched: FetchedProperty? = nil
  ) throws(FetchTemplateError) {
    do {
      let request: FetchRequest
      if let fetched { request = try fetched.request(in: model) } else { request = try self.request(in: model) }
      let objects = source.map { [FetchedProperty.source: $0] } ?? [:]
      // In a fetched property every variable is known.
      let purpose = source == nil ? CheckPurpose.definition : .fetch
      try request.predicate?.check(in: request.entity, for: purpose, objects: objects)
      var rest = request
      rest.predicate = nil
      try rest.validate()
    } catch {
      throw FetchTemplateError(place: place, error: error)
    }
  }
}

extension Model {
  /// Checks the predicates and sort descriptors of fetched properties and of request templates.
  ///
  /// - Throws: the errors of the first invalid one, with its name.
  public func checkFetchRequestTemplates() throws(FetchTemplateError) {
    for entity in entities {
      for fetched in entity.description.fetchedProperties {
        try fetched.fetchRequest.check(in: self, at: "\(entity.name).\(fetched.name)", source: entity, of: fetched)
      }
    }
    for (name, template) in fetchRequestTemplates.sorted(by: { $0.key < $1.key }) {
      try template.check(in: self, at: "template \(name)", source: nil)
    }
  }
}

// MARK: Fetched properties

extension FetchedProperty {
  /// Returns the request, with the predicate's references to the property itself, its name and its user info, replaced
  /// by constants.
  ///
  /// - Throws: all errors of its texts.
  public func request(in model: Model) throws(PredicateError) -> FetchRequest {
    var request = try fetchRequest.request(in: model)
    request.predicate = request.predicate?.replacing { part, bound -> Expression? in
      guard case .variablePath(Self.itself, let path) = part, !bound.contains(Self.itself) else { return nil }
      switch path.names.count {
      case 1 where path.names[0] == "name": return .constant(.string(name))
      case 2 where path.names[0] == "userInfo": return .constant(userInfo[path.names[1]].map(Value.string) ?? .null)
      default: return nil
      }
    }
    return request
  }
}

// MARK: The object a fetched property belongs to

extension Predicate {
  /// Returns the predicate with `$name` replaced by the object, and expressions of the object alone by their values:
  /// `magnitude >= $name.magnitude` becomes `magnitude >= 5.1`.
  public func binding(_ name: String, to object: any PredicateSubject) throws -> Predicate {
    try bindingKeys(of: name, to: object).replacing { part, bound in
      guard case .variable(name, _) = part, !bound.contains(name) else { return nil }
      return .constant(.object(object.objectID))
    }
  }

  /// Returns the predicate with keys of `$name` replaced by the object's values; `$name` itself stays.
  func bindingKeys(of name: String, to object: any PredicateSubject) throws -> Predicate {
    // Aggregates first, because their collections become lists of values afterwards.
    let aggregated = try replacing { part, bound in
      guard case .collection(let function, .variablePath(name, let path), let key) = part, !bound.contains(name) else {
        return nil
      }
      return try Expression.collection(function, of: .path(path), key: key).constant(of: object)
    }
    return try aggregated.replacing { part, bound in
      guard case .variablePath(name, let path) = part, !bound.contains(name) else { return nil }
      return try Expression.path(path).constant(of: object)
    }
  }
}

extension Expression {
  /// The value for an object, as a constant without a place in the text.
  fileprivate func constant(of object: any PredicateSubject) throws -> Expression {
    .argument(try evaluate(object), name: nil)
  }
}
