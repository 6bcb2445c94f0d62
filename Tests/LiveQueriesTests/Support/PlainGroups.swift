import Modeling
import ObjectGraph
import Queries
import Stores

@testable import LiveQueries

/// The rows of a grouped request as its definition says them: all objects fetched, put into groups one by one, and every column
/// evaluated with the values of the group in the places of its aggregates.
struct PlainGroups {
  private let request: FetchRequest
  private let context: ObjectContext
  private let stored: ObjectContext

  init(_ request: FetchRequest, _ context: ObjectContext) {
    self.request = request.inlined
    self.context = context
    stored = ObjectContext(store: context.store)
  }

  /// The rows that a fetch gives, with the unsaved changes of the request's own objects.
  func rows() throws -> [[Value]] {
    let columns = request.propertiesToFetch.map(\.expression)
    let keys = request.returnsDistinctResults && !request.isAggregated ? columns : request.propertiesToGroupBy
    var groups: [(key: [Value], members: [any PredicateSubject])] = []
    if keys.isEmpty { groups.append(([], [])) }
    for object in try objects() {
      let key = try keys.map { try value(of: $0, for: object) }
      if let place = groups.firstIndex(where: { zip($0.key, key).allSatisfy { $0.order($1) == 0 } }) {
        groups[place].members.append(object)
      } else {
        groups.append((key, [object]))
      }
    }
    func over(_ expression: Queries.Expression, _ group: (key: [Value], members: [any PredicateSubject])) throws
      -> Queries.Expression
    {
      let aggregated = try expression.replacing { (part, _) -> Queries.Expression? in
        guard let (function, argument) = part.aggregateCall else { return nil }
        if argument == .object { return .constant(.int(Int64(group.members.count))) }
        return .constant(try aggregate(function, argument, group.members))
      }
      return aggregated.replacing { (part, _) in
        keys.firstIndex(of: part).map { .constant(group.key[$0]) }
      }
    }
    let anyone = stored.object(ObjectID(entity: request.entity, key: 0))
    if let having = request.resolvedHavingPredicate {
      groups = try groups.filter { group in
        let condition = try having.replacing { (part, _) -> Queries.Expression? in
          part.aggregateCall == nil && !keys.contains(part) ? nil : try over(part, group)
        }
        return try condition.evaluate(anyone) == true
      }
    }
    func sortValues(_ group: (key: [Value], members: [any PredicateSubject])) throws -> [Value] {
      try request.sortDescriptors.map { descriptor in
        let named = request.propertiesToFetch.first { $0.name == "\(descriptor.expression)" }?.expression
        return try over(named ?? descriptor.expression, group).evaluate(anyone)
      }
    }
    var sorted = try groups.map { (order: try sortValues($0), group: $0) }
    sorted.sort { left, right in
      for (index, descriptor) in request.sortDescriptors.enumerated() {
        let order = descriptor.compare(left.order[index], right.order[index])
        if order != 0 { return order < 0 }
      }
      for (one, other) in zip(left.group.key, right.group.key) {
        let order = one.order(other)
        if order != 0 { return order < 0 }
      }
      return false
    }
    var shown = sorted.dropFirst(request.fetchOffset)
    if let limit = request.fetchLimit, limit > 0 { shown = shown.prefix(limit) }
    return try shown.map { row in try columns.map { try over($0, row.group).evaluate(anyone) } }
  }

  private func objects() throws -> [any PredicateSubject] {
    var whole = FetchRequest(request.entity)
    whole.predicate = request.predicate
    whole.includesPendingChanges = request.includesPendingChanges
    let fetched = try context.fetch(whole)
    return try (0..<fetched.count).map { index in
      let object = try fetched[index]
      // What has no unsaved changes stands where the store has it.
      guard let lowest = request.includesPendingChanges ? context : context.parent, isUnsaved(object, in: lowest)
      else { return stored.object(object.objectID) }
      return lowest.object(object.objectID)
    }
  }

  /// Whether the object has unsaved changes, in its context or in one above.
  private func isUnsaved(_ object: ManagedObject, in lowest: ObjectContext) -> Bool {
    sequence(first: lowest, next: \.parent).contains { $0.object(object.objectID).hasChanges }
  }

  private func value(of expression: Queries.Expression, for object: any PredicateSubject) throws -> Value {
    var derived = request
    derived.propertiesToGroupBy = []
    derived.sortDescriptors = [SortDescriptor(expression)]
    let hasChanges = (object as? ManagedObject).map { isUnsaved($0, in: $0.context) } == true
    return try (hasChanges ? derived.computingDerivedValues.sortDescriptors[0].expression : expression).evaluate(object)
  }

  private func aggregate(
    _ function: ExpressionFunction, _ argument: Queries.Expression, _ members: [any PredicateSubject]
  ) throws -> Value {
    let values = try members.map { try value(of: argument, for: $0) }
    let isCollection = try argument.check(in: request.entity, overGroup: true).isCollection
    guard isCollection else {
      return function.aggregate(function == .count ? values.filter { !$0.isNull } : values)
    }
    let each = values.map { value -> Value in
      if case .list(let elements) = value { return function.aggregate(elements) }
      return .null
    }
    return (function == .count ? ExpressionFunction.sum : function).aggregate(each)
  }
}

extension ExpressionType {
  fileprivate var isCollection: Bool { if case .collection = self { true } else { false } }
}
