internal import Modeling
internal import Presentation
internal import Queries

extension TabularColumn {
  /// Puts brackets around the name of the column that keys are about, and an arrow behind that of one that rows are sorted by.
  mutating func mark(isSelected: Bool, _ isAscending: Bool?, _ charset: Charset) {
    if isSelected { (name, mark) = ("[" + name, "]") }
    guard let isAscending else { return }
    let arrows = charset == .utf8 ? ("▲", "▼") : ("^", "v")
    mark += " " + (isAscending ? arrows.0 : arrows.1)
  }
}

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

  /// The headings: that of the column which keys are about in brackets, with arrows where the rows are sorted.
  func headings(selected: Int, sortedBy order: [SortDescriptor], _ charset: Charset) -> [TabularColumn] {
    columns.enumerated().map { place, column in
      var heading = column
      let path: Queries.Expression? =
        switch sources[place] {
        case .property(let index): .path(PropertyPath([entity.properties[index].name]))
        case .expression(let expression): expression
        case .function: nil
        }
      heading.mark(isSelected: place == selected, order.first { $0.expression == path }?.isAscending, charset)
      return heading
    }
  }
}
