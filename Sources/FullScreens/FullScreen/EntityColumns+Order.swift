internal import Modeling
internal import Presentation
internal import Queries
internal import Session

// Columns as what rows are sorted by.
extension EntityColumns {
  /// Why the store cannot sort by a column.
  enum Unsortable: Error {
    case function(String)
    case toOne(String)

    var sentence: String {
      switch self {
      case .function(let name): "\(name) is a function, which the store cannot sort by"
      case .toOne(let name):
        "\(name) leads to an object, which has no order; sort by one of its attributes in the request"
      }
    }
  }

  /// What a column is sorted by: an attribute, an expression, or the count of a to-many.
  func sortKey(at place: Int) throws -> Queries.Expression {
    switch sources[place] {
    case .expression(let expression): return expression
    case .function: throw Unsortable.function(columns[place].name)
    case .property(let index):
      let property = entity.properties[index]
      guard let relationship = property.relationship else { return .path(PropertyPath([property.name])) }
      if relationship.isToMany { return try .parse("\(property.name).@count") }
      throw Unsortable.toOne(property.name)
    }
  }

  /// Whether rows ascend by a column; nil where an order does not have it.
  func isAscending(at place: Int, in order: [SortDescriptor]) -> Bool? {
    let path: Queries.Expression? =
      switch sources[place] {
      case .property(let index): .path(PropertyPath([entity.properties[index].name]))
      case .expression(let expression): expression
      case .function: nil
      }
    return order.first { $0.expression == path }?.isAscending
  }
}

extension [SortDescriptor] {
  /// The order with a key before all others: ascending, the other way where it is first, and then the original order.
  func turned(by key: Queries.Expression, original: [SortDescriptor]) -> [SortDescriptor] {
    let rest = original.filter { $0.expression != key }
    guard let first, first.expression == key else { return [SortDescriptor(key)] + rest }
    if first.isAscending { return [SortDescriptor(key, ascending: false)] + rest }
    return original.first?.expression == key ? [SortDescriptor(key)] + rest : original
  }
}
