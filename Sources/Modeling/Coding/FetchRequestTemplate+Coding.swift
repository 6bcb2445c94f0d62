extension FetchRequestTemplate {
  /// The request as JSON, without what has its default, under its name.
  func json(named name: String) -> [String: JSON] {
    var fields: [String: JSON] = ["name": .string(name), "entity": .string(entity)]
    fields["predicate"] = predicate.map(JSON.string)
    if !sortDescriptors.isEmpty { fields["sortDescriptors"] = .array(sortDescriptors.map(JSON.string)) }
    fields["fetchLimit"] = fetchLimit.map { .int(Int64($0)) }
    return fields
  }

  init(_ fields: JSONFields) throws(ModelCodingError) {
    self.init(try fields.string("entity"), predicate: try fields.optionalString("predicate"))
    sortDescriptors = try fields.strings("sortDescriptors")
    fetchLimit = try fields.optionalInt("fetchLimit").map { Int($0) }
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
