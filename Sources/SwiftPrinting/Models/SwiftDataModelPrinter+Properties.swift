internal import Modeling
internal import SwiftParsing
internal import SwiftReading

extension SwiftDataModelPrinter {
  /// The lines that declare a property.
  mutating func declaration(_ property: Property, of entity: Entity) -> [String] {
    switch property {
    case .attribute(let attribute): declaration(attribute, of: entity)
    case .relationship(let relationship): declaration(relationship, of: entity)
    }
  }

  private mutating func declaration(_ attribute: Attribute, of entity: Entity) -> [String] {
    let place = "\(entity.name).\(attribute.name)"
    let name = name(of: attribute.name, entity)
    let type = typeName(attribute)
    if let derivation = attribute.derivation {
      note("\(place) is derived from \(derivation), which SwiftData cannot do")
      return ["// Derived: \(derivation.inOneLine)", "@Transient var \(name): \(type)?"]
    }
    noteRules(attribute, place: place)
    noteLosses(attribute, place: place)
    if attribute.isTransient {
      // A transient property needs a value; nil serves for an optional one.
      if !options(attribute, name: attribute.name).isEmpty {
        note("\(place): what is said of its storage and its former name is left out: it is transient")
      }
      let value = value(attribute) ?? (attribute.isOptional ? nil : zero(attribute))
      if !attribute.isOptional, value == nil { note("\(place) is optional there, as it needs a value from the start") }
      if !attribute.isOptional, attribute.defaultValue.isNull, let value {
        note("\(place) begins as \(value), as it needs a value from the start")
      }
      let mark = attribute.isOptional || value == nil ? "?" : ""
      return ["@Transient var \(name): \(type)\(mark)\(value.map { " = \($0)" } ?? "")"]
    }
    let options = options(attribute, name: name)
    let prefix = options.isEmpty ? "" : "@Attribute(\(options.joined(separator: ", "))) "
    let value = value(attribute).map { " = \($0)" } ?? ""
    return ["\(prefix)var \(name): \(type)\(attribute.isOptional ? "?" : "")\(value)"]
  }

  private func options(_ attribute: Attribute, name: String) -> [String] {
    var options: [String] = []
    if attribute.isUnique { options.append(".unique") }
    if attribute.allowsExternalBinaryDataStorage { options.append(".externalStorage") }
    if attribute.preservesValueInHistoryOnDeletion { options.append(".preserveValueOnDeletion") }
    if attribute.type == .transformable, let transformer = attribute.valueTransformerName {
      options.append(".transformable(by: \(SwiftLiteral.string(transformer)))")
    }
    if let original = originalName(attribute.renamingIdentifier, attribute.name, name) {
      options.append("originalName: \(SwiftLiteral.string(original))")
    }
    if let modifier = attribute.versionHashModifier {
      options.append("hashModifier: \(SwiftLiteral.string(modifier))")
    }
    return options
  }

  /// Returns the former name of a property, or its name in the model if the Swift name differs.
  private func originalName(_ identifier: String?, _ name: String, _ swiftName: String) -> String? {
    identifier ?? (swiftName.filter { $0 != "`" } == name ? nil : name)
  }

  /// Returns the Swift name of a property, and adds a note if it differs from the model's.
  private mutating func name(of property: String, _ entity: Entity) -> String {
    let plain = names.plainProperty(property, of: entity)
    if plain != property { note("\(entity.name).\(property) is \(plain) there") }
    return SwiftNames.identifier(plain)
  }

  private mutating func noteLosses(_ attribute: Attribute, place: String) {
    if attribute.type == .any { note("\(place) has no type; it is a String there") }
    if attribute.type == .transformable, attribute.valueClassName == nil, attribute.valueTransformerName == nil {
      note("\(place) has values of no class; they are Data there")
    }
    if !attribute.defaultValue.isNull, value(attribute) == nil { note("\(place): its default is left out") }
    let enumeration = structures.enumeration(of: attribute)
    let said = enumeration == nil ? nil : SwiftEnumeration.userInfoKey
    if attribute.userInfo.contains(where: { $0.key != said }) {
      note("\(place): its user info is left out: SwiftData has none")
    }
    if let enumeration { return noteLosses(enumeration, attribute, place: place) }
    if attribute.elements.count == 1, attribute.elements[0].name == attribute.name {
      note("\(place) may be an enumeration, whose cases no store keeps: it is a structure of its raw value there")
    }
    for element in attribute.elements {
      let inner = "\(place).\(element.name)"
      noteRules(element, place: inner)
      noteLosses(element, place: inner)
      if !element.defaultValue.isNull, value(element) != nil { note("\(inner): its default is left out") }
      if element.isIndexed { note("\(inner): an index of its own is left out") }
      if element.renamingIdentifier != nil || element.versionHashModifier != nil {
        note("\(inner): its former name and hash modifier are left out: it is part of a structure")
      }
    }
  }

  private mutating func noteLosses(_ enumeration: SwiftEnumeration, _ attribute: Attribute, place: String) {
    if enumeration.carriesValues { note("\(place): the types that cases of \(enumeration.name) carry are the app's") }
    if attribute.elements != enumeration.elements(of: attribute.name, isOptional: attribute.isOptional) {
      note("\(place): what is said of its raw values beside its cases is left out")
    }
  }

  private mutating func noteRules(_ attribute: Attribute, place: String) {
    let texts =
      [
        attribute.minimum.isNull ? nil : "at least \(attribute.minimum.displayText)",
        attribute.maximum.isNull ? nil : "at most \(attribute.maximum.displayText)",
        attribute.minimumLength.map { "at least \($0) characters" },
        attribute.maximumLength.map { "at most \($0) characters" },
        attribute.regularExpression.map { "matching \($0)" },
      ].compactMap { $0 } + attribute.validationPredicates.map(\.predicate)
    if !texts.isEmpty { note("\(place): SwiftData checks no values: \(texts.joined(separator: ", "))") }
  }

  private mutating func declaration(_ relationship: Relationship, of entity: Entity) -> [String] {
    guard let index = entity.index(of: relationship.name) else { return [] }
    let place = "\(entity.name).\(relationship.name)"
    let name = name(of: relationship.name, entity)
    let destination = entity.destination(at: index)
    if relationship.isTransient {
      let type = names.type(destination)
      note("\(place) is transient: it has no inverse, delete rule, bounds or former name there")
      return ["@Transient var \(name): \(relationship.isToMany ? "[\(type)] = []" : "\(type)?")"]
    }
    var options: [String] = []
    let rules: [DeleteRule: String] = [.noAction: ".noAction", .cascade: ".cascade", .deny: ".deny"]
    if let rule = rules[relationship.deleteRule] { options.append("deleteRule: \(rule)") }
    if let count = relationship.minimumCount { options.append("minimumModelCount: \(count)") }
    if let count = relationship.maximumCount { options.append("maximumModelCount: \(count)") }
    if let original = originalName(relationship.renamingIdentifier, relationship.name, name) {
      options.append("originalName: \(SwiftLiteral.string(original))")
    }
    // Of two sides one names the other: a circle of macros would not compile.
    if let inverse = entity.inverse(at: index), Self.names(entity, index, destination, inverse) {
      let back = names.property(destination.properties[inverse].name, of: destination)
      options.append("inverse: \\\(names.type(destination)).\(back)")
    }
    if let modifier = relationship.versionHashModifier {
      options.append("hashModifier: \(SwiftLiteral.string(modifier))")
    }
    if relationship.isOrdered { note("\(place) is ordered, which SwiftData does not keep") }
    if relationship.isUnidirectional { note("\(place) leads one way; SwiftData may find an inverse") }
    if !relationship.userInfo.isEmpty { note("\(place): its user info is left out: SwiftData has none") }
    let prefix = options.isEmpty ? "" : "@Relationship(\(options.joined(separator: ", "))) "
    let type = names.type(destination)
    if relationship.isToMany, !relationship.isOptional { note("\(place) must have members; it may be empty there") }
    if relationship.isToMany { return ["\(prefix)var \(name): [\(type)] = []"] }
    if !relationship.isOptional { note("\(place) must lead somewhere; it is optional there until it does") }
    return ["\(prefix)var \(name): \(type)?"]
  }

  /// Whether this side names the other: the to-many of a pair, else the first.
  private static func names(_ entity: Entity, _ index: Int, _ destination: Entity, _ inverse: Int) -> Bool {
    guard let own = entity.properties[index].relationship, let other = destination.properties[inverse].relationship
    else { return false }
    if destination === entity, inverse == index { return false }
    if own.isToMany != other.isToMany { return own.isToMany }
    return (entity.name, own.name) < (destination.name, other.name)
  }

  /// The type of an attribute's values, without `?`.
  mutating func typeName(_ attribute: Attribute) -> String {
    attribute.swiftTypeName(composite: attribute.type == .composite ? structures.name(of: attribute) : nil)
  }

  /// The default as an expression.
  func value(_ attribute: Attribute) -> String? {
    if attribute.defaultValue.isNull { return nil }
    if let enumeration = structures.enumeration(of: attribute) {
      let name = enumeration.caseName(of: attribute.defaultValue, property: attribute.name)
      return name.map { ".\(SwiftNames.identifier($0))" }
    }
    // An array or a dictionary says its type; a class would have to be made.
    if case .json(let json) = attribute.defaultValue, attribute.valueClassName?.hasPrefix("[") == true {
      return Self.literal(json)
    }
    return SwiftLiteral.initializer(attribute.defaultValue)
  }

  /// A list of plain values, or an empty collection, as a literal.
  private static func literal(_ json: JSON) -> String? {
    switch json {
    case .bool(let flag): return "\(flag)"
    case .int(let number): return "\(number)"
    case .double(let number): return SwiftLiteral.initializer(.double(number))
    case .string(let text): return SwiftLiteral.string(text)
    case .array(let elements):
      let texts = elements.compactMap { literal($0) }
      return texts.count == elements.count ? "[\(texts.joined(separator: ", "))]" : nil
    case .object(let members): return members.isEmpty ? "[:]" : nil
    case .null: return nil
    }
  }

  /// Some value of the type, for a property that must have one.
  private func zero(_ attribute: Attribute) -> String? {
    switch attribute.type {
    case .integer16, .integer32, .integer64: "0"
    case .double, .float: "0.0"
    case .decimal: SwiftLiteral.initializer(.decimal(0))
    case .boolean: "false"
    case .string, .any: "\"\""
    case .date: "Date()"
    case .uuid: "UUID()"
    case .data: SwiftLiteral.initializer(.data([]))
    case .url, .transformable, .composite: nil
    }
  }

  /// An initializer of all that has no value without it; first what the parent needs.
  mutating func initializer(_ entity: Entity) -> [String] {
    var inherited: [Attribute] = []
    var own: [Attribute] = []
    for property in entity.properties {
      guard let attribute = property.attribute, attribute.derivation == nil, !attribute.isTransient else { continue }
      if entity.parent?.index(of: attribute.name) != nil { inherited.append(attribute) } else { own.append(attribute) }
    }
    func parameter(_ attribute: Attribute) -> String {
      let type = typeName(attribute)
      let value = value(attribute) ?? (attribute.isOptional ? "nil" : nil)
      return
        "\(names.property(attribute.name, of: entity)): \(type)\(attribute.isOptional ? "?" : "")\(value.map { " = \($0)" } ?? "")"
    }
    let parameters = (inherited + own).map(parameter)
    // What takes the same as the parent's does replaces it.
    let head = entity.parent != nil && own.isEmpty ? "override init(" : "init("
    var lines = [head + parameters.joined(separator: ", ") + ") {"]
    if lines[0].count > 100 {
      lines = [head] + parameters.enumerated().map { "  \($1)\($0 == parameters.count - 1 ? "" : ",")" } + [") {"]
    }
    for attribute in own {
      let name = names.property(attribute.name, of: entity)
      lines.append("  self.\(name) = \(name)")
    }
    if entity.parent != nil {
      let arguments = inherited.map { attribute -> String in
        let name = names.property(attribute.name, of: entity)
        return "\(name): \(name)"
      }
      lines.append("  super.init(\(arguments.joined(separator: ", ")))")
    }
    return lines + ["}"]
  }

}
