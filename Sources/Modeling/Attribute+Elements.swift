// Elements of composite attributes, which are kept together as one JSON object.
extension Attribute {
  /// Returns the element at a path of names within a composite attribute; the attribute itself for an empty path.
  ///
  /// Nil where there is no such element, and within a transformable one, whose values have no declared types.
  public func element(at names: some Sequence<String>) -> Attribute? {
    var attribute = self
    for name in names {
      guard attribute.type == .composite, let next = attribute.elements.first(where: { $0.name == name }) else {
        return nil
      }
      attribute = next
    }
    return attribute
  }

  /// The depth of nested composites: 0 for an attribute that is not a composite.
  public var nesting: Int { type == .composite ? 1 + (elements.map(\.nesting).max() ?? 0) : 0 }

  /// The dotted paths, the attribute's own name first, of the elements that are declared as indexed.
  public var indexedElements: [String] {
    elements.flatMap { element in
      let inner = element.indexedElements.map { "\(name).\($0)" }
      return element.isIndexed ? ["\(name).\(element.name)"] + inner : inner
    }
  }

  /// The value of an element as a composite keeps it: a Date as the seconds since 1970, the rest as `JSON.init(_:)` does.
  ///
  /// So every element is ordered in the store as it is in memory; the store needs nothing but `json_extract`.
  public func elementJSON(of value: Value) -> JSON? {
    if case .date(let instant) = value { return instant.seconds.isFinite ? .double(instant.seconds) : nil }
    guard let json = JSON(value), json.isFinite else { return nil }
    return json
  }

  /// Returns the value that a composite keeps for this element; JSON of another type becomes its plain value.
  public func elementValue(_ json: JSON) -> Value { (try? value(from: json)) ?? json.plainValue }
}
