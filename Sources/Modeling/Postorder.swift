extension Sequence where Element: Hashable {
  /// Returns the elements and their successors, each after all of its own successors, as far as there is such an order.
  ///
  ///     ["a", "b"].inPostorder { $0 == "a" ? ["b", "c"] : [] }     // ["b", "c", "a"]
  ///
  /// Chains may be of any length: nothing recurses.
  package func inPostorder(_ next: (Element) -> [Element]) -> [Element] {
    var (order, seen): ([Element], Set<Element>) = ([], [])
    for element in self where seen.insert(element).inserted {
      var open = [(element, next(element)[...])]
      while let last = open.indices.last {
        if let following = open[last].1.popFirst() {
          if seen.insert(following).inserted { open.append((following, next(following)[...])) }
        } else {
          order.append(open.removeLast().0)
        }
      }
    }
    return order
  }
}
