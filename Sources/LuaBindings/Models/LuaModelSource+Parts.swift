internal import Modeling

extension LuaModelSource {
  mutating func declaration(_ attribute: Attribute, place: String) -> String {
    if attribute.isReadOnly { note("\(place) can be written to") }
    if attribute.type == .any { note("\(place) has no type; it is a String") }
    let word = Self.word(attribute.type)
    var options = self.options(attribute, place: place)
    if let derivation = attribute.derivation {
      options = ["type = \(word)", derivation.quotedForLua] + options
      return "Derived { \(options.joined(separator: ", ")) }"
    }
    if attribute.type == .composite {
      let elements = attribute.elements.map { element in
        "\(Self.key(element.name)) = \(declaration(element, place: "\(place).\(element.name)"))"
      }
      let names = attribute.elements.map(\.name)
      if names != names.sorted() {
        if names.contains("order") { note("\(place): its elements are in alphabetical order") }
        if !names.contains("order") { options.insert("order = \(Self.list(names))", at: 0) }
      }
      // An element replaces the option of the same name.
      options.removeAll { option in names.contains { option.hasPrefix("\($0) = ") } }
      options = elements + options
    }
    return options.isEmpty ? word : "\(word) { \(options.joined(separator: ", ")) }"
  }

  private mutating func options(_ attribute: Attribute, place: String) -> [String] {
    var options: [String] = []
    if !attribute.isOptional { options.append("optional = false") }
    if attribute.isUnique { options.append("unique = true") }
    if attribute.isIndexed { options.append("indexed = true") }
    if attribute.isTransient { options.append("transient = true") }
    for (name, value) in [("default", attribute.defaultValue), ("min", attribute.minimum), ("max", attribute.maximum)]
    where !value.isNull {
      if let text = Self.literal(value) {
        options.append("\(name) = \(text)")
      } else {
        note("\(place): \(name) is left out")
      }
    }
    if let length = attribute.minimumLength { options.append("minLength = \(length)") }
    if let length = attribute.maximumLength { options.append("maxLength = \(length)") }
    options += Self.text("regex", attribute.regularExpression)
    if attribute.preservesValueInHistoryOnDeletion { options.append("preserveAfterDeletion = true") }
    if attribute.allowsExternalBinaryDataStorage { options.append("externalBinaryData = true") }
    options += Self.text("valueClass", attribute.valueClassName)
    options += Self.text("valueTransformer", attribute.valueTransformerName)
    options += Self.text("compositeName", attribute.compositeName)
    if !attribute.validationPredicates.isEmpty {
      let conditions = attribute.validationPredicates.map { condition in
        let text = condition.predicate.quotedForLua
        return condition.warning.map { "{ \(text), warning = \($0.quotedForLua) }" } ?? text
      }
      options.append("validation = { \(conditions.joined(separator: ", ")) }")
    }
    options += Self.text("versionHashModifier", attribute.versionHashModifier)
    options += Self.text("renamingIdentifier", attribute.renamingIdentifier)
    return options + Self.userInfo(attribute.userInfo)
  }

  static func options(_ template: FetchRequestTemplate) -> [String] {
    var options = ["entity = \(template.entity.quotedForLua)"] + text("predicate", template.predicate)
    if !template.sortDescriptors.isEmpty { options.append("sortDescriptors = \(list(template.sortDescriptors))") }
    if let limit = template.fetchLimit { options.append("fetchLimit = \(limit)") }
    if template.fetchOffset != 0 { options.append("fetchOffset = \(template.fetchOffset)") }
    if template.fetchBatchSize != 0 { options.append("fetchBatchSize = \(template.fetchBatchSize)") }
    if template.resultType != .objects { options.append("resultType = \(template.resultType.rawValue.quotedForLua)") }
    if !template.includesSubentities { options.append("includesSubentities = false") }
    if !template.includesPropertyValues { options.append("includesPropertyValues = false") }
    if !template.returnsObjectsAsFaults { options.append("returnsObjectsAsFaults = false") }
    if template.returnsDistinctResults { options.append("returnsDistinctResults = true") }
    return options
  }

  // MARK: Lua

  static func text(_ name: String, _ text: String?) -> [String] { text.map { ["\(name) = \($0.quotedForLua)"] } ?? [] }

  static func userInfo(_ texts: [String: String]) -> [String] {
    guard !texts.isEmpty else { return [] }
    let pairs = texts.sorted { $0.key < $1.key }.map { "\(key($0)) = \($1.quotedForLua)" }
    return ["userInfo = { \(pairs.joined(separator: ", ")) }"]
  }

  static func list(_ names: [String]) -> String { "{ \(names.map(\.quotedForLua).joined(separator: ", ")) }" }

  /// A field's name as the key of a table.
  static func key(_ name: String) -> String {
    Naming.isLuaIdentifier(name) ? name : "[\(name.quotedForLua)]"
  }

  /// Fields in braces: on one line if they fit, otherwise one per line.
  static func table(_ fields: [String], depth: Int) -> String {
    let line = "{ \(fields.joined(separator: ", ")) }"
    if fields.isEmpty { return "{}" }
    if line.count < 90, !line.contains("\n"), depth > 1 { return line }
    let margin = String(repeating: "  ", count: depth)
    return "{\n" + fields.map { "\(margin)  \($0),\n" }.joined() + "\(margin)}"
  }

  private static func word(_ type: AttributeType) -> String {
    switch type {
    case .integer64: "Int"
    case .any: "String"
    default: type.rawValue
    }
  }

  /// The value as an expression; nil if no expression has it.
  private static func literal(_ value: Value) -> String? {
    switch value {
    case .double(let number):
      if number.isNaN { return nil }
      return number.isFinite ? "\(number)" : number < 0 ? "-math.huge" : "math.huge"
    case .date(let date):
      if Timestamp(iso8601: date.iso8601) == date { return "Date \(date.iso8601.quotedForLua)" }
      return date.seconds.isFinite ? "Date(\(date.seconds))" : nil
    // The smallest integer has no literal, because its digits alone are out of range.
    case .int(Int64.min): return "math.mininteger"
    case .json(let json): return table(json)
    case .null, .object, .list: return nil
    default: return value.debugText
    }
  }

  private static func table(_ json: JSON) -> String? {
    switch json {
    case .null: return "null"
    case .bool(let flag): return "\(flag)"
    case .int(let number): return literal(Value.int(number))
    case .double(let number): return literal(Value.double(number))
    case .string(let text): return text.quotedForLua
    case .array(let elements):
      let texts = elements.compactMap { table($0) }
      // An empty table is an object.
      return texts.count == elements.count && !texts.isEmpty ? "{ \(texts.joined(separator: ", ")) }" : nil
    case .object(let members):
      let texts = members.sorted { $0.key < $1.key }.compactMap { key, value in
        table(value).map { "\(self.key(key)) = \($0)" }
      }
      return texts.count == members.count ? "{ \(texts.joined(separator: ", ")) }" : nil
    }
  }
}
