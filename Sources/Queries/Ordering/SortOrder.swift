public import Modeling

extension SortDescriptor {
  /// Compares two values of the sort expression: negative, zero or positive if the first object comes before, with or
  /// after the second. Nil comes first in ascending order.
  public func compare(_ left: Value, _ right: Value) -> Int {
    let order = left.order(right, by: comparator)
    return isAscending ? order : -order
  }
}

/// Sort descriptors compiled for objects of one entity.
///
///     let order = try SortOrder([SortDescriptor("-time")], entity: quake)
///     try order.compare(order.keys(of: first), order.keys(of: second))
///
/// Names are looked up once. The keys of an object can be cached and compared repeatedly.
public struct SortOrder {
  private let descriptors: [SortDescriptor]
  private let expressions: [CompiledExpression]

  /// Compiles the descriptors' expressions.
  public init(_ descriptors: [SortDescriptor], entity: Entity) throws(PredicateError) {
    self.descriptors = descriptors
    var expressions: [CompiledExpression] = []
    for descriptor in descriptors { expressions.append(try CompiledExpression(descriptor.expression, entity: entity)) }
    self.expressions = expressions
  }

  /// The sort values of the object.
  public func keys(of object: any PredicateSubject) throws -> [Value] {
    try expressions.map { try $0.value(of: object) }
  }

  /// Compares the sort values of two objects, most important first.
  public func compare(_ left: [Value], _ right: [Value]) -> Int {
    for (index, descriptor) in descriptors.enumerated() {
      let order = descriptor.compare(left[index], right[index])
      if order != 0 { return order }
    }
    return 0
  }

  /// Compares two objects.
  public func compare(_ left: any PredicateSubject, _ right: any PredicateSubject) throws -> Int {
    for (descriptor, expression) in zip(descriptors, expressions) {
      let order = descriptor.compare(try expression.value(of: left), try expression.value(of: right))
      if order != 0 { return order }
    }
    return 0
  }
}

extension [SortDescriptor] {
  /// Compares two objects; for many objects a `SortOrder` is faster.
  public func order(_ left: any PredicateSubject, _ right: any PredicateSubject) throws -> Int {
    try SortOrder(self, entity: left.entity).compare(left, right)
  }
}
