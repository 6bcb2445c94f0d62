public import Modeling

/// An expression in a predicate, a sort descriptor or a derived attribute.
public indirect enum Expression: Hashable, Sendable {
  case constant(Value)
  /// A constant passed as an argument: for a placeholder, or by its name for a variable. It means the same as the
  /// constant, but printed code keeps it separate.
  case argument(Value, name: String? = nil)
  /// SELF: the object itself.
  case object
  case path(PropertyPath)
  /// `$name`, bound later or by SUBQUERY.
  case variable(String, Origin? = nil)
  /// A path that starts at a variable, as in `$report.text`.
  case variablePath(String, PropertyPath)
  /// `{ a, b, c }`
  case aggregate([Expression])
  /// A call: `year(time)`, `lowercase(name)`, or an infix operator such as `a + b`.
  case function(ExpressionFunction, [Expression], Origin? = nil)
  /// An aggregate over a collection of objects or values: `reports.@sum.score`, `SUBQUERY(...).@count`.
  case collection(CollectionOperator, of: Expression, key: PropertyPath?)
  /// `collection[FIRST]`, `[LAST]`, `[SIZE]`, or an index.
  case subscripted(Expression, Subscript)
  case subquery(Expression, variable: String, Predicate)
  case ternary(Predicate, Expression, Expression)
  /// A conversion: `CAST(name, "NSNumber")`.
  case cast(Expression, to: CastType)
}

/// A subscript of the format language.
public indirect enum Subscript: Hashable, Sendable {
  case first
  case last
  case size
  case index(Expression)
}

/// Collection operators, spelled as in key paths.
public enum CollectionOperator: String, CaseIterable, Hashable, Sendable {
  case count = "@count"
  case sum = "@sum"
  case average = "@avg"
  case minimum = "@min"
  case maximum = "@max"
  case distinctUnionOfObjects = "@distinctUnionOfObjects"
  case unionOfObjects = "@unionOfObjects"
  /// The elements of all collections at the end of a key, or of lists in a list.
  case unionOfArrays = "@unionOfArrays"
  case distinctUnionOfArrays = "@distinctUnionOfArrays"
  case unionOfSets = "@unionOfSets"
  case distinctUnionOfSets = "@distinctUnionOfSets"

  /// Whether its result is a collection.
  public var isUnion: Bool {
    switch self {
    case .count, .sum, .average, .minimum, .maximum: false
    case .distinctUnionOfObjects, .unionOfObjects: true
    case .unionOfArrays, .distinctUnionOfArrays, .unionOfSets, .distinctUnionOfSets: true
    }
  }

  /// Whether its result contains each value once.
  public var isDistinct: Bool {
    switch self {
    case .distinctUnionOfObjects, .distinctUnionOfArrays, .distinctUnionOfSets: true
    case .count, .sum, .average, .minimum, .maximum, .unionOfObjects, .unionOfArrays, .unionOfSets: false
    }
  }

  /// Whether it joins collections of collections.
  var joinsCollections: Bool { isUnion && self != .unionOfObjects && self != .distinctUnionOfObjects }
}

extension Expression {
  /// The elements of a list in the text or in an argument, and of unions of such lists; nil if the elements depend on
  /// the object.
  ///
  ///     try Expression.parse("{{1, 2}, {2, 3}}.@distinctUnionOfArrays.self").writtenElements     // 1, 2, 3
  public var writtenElements: [Expression]? {
    if let elements = listElements { return elements }
    guard case .collection(let function, let source, nil) = self, function.isUnion,
      var elements = source.writtenElements
    else { return nil }
    if function.joinsCollections { elements = elements.flatMap { $0.writtenElements ?? [$0] } }
    guard function.isDistinct else { return elements }
    // Only constants can be tested for equality here.
    let values = elements.compactMap(\.constantValue)
    guard values.count == elements.count else { return nil }
    var seen: Set<ValueKey> = []
    return values.filter { !$0.isNull && seen.insert(ValueKey($0)).inserted }.map(Expression.constant)
  }
}
