// Not synthesized, because the synthesized comparison would distinguish a parsed tree from a constructed one: an optional
// origin differs from nil, although all origins are equal.

extension Expression {
  /// Whether the trees are equal, regardless of their places in a text.
  public static func == (left: Expression, right: Expression) -> Bool {
    if let left = left.constantValue, let right = right.constantValue { return left == right }
    if let left = left.listElements, let right = right.listElements { return left == right }
    return switch (left, right) {
    case (.object, .object): true
    case (.path(let left), .path(let right)): left == right
    case (.variable(let left, _), .variable(let right, _)): left == right
    case (.variablePath(let left, let leftPath), .variablePath(let right, let rightPath)):
      left == right && leftPath == rightPath
    case (.function(let left, let leftArguments, _), .function(let right, let rightArguments, _)):
      left == right && leftArguments == rightArguments
    case (.collection(let left, let leftSource, let leftKey), .collection(let right, let rightSource, let rightKey)):
      left == right && leftSource == rightSource && leftKey == rightKey
    case (.subscripted(let left, let leftPosition), .subscripted(let right, let rightPosition)):
      left == right && leftPosition == rightPosition
    case (.subquery(let left, let leftName, let leftPredicate), .subquery(let right, let rightName, let rightPredicate)):
      left == right && leftName == rightName && leftPredicate == rightPredicate
    case (.ternary(let left, let leftFirst, let leftSecond), .ternary(let right, let rightFirst, let rightSecond)):
      left == right && leftFirst == rightFirst && leftSecond == rightSecond
    case (.cast(let left, let leftType), .cast(let right, let rightType)): left == right && leftType == rightType
    default: false
    }
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    if let elements = listElements { return hasher.combine(elements) }
    switch self {
    case .constant(let value), .argument(let value, _): hasher.combine(value)
    case .object: hasher.combine(1)
    case .path(let path): hasher.combine(path)
    case .variable(let name, _): hasher.combine(name)
    case .variablePath(let name, let path):
      hasher.combine(name)
      hasher.combine(path)
    case .aggregate(let elements): hasher.combine(elements)
    case .function(let function, let arguments, _):
      hasher.combine(function)
      hasher.combine(arguments)
    case .collection(let function, let source, let key):
      hasher.combine(function)
      hasher.combine(source)
      hasher.combine(key)
    case .subscripted(let source, let position):
      hasher.combine(source)
      hasher.combine(position)
    case .subquery(let source, let name, let predicate):
      hasher.combine(source)
      hasher.combine(name)
      hasher.combine(predicate)
    case .ternary(let predicate, let first, let second):
      hasher.combine(predicate)
      hasher.combine(first)
      hasher.combine(second)
    case .cast(let operand, let type):
      hasher.combine(operand)
      hasher.combine(type)
    }
  }
}
