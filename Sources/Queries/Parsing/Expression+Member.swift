extension Expression {
  /// The value that `key` leads to from here, or nil where nothing can have a key.
  ///
  /// Keys of SUBQUERY and of subscripts become `@unionOfObjects`: `reports[FIRST].text` is the first of all texts.
  public func member(_ key: String, at place: Origin?) -> Expression? {
    func longer(_ path: PropertyPath?) -> PropertyPath {
      let start = path?.origin?.range.lowerBound ?? place?.range.lowerBound ?? 0
      let origin = place.map { Origin(text: $0.text, range: min(start, $0.range.upperBound)..<$0.range.upperBound) }
      return PropertyPath((path?.components ?? []) + [key], origin: origin)
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
      case .subquery, .collection: return inner.member(key, at: place).map { .subscripted($0, position) }
      default: return nil
      }
    default: return nil
    }
  }
}
