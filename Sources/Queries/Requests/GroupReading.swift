public import Modeling

/// Prepares conditions and sort orders over groups that are made in memory: finds the columns of a group's row, and the
/// aggregates that the store computes for it.
///
///     var reading = GroupReading(entity: quake, columns: [("place", .path("place")), ("half", nil)])
///     let having = try reading.reading(Predicate.parse("half > 3 AND max(magnitude) > 6"))     // $#0 > 3 AND $#1 > 6
///     reading.sources                         // [.column("half"), .aggregate(max(magnitude))]
///
/// The results have variables in place of the sources; `values` returns the values to bind.
public struct GroupReading {
  /// The source of a value.
  public enum Source: Hashable, Sendable {
    /// The column with a name.
    case column(String)
    /// An aggregate over the objects of the group.
    case aggregate(Expression)
  }

  private let entity: Entity
  private let columns: [(name: String, expression: Expression?)]
  /// The sources found so far; the variable of the first is `#0`.
  public private(set) var sources: [Source] = []

  /// Creates a reader for conditions over groups of objects of `entity`. A column without an expression is one that a
  /// function of the program computes.
  public init(entity: Entity, columns: [(name: String, expression: Expression?)]) {
    self.entity = entity
    self.columns = columns
  }

  /// Returns the condition with columns and aggregates replaced by variables.
  ///
  /// - Throws: unknown names, and properties outside of aggregates, which a group does not have.
  public mutating func reading(_ predicate: Predicate) throws(PredicateError) -> Predicate {
    // Aggregates first: within them a name means a property, even if a column has the same name.
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

  /// Does the same for a sort key of groups.
  public mutating func reading(_ expression: Expression) throws(PredicateError) -> Expression {
    guard case .expression(let read) = try reading(Predicate.expression(expression)) else { return expression }
    return read
  }

  /// Returns the values of the variables for one group.
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

  /// A name that no variable of a text can have.
  private static func name(_ number: Int) -> String { "#\(number)" }

  private func misplaced(_ path: PropertyPath) -> PredicateError {
    if (try? path.resolve(in: entity)) != nil { return PredicateError(.outsideGroup(path.text), at: path.origin) }
    let names = columns.map(\.name) + entity.properties.map(\.name)
    return PredicateError(
      .unknownProperty(path.text, entity: entity.name, nearest: nearestName(to: path.text, in: names)), at: path.origin)
  }
}

extension [String: Value] {
  /// The values of the given names: each bound name must be a variable of the expression.
  package func of(_ names: [String]) -> [String: Value] { filter { names.contains($0.key) } }
}
