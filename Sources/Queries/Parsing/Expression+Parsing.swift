internal import Modeling

extension Expression {
  /// Returns the value of `key` for this expression, or nil if the expression cannot have keys.
  ///
  /// A key of SUBQUERY or of a subscript becomes `@unionOfObjects`: `reports[FIRST].text` is the first of all texts. A
  /// key of a TERNARY or of a list applies to each part. With `entity`, the key applies only to objects of that entity.
  public func member(_ key: String, of entity: String? = nil, at place: Origin?) -> Expression? {
    func longer(_ path: PropertyPath?) -> PropertyPath {
      let start = path?.origin?.range.lowerBound ?? place?.range.lowerBound ?? 0
      let origin = place.map { Origin(text: $0.text, range: min(start, $0.range.upperBound)..<$0.range.upperBound) }
      return PropertyPath((path?.components ?? []) + [PropertyPath.Component(key, of: entity)], origin: origin)
    }
    switch self {
    case .object: return .path(longer(nil))
    case .path(let path): return .path(longer(path))
    case .variable(let name, _): return .variablePath(name, longer(nil))
    case .variablePath(let name, let path): return .variablePath(name, longer(path))
    case .collection(let function, let source, let path) where function != .count:
      return .collection(function, of: source, key: longer(path))
    case .subquery: return .collection(.unionOfObjects, of: self, key: longer(nil))
    case .subscripted(let inner, let position) where position != .size:
      switch inner {
      case .path, .variablePath:
        return .subscripted(.collection(.unionOfObjects, of: inner, key: longer(nil)), position)
      case .subquery, .collection: return inner.member(key, of: entity, at: place).map { .subscripted($0, position) }
      default: return nil
      }
    case .ternary(let condition, let first, let second):
      guard let first = first.memberOrNil(key, of: entity, at: place),
        let second = second.memberOrNil(key, of: entity, at: place)
      else { return nil }
      return .ternary(condition, first, second)
    case .function(.noindex, let arguments, let origin) where arguments.count == 1:
      return arguments[0].member(key, of: entity, at: place).map { .function(.noindex, [$0], origin) }
    case .aggregate(let elements) where !elements.isEmpty:
      let members = elements.compactMap { $0.memberOrNil(key, of: entity, at: place) }
      return members.count == elements.count ? .aggregate(members) : nil
    default: return nil
    }
  }

  /// The same as `member`, but a key of nil, which may be one of several parts, is nil.
  private func memberOrNil(_ key: String, of entity: String?, at place: Origin?) -> Expression? {
    self == .constant(.null) ? self : member(key, of: entity, at: place)
  }

  /// A list of `elements`: a constant if all of them are constants.
  package static func list(_ elements: [Expression]) -> Expression {
    var values: [Value] = []
    for element in elements {
      guard case .constant(let value) = element else { return .aggregate(elements) }
      values.append(value)
    }
    return .constant(.list(values))
  }

  // MARK: Mistakes

  /// A placeholder for a part that could not be parsed. Its type is unknown, so that no further errors are found in it.
  ///
  /// Only trees with errors contain holes; their other names are checked, and they never leave this module.
  static let hole = Expression.variable("")

  /// Returns a hole for an expression that could not be parsed as a whole; the names in its parts are still checked.
  static func hole(keeping parts: [Expression]) -> Expression {
    parts.isEmpty ? .hole : .ternary(.and(parts.map { Predicate.unreadable($0) }), .hole, .hole)
  }

  /// Whether it is a hole without parts.
  var isHole: Bool { self == .hole }
}

extension Predicate {
  /// Returns a condition of which only `value` could be parsed.
  static func unreadable(_ value: Expression, modifier: ComparisonModifier = .direct) -> Predicate {
    // CONTAINS accepts single values and collections.
    .comparison(Comparison(value, .contains, .hole, modifier: modifier, origin: value.origin))
  }
}
