extension Predicate {
  /// All property paths on which the result depends, from the object itself, each once.
  ///
  /// `ANY reports.score > 3` depends on `reports.score`; `SUBQUERY(reports, $r, $r.score > 3).@count > 0` on `reports`
  /// and `reports.score`.
  public var paths: [PropertyPath] {
    var collector = PathCollector()
    collector.add(self)
    return collector.paths
  }
}

extension Expression {
  /// All property paths on which the value depends, from the object itself, each once.
  public var paths: [PropertyPath] {
    var collector = PathCollector()
    collector.add(self)
    return collector.paths
  }
}

/// Collects paths; knows the destinations of the variables of enclosing SUBQUERYs.
private struct PathCollector {
  private(set) var paths: [PropertyPath] = []
  private var seen: Set<PropertyPath> = []
  private var scope: [String: PropertyPath] = [:]

  mutating func add(_ predicate: Predicate) {
    switch predicate {
    case .constant: break
    case .and(let terms), .or(let terms): for term in terms { add(term) }
    case .not(let inner): add(inner)
    case .comparison(let comparison):
      add(comparison.left)
      add(comparison.right)
    case .expression(let expression): add(expression)
    }
  }

  mutating func add(_ expression: Expression) {
    switch expression {
    case .path(let path): insert(path)
    case .variablePath(let name, let path): if let base = scope[name] { insert(path, after: base) }
    case .collection(_, let source, let key):
      add(source)
      if let key { insert(key, after: base(of: source)) }
    case .subquery(let source, let name, let predicate):
      add(source)
      let outer = scope
      scope[name] = base(of: source)
      add(predicate)
      scope = outer
    default:
      expression.children.forEach { add($0) }
      expression.condition.map { add($0) }
    }
  }

  /// The path from the object to the elements of a collection, if there is one.
  private func base(of expression: Expression) -> PropertyPath? {
    switch expression {
    case .path(let path): return path
    case .variable(let name, _): return scope[name]
    case .variablePath(let name, let path): return scope[name].map { PropertyPath($0.components + path.components) }
    case .collection(_, let source, let key):
      return base(of: source).map { PropertyPath($0.components + (key?.components ?? [])) }
    case .subquery(let source, _, _), .subscripted(let source, _): return base(of: source)
    default: return nil
    }
  }

  private mutating func insert(_ path: PropertyPath, after base: PropertyPath? = nil) {
    let whole = PropertyPath((base?.components ?? []) + path.components, origin: path.origin)
    if seen.insert(whole).inserted { paths.append(whole) }
  }
}
