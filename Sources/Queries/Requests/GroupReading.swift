public import Modeling

/// What conditions and orders over groups ask, for groups that are made in memory: columns of a group's row, and aggregates that
/// the store computes beside them.
///
///     var reading = GroupReading(entity: quake, columns: [("place", .path("place")), ("half", nil)])
///     let having = try reading.reading(Predicate.parse("half > 3 AND max(magnitude) > 6"))     // $#0 > 3 AND $#1 > 6
///     reading.sources                         // [.column("half"), .aggregate(max(magnitude))]
///
/// What is read has variables in the place of the sources; `values` makes what they are bound to.
public struct GroupReading {
  /// Where a value comes from.
  public enum Source: Hashable, Sendable {
    /// The column of that name.
    case column(String)
    /// A value over the objects of the group.
    case aggregate(Expression)
  }

  private let entity: Entity
  private let columns: [(name: String, expression: Expression?)]
  /// What was asked so far; the variable of the first is called `#0`.
  public private(set) var sources: [Source] = []

  /// Reads conditions over groups of objects of `entity` with such columns, which have no expression where a function of the
  /// program makes them.
  public init(entity: Entity, columns: [(name: String, expression: Expression?)]) {
    self.entity = entity
    self.columns = columns
  }

  /// The condition with variables in the place of columns and aggregates.
  ///
  /// - Throws: names of neither a column nor a property, and properties outside of aggregates, of which a group has none.
  public mutating func reading(_ predicate: Predicate) throws(PredicateError) -> Predicate {
    // Aggregates first: within them a name is a property, though a column may be called so.
    let aggregated = predicate.replacing { (part, _) -> Expression? in
      part.aggregateCall != nil ? variable(.aggregate(part)) : nil
    }
    let read = aggregated.replacing { (part, bound) -> Expression? in
      switch part {
      case .variable(let name, _) where !bound.contains(name) && columns.contains { $0.name == name }:
        return variable(.column(name))
      case .path(let path):
        if let name = path.onlyName, columns.contains(where: { $0.name == name }) { return variable(.column(name)) }
      default: break
      }
      return columns.first { $0.expression == part }.map { variable(.column($0.name)) }
    }
    if let path = read.paths.first { throw misplaced(path) }
    return read
  }

  /// The same of a value that groups are sorted by.
  public mutating func reading(_ expression: Expression) throws(PredicateError) -> Expression {
    guard case .expression(let read) = try reading(Predicate.expression(expression)) else { return expression }
    return read
  }

  /// The values that the variables are bound to, of one group.
  public func values(_ value: (Source) throws -> Value) rethrows -> [String: Value] {
    var values: [String: Value] = [:]
    for (number, source) in sources.enumerated() { values[Self.name(number)] = try value(source) }
    return values
  }

  private mutating func variable(_ source: Source) -> Expression {
    let number = sources.firstIndex(of: source) ?? sources.count
    if number == sources.count { sources.append(source) }
    return .variable(Self.name(number))
  }

  /// A name that no variable of a text has.
  private static func name(_ number: Int) -> String { "#\(number)" }

  private func misplaced(_ path: PropertyPath) -> PredicateError {
    if (try? path.resolve(in: entity)) != nil { return PredicateError(.outsideGroup(path.text), at: path.origin) }
    let names = columns.map(\.name) + entity.properties.map(\.name)
    return PredicateError(
      .unknownProperty(path.text, entity: entity.name, nearest: nearestName(to: path.text, in: names)), at: path.origin)
  }
}
