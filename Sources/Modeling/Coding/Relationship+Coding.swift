extension Relationship {
  /// The relationship as JSON, without fields that have their default.
  func json(_ scope: CodingScope) -> JSON {
    var fields: [String: JSON] = ["name": .string(name), "destination": .string(destination)]
    fields["inverse"] = inverse.map(JSON.string)
    if isUnidirectional { fields["unidirectional"] = .bool(true) }
    if isToMany { fields["toMany"] = .bool(true) }
    if isOrdered { fields["ordered"] = .bool(true) }
    if isTransient { fields["transient"] = .bool(true) }
    if !isOptional { fields["optional"] = .bool(false) }
    if deleteRule != .nullify { fields["deleteRule"] = .string(deleteRule.rawValue) }
    guard scope == .everything else { return .object(fields) }
    fields["minCount"] = minimumCount.map { .int(Int64($0)) }
    fields["maxCount"] = maximumCount.map { .int(Int64($0)) }
    fields["versionHashModifier"] = versionHashModifier.map(JSON.string)
    fields["renamingIdentifier"] = renamingIdentifier.map(JSON.string)
    if !userInfo.isEmpty { fields["userInfo"] = .texts(userInfo) }
    return .object(fields)
  }

  init(_ fields: JSONFields) throws(ModelCodingError) {
    self.init(
      toOne: try fields.string("name"), try fields.string("destination"), inverse: try fields.optionalString("inverse"))
    isUnidirectional = try fields.flag("unidirectional", default: false)
    isToMany = try fields.flag("toMany", default: false)
    isOrdered = try fields.flag("ordered", default: false)
    isTransient = try fields.flag("transient", default: false)
    isOptional = try fields.flag("optional", default: true)
    deleteRule = try fields.choice("deleteRule") ?? .nullify
    minimumCount = try fields.optionalInt("minCount").map { Int($0) }
    maximumCount = try fields.optionalInt("maxCount").map { Int($0) }
    versionHashModifier = try fields.optionalString("versionHashModifier")
    renamingIdentifier = try fields.optionalString("renamingIdentifier")
    userInfo = try fields.texts("userInfo")
  }
}
