// Elements of composite attributes, which are stored together as one JSON object.
extension Attribute {
  /// Returns the element at a path of names within a composite attribute; the attribute itself for an empty path.
  ///
  /// Returns nil if there is no such element, and within a transformable attribute, whose values have no declared
  /// types.
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

  /// The dotted paths of the indexed elements, beginning with the attribute's own name.
  public var indexedElements: [String] {
    elements.flatMap { element in
      let inner = element.indexedElements.map { "\(name).\($0)" }
      return element.isIndexed ? ["\(name).\(element.name)"] + inner : inner
    }
  }

  /// Encodes an element's value as its composite stores it: a Date as the seconds since 1970, the rest as
  /// `JSON.init(_:)` does.
  ///
  /// With this encoding the store orders every element as memory does, and needs only `json_extract`.
  public func elementJSON(of value: Value) -> JSON? {
    if case .date(let instant) = value { return instant.seconds.isFinite ? .double(instant.seconds) : nil }
    guard let json = JSON(value), json.isFinite else { return nil }
    return json
  }

  /// Decodes an element's value from its composite; JSON of another type becomes its plain value.
  public func elementValue(_ json: JSON) -> Value { (try? value(from: json)) ?? json.plainValue }
}
