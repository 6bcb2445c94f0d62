internal import Modeling
package import Queries

internal import struct Foundation.UUID

extension FetchRequest {
  /// The request with a value in the place of each variable of its predicate; nil where the type of one is not known.
  package var withExampleValues: FetchRequest? {
    guard let predicate else { return self }
    var request = self
    request.predicate = predicate.withExampleValues(in: entity)
    return request.predicate.map { _ in request }
  }
}

extension Queries.Predicate {
  /// The predicate with a value in the place of each variable, of the type that it is compared with; nil where that is not known.
  ///
  ///     magnitude > $least       // magnitude > 1.0
  ///
  /// A store makes the same plan for it as for any other values.
  fileprivate func withExampleValues(in entity: Entity) -> Queries.Predicate? {
    var values: [String: Value] = [:]
    collect(&values, entity)
    let names = variables
    guard let bound = try? bind(values.filter { names.contains($0.key) }), bound.variables.isEmpty else { return nil }
    return bound
  }

  private func collect(_ values: inout [String: Value], _ entity: Entity) {
    switch self {
    case .and(let terms), .or(let terms): for term in terms { term.collect(&values, entity) }
    case .not(let inner): inner.collect(&values, entity)
    case .comparison(let comparison):
      comparison.collect(&values, entity, comparison.left, comparison.right)
      comparison.collect(&values, entity, comparison.right, comparison.left)
    case .expression, .constant: break
    }
  }
}

extension Comparison {
  /// Adds the values of the variables in `other`, which is compared with what `expression` gives.
  fileprivate func collect(
    _ values: inout [String: Value], _ entity: Entity, _ expression: Queries.Expression, _ other: Queries.Expression
  ) {
    let names = other.variables
    guard !names.isEmpty, case .path(let path) = expression, let resolved = try? path.resolve(in: entity),
      let example = resolved.exampleValue
    else { return }
    for name in names {
      // A list stands as one variable, or as several elements.
      if case .variable = other, comparator == .in || comparator == .between {
        values[name] = .list([example, example])
      } else {
        values[name] = example
      }
    }
  }
}

extension ResolvedPath {
  /// A value of the type at the end; nil for types whose values no index has in order.
  fileprivate var exampleValue: Value? {
    guard let attribute = finalElement ?? finalAttribute else {
      return self.attribute == nil ? .object(ObjectID(entity: end, key: 1)) : nil
    }
    switch attribute.type {
    case .integer16, .integer32, .integer64, .decimal, .double, .float: return .int(1)
    case .string: return .string("x")
    case .boolean: return .bool(true)
    case .date: return .date(Timestamp(0))
    case .uuid: return UUID(lenient: "00000000-0000-0000-0000-000000000001").map(Value.uuid)
    case .url: return .url("x:y")
    case .data, .transformable, .composite, .any: return nil
    }
  }
}
