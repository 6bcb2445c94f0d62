internal import Modeling

extension ModelArchiveReader {
  static let typesByCode: [Int64: AttributeType] = [
    0: .any, 100: .integer16, 200: .integer32, 300: .integer64, 400: .decimal, 500: .double, 600: .float, 700: .string,
    800: .boolean, 900: .date, 1000: .data, 1100: .uuid, 1200: .url, 1800: .transformable, 2100: .composite,
  ]

  mutating func attribute(_ object: ArchivedObject, place: String, depth: Int) -> Attribute {
    let code = object.integer("NSAttributeType") ?? 0
    let known = object.isKind(of: "NSCompositeAttributeDescription") ? .composite : Self.typesByCode[code]
    if known == nil { assembly.note("\(place) has a type of another kind, \(code)") }
    var attribute = Attribute(object.text("NSPropertyName") ?? "", known ?? .any)
    attribute.isOptional = object.flag("NSIsOptional")
    attribute.isTransient = object.flag("NSIsTransient")
    attribute.isIndexed = object.flag("NSIsIndexed")
    let flags = object.integer("NSFlagsKey") ?? 0
    attribute.allowsExternalBinaryDataStorage = flags & 4 != 0
    attribute.preservesValueInHistoryOnDeletion = flags & 16 != 0
    attribute.versionHashModifier = object.text("NSVersionHashModifier")
    attribute.renamingIdentifier = object.text("NSRenamingIdentifier")
    attribute.userInfo = object.object("NSUserInfo")?.texts ?? [:]
    if attribute.type == .transformable {
      attribute.valueTransformerName = object.text("NSValueTransformerName")
      attribute.valueClassName = object.text("NSAttributeValueClassName").flatMap { $0 == "NSObject" ? nil : $0 }
    }
    if attribute.type == .composite { readElements(object, into: &attribute, place: place, depth: depth) }
    readDefault(object, into: &attribute, place: place)
    readConditions(object, into: &attribute, place: place)
    readDerivation(object, into: &attribute, place: place)
    return attribute
  }

  private mutating func readElements(
    _ object: ArchivedObject, into attribute: inout Attribute, place: String, depth: Int
  ) {
    guard depth < 8 else {
      assembly.note("\(place) nests too deep")
      return
    }
    attribute.compositeName = object.text("NSCompositeName")
    // The list of attributes, which may be in any field.
    for name in object.fieldNames where name != "$class" {
      for case .object(let element) in object.elements(name) where element.isKind(of: "NSAttributeDescription") {
        let inner = self.attribute(element, place: "\(place).\(element.text("NSPropertyName") ?? "")", depth: depth + 1)
        attribute.elements.append(inner)
        elementCount += 1
        guard elementCount < ModelAssembly.elementLimit else { return assembly.note("\(place) has too many elements") }
      }
      if !attribute.elements.isEmpty { return }
    }
    assembly.note("\(place): its elements are not told")
  }

  private mutating func readDefault(_ object: ArchivedObject, into attribute: inout Attribute, place: String) {
    switch object["NSDefaultValue"] {
    case .null: return
    case .value(let value): attribute.defaultValue = attribute.archivedDefault(value)
    case .object(let archived):
      if let value = archived.value {
        attribute.defaultValue = attribute.archivedDefault(value)
        return
      }
      var decoder = ArchiveJSON(limit: 10_000)
      if attribute.type == .transformable, let json = decoder.json(.object(archived), depth: 0) {
        attribute.defaultValue = .json(json)
      } else {
        assembly.note("\(place): the default, of the class \(archived.className), is left out")
      }
    case .reference, .list: return
    }
  }

  /// Reads the rules for its values: bounds, lengths and patterns, and other conditions with their messages.
  private mutating func readConditions(_ object: ArchivedObject, into attribute: inout Attribute, place: String) {
    let warnings = object.elements("NSValidationWarnings")
    for (index, content) in object.elements("NSValidationPredicates").prefix(1000).enumerated() {
      let text: String
      do {
        text = try ArchivedPredicateText.predicate(content)
      } catch {
        assembly.note("\(place): a condition is left out: \(error.note)")
        continue
      }
      // A number is one of the framework's own warnings.
      let warning = index < warnings.count ? ArchivedObject.text(warnings[index]) : nil
      let condition = ValidationPredicate(text, warning: warning)
      if attribute.absorb(condition) {
        if let warning { assembly.note("\(place): the warning of its bounds is left out: \(warning)") }
      } else {
        attribute.validationPredicates.append(condition)
      }
    }
  }

  private mutating func readDerivation(_ object: ArchivedObject, into attribute: inout Attribute, place: String) {
    guard object.isKind(of: "NSDerivedAttributeDescription") else { return }
    do {
      attribute.derivation = try ArchivedPredicateText.expression(object["NSDerivationExpression"])
    } catch {
      assembly.note("\(place): what it is derived from is left out: \(error.note)")
    }
    if case .object = object["NSFilteringPredicate"] {
      assembly.note("\(place): the condition on what it is derived from is left out")
    }
  }
}

extension Attribute {
  /// The default as the type has it: archives know no truth values but numbers.
  fileprivate func archivedDefault(_ value: Value) -> Value {
    switch (type, value) {
    case (.boolean, .int(let number)): .bool(number != 0)
    case (.boolean, .double(let number)): .bool(number != 0)
    case (_, .bool(let flag)) where type.isNumeric: .int(flag ? 1 : 0)
    case (.url, .string(let text)): .url(text)
    default: value
    }
  }
}
