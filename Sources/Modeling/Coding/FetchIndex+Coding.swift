extension FetchIndex {
  /// The index as a list of names if it has nothing else, otherwise as an object.
  func json(_ scope: CodingScope) -> JSON {
    let names = JSON.array(properties.map(JSON.string))
    if isPlain || scope == .schema { return names }
    var fields: [String: JSON] = ["properties": names]
    fields["name"] = name.map(JSON.string)
    fields["predicate"] = predicate.map(JSON.string)
    let descending = elements.filter { !$0.isAscending }.map { JSON.string($0.expression) }
    if !descending.isEmpty { fields["descending"] = .array(descending) }
    let trees = elements.filter(\.isRTree).map { JSON.string($0.expression) }
    if !trees.isEmpty { fields["rTree"] = .array(trees) }
    return .object(fields)
  }

  init(_ item: JSONItem) throws(ModelCodingError) {
    if case .array = item.json {
      self.init(try item.strings())
      return
    }
    let fields = try JSONFields(item.json, path: item.path)
    self.init(try fields.strings("properties"))
    name = try fields.optionalString("name")
    predicate = try fields.optionalString("predicate")
    let (descending, trees) = (Set(try fields.strings("descending")), Set(try fields.strings("rTree")))
    for index in elements.indices {
      elements[index].isAscending = !descending.contains(elements[index].expression)
      elements[index].isRTree = trees.contains(elements[index].expression)
    }
  }
}
