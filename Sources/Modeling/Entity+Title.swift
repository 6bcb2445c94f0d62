extension Entity {
  /// The index of the attribute by which people recognize an object: a name, a title, a unique text; nil if there is
  /// none.
  public var titleAttribute: Int? {
    let texts = properties.indices.filter { properties[$0].attribute?.type == .string }
    for name in ["name", "title", "label", "fullName", "displayName"] {
      if let index = texts.first(where: { properties[$0].name.lowercased() == name.lowercased() }) { return index }
    }
    if let unique = uniqueAttribute { return index(of: unique.name) }
    return texts.first { index in
      let name = properties[index].name.lowercased()
      return name.hasSuffix("name") || name.hasSuffix("title")
    }
  }
}
