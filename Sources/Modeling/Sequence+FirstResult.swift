extension Sequence {
  /// Returns the first result of `body` that is not nil, or nil if there is none.
  ///
  ///     arguments.firstResult(\.origin)
  ///
  /// It asks each element once. `lazy.compactMap(body).first` asks it three times, so that a body that walks a tree
  /// this way takes a time that grows by three for each level.
  package func firstResult<Result>(_ body: (Element) throws -> Result?) rethrows -> Result? {
    for element in self {
      if let result = try body(element) { return result }
    }
    return nil
  }
}
