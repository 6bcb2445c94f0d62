extension FetchRequest {
  /// The values by which dictionaries of groups differ: the group keys; of distinct dictionaries all columns.
  public var distinguishingExpressions: [Expression] {
    let isGrouped = isAggregated || havingPredicate != nil
    return isGrouped || !returnsDistinctResults ? propertiesToGroupBy : shownColumns.map(\.expression)
  }

  /// The same request, which says of each group the first of the texts that `keys` take for equal, by their bytes: `min(code)`
  /// where it says `code`. Otherwise the order in which the store reads rows would decide.
  public func choosingTexts(of keys: Set<Expression>) -> FetchRequest {
    if keys.isEmpty { return self }
    var request = self
    request.propertiesToFetch = shownColumns
    if returnsDistinctResults, !isAggregated, havingPredicate == nil {
      request.propertiesToGroupBy = shownColumns.map(\.expression)
      request.returnsDistinctResults = false
    }
    for index in request.propertiesToFetch.indices {
      request.propertiesToFetch[index].expression = request.propertiesToFetch[index].expression.choosingTexts(of: keys)
    }
    for index in sortDescriptors.indices {
      let expression = sortDescriptors[index].expression
      // The name of a column means the column.
      if case .path(let path) = expression, shownColumns.contains(where: { $0.name == path.text }) { continue }
      request.sortDescriptors[index].expression = expression.choosingTexts(of: keys)
    }
    request.havingPredicate = resolvedHavingPredicate?.choosingTexts(of: keys)
    request.isHavingResolved = true
    return request
  }

  private var shownColumns: [FetchedColumn] {
    propertiesToFetch.isEmpty
      ? dictionaryColumns.map { FetchedColumn($0, .path(PropertyPath([$0]))) } : propertiesToFetch
  }
}

extension Predicate {
  /// The condition with `min(key)` in the places of the keys that are outside of aggregates.
  fileprivate func choosingTexts(of keys: Set<Expression>) -> Predicate {
    var aggregates: [Expression] = []
    let outer = replacing { (part, _) -> Expression? in
      guard part.aggregateCall != nil else { return nil }
      aggregates.append(part)
      return .variable("#\(aggregates.count - 1)")
    }
    let chosen = outer.replacing { (part, _) -> Expression? in keys.contains(part) ? .function(.min, [part]) : nil }
    return chosen.replacing { (part, _) -> Expression? in
      // A name that no variable of a text can have.
      guard case .variable(let name, _) = part, name.first == "#", let index = Int(name.dropFirst()),
        aggregates.indices.contains(index)
      else { return nil }
      return aggregates[index]
    }
  }
}

extension Expression {
  fileprivate func choosingTexts(of keys: Set<Expression>) -> Expression {
    guard case .expression(let chosen) = Predicate.expression(self).choosingTexts(of: keys) else { return self }
    return chosen
  }
}
