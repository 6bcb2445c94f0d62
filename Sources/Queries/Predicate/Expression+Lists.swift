internal import Modeling

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
