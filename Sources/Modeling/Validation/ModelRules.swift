/// Checks of a model's attributes and relationships that concern a single entity.
enum ModelRules {
  /// Returns the description with every default and bound in its attribute's stored form: `0` of a Double becomes
  /// `0.0`.
  ///
  /// - Throws: the first rule that contradicts its type or another rule.
  static func checked(_ description: EntityDescription) throws(ModelError) -> EntityDescription {
    var description = description
    for index in description.properties.indices {
      let place = Place(entity: description.name, property: description.properties[index].name)
      switch description.properties[index] {
      case .attribute(let attribute): description.properties[index] = .attribute(try checked(attribute, place))
      case .relationship(let relationship): try check(relationship, place)
      }
    }
    return description
  }

  /// The place of an error.
  private struct Place {
    var entity: String
    var property: String
    /// The number of enclosing composites.
    var level = 0

    func error(_ fact: ModelError.Fact) -> ModelError { ModelError(entity: entity, property: property, fact) }
  }

  private static func checked(_ attribute: Attribute, _ place: Place) throws(ModelError) -> Attribute {
    var checked = attribute
    do {
      checked.defaultValue = try attribute.coerce(attribute.defaultValue)
    } catch {
      throw place.error(.wrongDefault(attribute.defaultValue, expected: attribute.type))
    }
    checked.minimum = try bound(attribute.minimum, "min", of: attribute, place)
    checked.maximum = try bound(attribute.maximum, "max", of: attribute, place)
    if let order = checked.minimum.order(to: checked.maximum), order > 0 {
      throw place.error(.invalidOption("min", reason: "it is larger than max"))
    }
    if attribute.preservesValueInHistoryOnDeletion, attribute.isTransient {
      throw place.error(.invalidOption("preserveAfterDeletion", reason: "a transient attribute is not in the store"))
    }
    try checkTextRules(of: attribute, place)
    checked.elements = try checkedElements(of: attribute, place)
    if let broken = checked.violations(of: checked.defaultValue).first, broken.kind != .missingMandatory {
      throw place.error(.invalidOption("default", reason: "it breaks the attribute's own rules"))
    }
    return checked
  }

  private static func bound(
    _ value: Value, _ option: String, of attribute: Attribute, _ place: Place
  ) throws(ModelError) -> Value {
    guard !value.isNull else { return .null }
    guard attribute.type.isNumeric || attribute.type == .date else {
      throw place.error(.invalidOption(option, reason: "\(attribute.type.rawValue) has no order of magnitude"))
    }
    do {
      return try attribute.coerce(value)
    } catch {
      throw place.error(.wrongBound(value, expected: attribute.type))
    }
  }

  private static func checkTextRules(of attribute: Attribute, _ place: Place) throws(ModelError) {
    let rules = [
      ("minLength", attribute.minimumLength != nil), ("maxLength", attribute.maximumLength != nil),
      ("regex", attribute.regularExpression != nil),
    ]
    for (option, isGiven) in rules where isGiven && !attribute.type.isTextual {
      throw place.error(.invalidOption(option, reason: "\(attribute.type.rawValue) is not a text type"))
    }
    try checkCounts(attribute.minimumLength, attribute.maximumLength, place)
    if let pattern = attribute.regularExpression, !Pattern.named(pattern).isValid {
      throw place.error(.invalidRegularExpression(pattern))
    }
  }

  private static func checkedElements(of attribute: Attribute, _ place: Place) throws(ModelError) -> [Attribute] {
    guard attribute.type == .composite || attribute.elements.isEmpty else {
      throw place.error(.invalidOption("elements", reason: "\(attribute.type.rawValue) is no Composite"))
    }
    guard attribute.elements.isEmpty || place.level < Nesting.composites else {
      throw place.error(
        .invalidOption("elements", reason: "composites nest at most \(Nesting.composites) levels deep"))
    }
    var names: Set<String> = []
    var elements: [Attribute] = []
    for element in attribute.elements {
      let inner = Place(
        entity: place.entity, property: "\(place.property).\(element.name)", level: place.level + 1)
      // The store's JSON paths contain these names in quotes.
      guard !element.name.isEmpty, !element.name.contains(where: { "\"\\.".contains($0) }) else {
        throw inner.error(.invalidName(element.name))
      }
      let refused = [("unique", element.isUnique), ("transient", element.isTransient), ("type", element.isDerived)]
      for (option, isGiven) in refused where isGiven {
        let reason = option == "type" ? "an element cannot be derived" : "an element cannot be \(option)"
        throw inner.error(.invalidOption(option, reason: reason))
      }
      guard names.insert(element.name).inserted else { throw inner.error(.duplicateProperty) }
      elements.append(try checked(element, inner))
    }
    return elements
  }

  private static func check(_ relationship: Relationship, _ place: Place) throws(ModelError) {
    try checkCounts(relationship.minimumCount, relationship.maximumCount, place)
    guard !relationship.isToMany else { return }
    let toManyOptions = [
      ("ordered", relationship.isOrdered), ("minCount", relationship.minimumCount != nil),
      ("maxCount", relationship.maximumCount != nil),
    ]
    for (option, isGiven) in toManyOptions where isGiven {
      throw place.error(.invalidOption(option, reason: "a to-one leads to one object"))
    }
  }

  private static func checkCounts(_ minimum: Int?, _ maximum: Int?, _ place: Place) throws(ModelError) {
    let (low, high) = (minimum ?? 0, maximum ?? .max)
    guard low >= 0, low <= high else { throw place.error(.invalidCount(minimum: low, maximum: high)) }
  }
}
