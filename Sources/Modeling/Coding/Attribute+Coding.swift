extension Attribute {
  /// The attribute as JSON, without fields that have their default.
  func json(_ scope: CodingScope) -> JSON {
    var fields = schemaFields
    if !elements.isEmpty { fields["elements"] = .array(elements.map { $0.json(scope) }) }
    guard scope == .everything else { return .object(fields) }
    if !defaultValue.isNull { fields["default"] = defaultValue.coded }
    if !minimum.isNull { fields["min"] = minimum.coded }
    if !maximum.isNull { fields["max"] = maximum.coded }
    fields["minLength"] = minimumLength.map { .int(Int64($0)) }
    fields["maxLength"] = maximumLength.map { .int(Int64($0)) }
    fields["regex"] = regularExpression.map(JSON.string)
    if preservesValueInHistoryOnDeletion { fields["preserveAfterDeletion"] = .bool(true) }
    if allowsExternalBinaryDataStorage { fields["externalBinaryData"] = .bool(true) }
    fields["valueClass"] = valueClassName.map(JSON.string)
    fields["valueTransformer"] = valueTransformerName.map(JSON.string)
    fields["compositeName"] = compositeName.map(JSON.string)
    if !validationPredicates.isEmpty { fields["validation"] = .array(validationPredicates.map(\.json)) }
    fields["versionHashModifier"] = versionHashModifier.map(JSON.string)
    if namesUndefinedType { fields["namesUndefinedType"] = .bool(true) }
    fields["renamingIdentifier"] = renamingIdentifier.map(JSON.string)
    if !userInfo.isEmpty { fields["userInfo"] = .texts(userInfo) }
    return .object(fields)
  }

  /// The fields on which the column depends.
  private var schemaFields: [String: JSON] {
    var fields: [String: JSON] = ["name": .string(name), "type": .string(type.rawValue)]
    if !isOptional { fields["optional"] = .bool(false) }
    if isTransient { fields["transient"] = .bool(true) }
    if isUnique { fields["unique"] = .bool(true) }
    if isIndexed { fields["indexed"] = .bool(true) }
    if isReadOnly { fields["readOnly"] = .bool(true) }
    fields["derivation"] = derivation.map(JSON.string)
    return fields
  }

  init(_ fields: JSONFields) throws(ModelCodingError) {
    guard let type: AttributeType = try fields.choice("type") else {
      throw fields.invalid("type", "the name of an attribute type")
    }
    self.init(try fields.string("name"), type)
    isOptional = try fields.flag("optional", default: true)
    isTransient = try fields.flag("transient", default: false)
    isUnique = try fields.flag("unique", default: false)
    isIndexed = try fields.flag("indexed", default: false)
    isReadOnly = try fields.flag("readOnly", default: false)
    derivation = try fields.optionalString("derivation")
    for element in try fields.objects("elements") { elements.append(try Attribute(element)) }
    try readRules(fields)
  }

  private mutating func readRules(_ fields: JSONFields) throws(ModelCodingError) {
    defaultValue = try fields.value("default")
    minimum = try fields.value("min")
    maximum = try fields.value("max")
    minimumLength = try fields.optionalInt("minLength").map { Int($0) }
    maximumLength = try fields.optionalInt("maxLength").map { Int($0) }
    regularExpression = try fields.optionalString("regex")
    preservesValueInHistoryOnDeletion = try fields.flag("preserveAfterDeletion", default: false)
    allowsExternalBinaryDataStorage = try fields.flag("externalBinaryData", default: false)
    valueClassName = try fields.optionalString("valueClass")
    valueTransformerName = try fields.optionalString("valueTransformer")
    compositeName = try fields.optionalString("compositeName")
    for fields in try fields.objects("validation") { validationPredicates.append(try ValidationPredicate(fields)) }
    versionHashModifier = try fields.optionalString("versionHashModifier")
    namesUndefinedType = try fields.flag("namesUndefinedType", default: false)
    renamingIdentifier = try fields.optionalString("renamingIdentifier")
    userInfo = try fields.texts("userInfo")
  }
}

extension ValidationPredicate {
  var json: JSON {
    var fields: [String: JSON] = ["predicate": .string(predicate)]
    fields["warning"] = warning.map(JSON.string)
    return .object(fields)
  }

  init(_ fields: JSONFields) throws(ModelCodingError) {
    self.init(try fields.string("predicate"), warning: try fields.optionalString("warning"))
  }
}
