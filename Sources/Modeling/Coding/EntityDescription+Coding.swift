extension EntityDescription {
  /// The declaration as JSON, without fields that have their default.
  func json(_ scope: CodingScope) -> JSON {
    var fields: [String: JSON] = ["name": .string(name)]
    fields["parent"] = parent.map(JSON.string)
    if isAbstract { fields["abstract"] = .bool(true) }
    if isReadOnly { fields["readOnly"] = .bool(true) }
    if !properties.isEmpty { fields["properties"] = .array(properties.map { $0.json(scope) }) }
    if !uniquenessConstraints.isEmpty { fields["unique"] = .lists(uniquenessConstraints) }
    if !indexes.isEmpty { fields["indexes"] = .array(indexes.map { $0.json(scope) }) }
    guard scope == .everything else { return .object(fields) }
    if !fetchedProperties.isEmpty { fields["fetchedProperties"] = .array(fetchedProperties.map(\.json)) }
    fields["className"] = className.map(JSON.string)
    fields["versionHashModifier"] = versionHashModifier.map(JSON.string)
    fields["renamingIdentifier"] = renamingIdentifier.map(JSON.string)
    if !userInfo.isEmpty { fields["userInfo"] = .texts(userInfo) }
    return .object(fields)
  }

  init(_ fields: JSONFields) throws(ModelCodingError) {
    self.init(try fields.string("name"), parent: try fields.optionalString("parent"))
    isAbstract = try fields.flag("abstract", default: false)
    isReadOnly = try fields.flag("readOnly", default: false)
    for property in try fields.objects("properties") { properties.append(try Property(property)) }
    uniquenessConstraints = try fields.lists("unique")
    for index in try fields.items("indexes") { indexes.append(try FetchIndex(index)) }
    for fetched in try fields.objects("fetchedProperties") { fetchedProperties.append(try FetchedProperty(fetched)) }
    className = try fields.optionalString("className")
    versionHashModifier = try fields.optionalString("versionHashModifier")
    renamingIdentifier = try fields.optionalString("renamingIdentifier")
    userInfo = try fields.texts("userInfo")
  }
}

extension Property {
  func json(_ scope: CodingScope) -> JSON {
    switch self {
    case .attribute(let attribute): attribute.json(scope)
    case .relationship(let relationship): relationship.json(scope)
    }
  }

  /// Reads an attribute, which has a type, or a relationship, which has a destination.
  init(_ fields: JSONFields) throws(ModelCodingError) {
    if try fields.optionalString("destination") != nil {
      self = .relationship(try Relationship(fields))
    } else {
      self = .attribute(try Attribute(fields))
    }
  }
}

extension JSON {
  static func lists(_ lists: [[String]]) -> JSON { .array(lists.map { .array($0.map(JSON.string)) }) }

  static func texts(_ texts: [String: String]) -> JSON { .object(texts.mapValues(JSON.string)) }
}
