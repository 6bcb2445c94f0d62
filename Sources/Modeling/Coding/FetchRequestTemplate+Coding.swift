extension FetchRequestTemplate {
  /// The request as JSON with its name, without fields that have their default.
  func json(named name: String) -> [String: JSON] {
    var fields: [String: JSON] = ["name": .string(name), "entity": .string(entity)]
    fields["predicate"] = predicate.map(JSON.string)
    if !sortDescriptors.isEmpty { fields["sortDescriptors"] = .array(sortDescriptors.map(JSON.string)) }
    fields["fetchLimit"] = fetchLimit.map { .int(Int64($0)) }
    if fetchOffset != 0 { fields["fetchOffset"] = .int(Int64(fetchOffset)) }
    if fetchBatchSize != 0 { fields["fetchBatchSize"] = .int(Int64(fetchBatchSize)) }
    if resultType != .objects { fields["resultType"] = .string(resultType.rawValue) }
    if !includesSubentities { fields["includesSubentities"] = .bool(false) }
    if !includesPropertyValues { fields["includesPropertyValues"] = .bool(false) }
    if !returnsObjectsAsFaults { fields["returnsObjectsAsFaults"] = .bool(false) }
    if returnsDistinctResults { fields["returnsDistinctResults"] = .bool(true) }
    return fields
  }

  init(_ fields: JSONFields) throws(ModelCodingError) {
    self.init(try fields.string("entity"), predicate: try fields.optionalString("predicate"))
    sortDescriptors = try fields.strings("sortDescriptors")
    fetchLimit = try fields.optionalInt("fetchLimit").map { Int($0) }
    fetchOffset = try fields.optionalInt("fetchOffset").map { Int($0) } ?? 0
    fetchBatchSize = try fields.optionalInt("fetchBatchSize").map { Int($0) } ?? 0
    resultType = try fields.choice("resultType") ?? .objects
    includesSubentities = try fields.flag("includesSubentities", default: true)
    includesPropertyValues = try fields.flag("includesPropertyValues", default: true)
    returnsObjectsAsFaults = try fields.flag("returnsObjectsAsFaults", default: true)
    returnsDistinctResults = try fields.flag("returnsDistinctResults", default: false)
  }
}

extension FetchedProperty {
  var json: JSON {
    var fields = fetchRequest.json(named: name)
    if !userInfo.isEmpty { fields["userInfo"] = .texts(userInfo) }
    return .object(fields)
  }

  init(_ fields: JSONFields) throws(ModelCodingError) {
    self.init(try fields.string("name"), try FetchRequestTemplate(fields))
    userInfo = try fields.texts("userInfo")
  }
}
