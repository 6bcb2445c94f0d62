internal import Modeling
internal import Queries
internal import SwiftParsing

extension SwiftDataModelReader {
  /// The property that a declaration of a class makes; nil where a model keeps none of it, or a mistake was reported.
  mutating func property(_ declaration: SwiftDeclaration, place: String, at range: Range<Int>) -> Property? {
    let options = PropertyOptions(declaration.attributes)
    for attribute in options.others {
      note("\(place): @\(attribute.wrapperName ?? "") is left out", at: attribute.range)
    }
    guard let type = declaration.type ?? inferredType(of: declaration.value) else {
      if options.isTransient {
        note("\(place) is transient, of a type that is not written, and is left out", at: range)
      } else if isPartial {
        return .attribute(Attribute(declaration.name, .any))
      } else {
        issues.report(.unknownTypeOfProperty(declaration.name), at: range)
      }
      return nil
    }
    let isForgiving = options.isTransient || options.isEncoded
    switch content(of: type, declaration.name, place: place, isForgiving: isForgiving) {
    case .attribute(let attribute):
      return self.attribute(attribute, declaration, type, options, place: place)
    case .relationship(let destination, let isToMany):
      var relationship = Relationship(toOne: declaration.name, destination)
      relationship.isToMany = isToMany
      // An empty list is there, too.
      relationship.isOptional = isToMany || type.isOptionalValue
      relationship.isTransient = options.isTransient
      return self.relationship(relationship, declaration, options, place: place)
    case .nothing:
      if options.isEncoded {
        return attribute(Attribute(declaration.name, .transformable), declaration, type, options, place: place)
      }
      guard options.isTransient else { return nil }
      // A class of the app, which is in memory only.
      if !type.written.isEmpty { note("\(place): \(source(type.range)) is kept as JSON", at: type.range) }
      var attribute = Attribute(declaration.name, .transformable)
      attribute.valueClassName = type.written
      return self.attribute(attribute, declaration, type, options, place: place)
    }
  }

  // MARK: Attributes

  /// What a declaration may be called in Objective-C, from where, and on which systems: nothing of it is in a model.
  static let meaninglessAttributes: Set<String> = [
    "objc", "objcMembers", "nonobjc", "MainActor", "available", "backDeployed", "frozen", "usableFromInline",
    "discardableResult", "preconcurrency", "_spi",
  ]

  private mutating func attribute(
    _ plain: Attribute, _ declaration: SwiftDeclaration, _ type: TypeSyntax, _ options: PropertyOptions, place: String
  ) -> Property? {
    var attribute = plain
    if options.isEncoded {
      attribute = Attribute(plain.name, .transformable)
      attribute.valueClassName = type.written == "Data" ? nil : type.written
    }
    attribute.isOptional = type.isOptionalValue
    attribute.isTransient = options.isTransient
    for wrapper in options.attributes {
      for argument in wrapper.wrapperArguments { read(argument, into: &attribute, place: place) }
    }
    for wrapper in options.relationships {
      issues.report(.notARelationship(declaration.name), at: wrapper.range)
    }
    if let value = declaration.value { readDefault(value, into: &attribute, place: place) }
    return .attribute(attribute)
  }

  private static let attributeOptions = [
    "unique", "externalStorage", "preserveValueOnDeletion", "transformable", "codable", "ephemeral", "spotlight",
    "encrypt", "allowsCloudEncryption",
  ]

  private mutating func read(_ argument: SwiftArgument, into attribute: inout Attribute, place: String) {
    guard argument.label == nil else {
      switch argument.label {
      case "originalName": attribute.renamingIdentifier = text(argument.value)
      case "hashModifier": attribute.versionHashModifier = text(argument.value)
      default: refuse(argument, of: "@Attribute", ["originalName", "hashModifier"])
      }
      return
    }
    switch argument.value.optionName {
    case "unique": attribute.isUnique = true
    case "externalStorage": attribute.allowsExternalBinaryDataStorage = true
    case "preserveValueOnDeletion": attribute.preservesValueInHistoryOnDeletion = true
    case "ephemeral": attribute.isTransient = true
    case "codable": break
    case "transformable": attribute.valueTransformerName = transformer(argument.value)
    case "spotlight", "encrypt", "allowsCloudEncryption":
      note("\(place): .\(argument.value.optionName ?? "") is left out", at: argument.value.range)
    case let name: refuse(option: name, argument.value, of: "@Attribute", Self.attributeOptions)
    }
  }

  /// The name in `.transformable(by: "ColourTransformer")`, or of the class in `.transformable(by: Colours.self)`.
  private mutating func transformer(_ option: SwiftSyntax) -> String? {
    guard case .call(_, _, let arguments) = option.kind, let argument = arguments.first?.value else { return nil }
    if case .member(let base?, "self") = argument.kind { return source(base.range) }
    return text(argument)
  }

  private mutating func readDefault(
    _ value: SwiftSyntax, into attribute: inout Attribute, place: String
  ) {
    if case .literal(.null) = value.kind { return }
    guard let found = constant(value, of: attribute) else {
      note(
        "\(place): the default \(source(value.range)) is computed for each object, and is left out", at: value.range)
      return
    }
    do {
      attribute.defaultValue = try attribute.coerce(found)
    } catch {
      issues.report(.wrongDefault(source(value.range), expected: attribute.type.rawValue), at: value.range)
    }
  }

  /// The value of a default that is the same for every object.
  private func constant(_ value: SwiftSyntax, of attribute: Attribute) -> Value? {
    if let enumeration = SwiftEnumeration(of: attribute) {
      guard case .member(_, let name) = value.unwrapped.kind else { return nil }
      return enumeration.value(ofCase: name, property: attribute.name)
    }
    switch value.unwrapped.kind {
    // `Status.open.rawValue`, `Status.open` of an attribute of texts or numbers
    case .member(let base?, "rawValue"): return rawValue(base)
    case .member(_, "now"): return nil
    case .call(let callee, _, let arguments):
      // The present, and what counts from it.
      if case .name("Date") = callee.kind, arguments.isEmpty { return nil }
      if arguments.first?.label == "timeIntervalSinceNow" { return nil }
      if arguments.isEmpty, attribute.type == .data { return .data([]) }
      if arguments.isEmpty, attribute.type == .transformable { return emptyCollection(attribute) }
      if arguments.isEmpty, attribute.type == .string { return .string("") }
    case .dictionary where source(value.range).filter({ $0 != " " }) == "[:]": return .json(.object([:]))
    case .array where attribute.type == .transformable:
      return constants.value(of: value).flatMap { JSON($0) }.map(Value.json)
    default: break
    }
    return constants.value(of: value)
  }

  /// The raw value of a case, `Status.open`.
  private func rawValue(_ value: SwiftSyntax) -> Value? {
    guard case .member(let base?, let name) = value.kind, let type = inferredType(of: base),
      let declared = types[type.name], declared.keyword == "enum",
      let enumeration = SwiftEnumeration(declared, bytes, constants), enumeration.rawType != nil
    else { return nil }
    return enumeration.cases.first { $0.name == name }?.value
  }

  /// The value of `[String]()` and its like.
  private func emptyCollection(_ attribute: Attribute) -> Value? {
    guard let written = attribute.valueClassName else { return nil }
    if written.hasPrefix("["), !written.contains(":") || written.hasSuffix("]]") { return .json(.array([])) }
    return written.hasPrefix("[") ? .json(.object([:])) : written.hasPrefix("Set<") ? .json(.array([])) : nil
  }

  // MARK: Relationships

  private static let rules: [String: DeleteRule] = [
    "noAction": .noAction, "nullify": .nullify, "cascade": .cascade, "deny": .deny,
  ]

  private mutating func relationship(
    _ plain: Relationship, _ declaration: SwiftDeclaration, _ options: PropertyOptions, place: String
  ) -> Property {
    var relationship = plain
    for wrapper in options.relationships + options.attributes {
      let name = "@" + (wrapper.wrapperName ?? "")
      for argument in wrapper.wrapperArguments { read(argument, of: name, into: &relationship, place: place) }
    }
    switch declaration.value?.kind {
    case nil, .literal(.null): break
    case .array(let elements) where elements.isEmpty: break
    // `[Part]()`
    case .call(_, _, let arguments) where arguments.isEmpty && relationship.isToMany: break
    default:
      let range = declaration.value?.range ?? 0..<0
      note("\(place): the default \(source(range)) is left out", at: range)
    }
    return .relationship(relationship)
  }

  private mutating func read(
    _ argument: SwiftArgument, of name: String, into relationship: inout Relationship, place: String
  ) {
    let value = argument.value
    switch argument.label {
    case nil where value.optionName == "unique":
      note("\(place): .unique is left out; objects are no values that could be compared", at: value.range)
    case nil: refuse(option: value.optionName, value, of: name, ["unique"])
    case "deleteRule":
      guard let rule = value.optionName.flatMap({ Self.rules[$0] }) else {
        refuse(option: value.optionName, value, of: "deleteRule", Array(Self.rules.keys))
        return
      }
      relationship.deleteRule = rule
    case "minimumModelCount": relationship.minimumCount = count(value, isToMany: relationship.isToMany, place: place)
    case "maximumModelCount": relationship.maximumCount = count(value, isToMany: relationship.isToMany, place: place)
    case "originalName": relationship.renamingIdentifier = text(value)
    case "hashModifier": relationship.versionHashModifier = text(value)
    case "inverse": relationship.inverse = inverse(value, of: relationship)
    default:
      refuse(
        argument, of: name,
        ["deleteRule", "minimumModelCount", "maximumModelCount", "originalName", "inverse", "hashModifier"])
    }
  }

  private mutating func count(_ value: SwiftSyntax, isToMany: Bool, place: String) -> Int? {
    guard let found = constants.value(of: value) else {
      issues.report(.notAConstant(source(value.range)), at: value.range)
      return nil
    }
    guard case .int(let number) = found, let count = Int(exactly: number) else {
      if found.isNull { return nil }
      issues.report(.unexpected(found: source(value.range), expected: "an integer"), at: value.range)
      return nil
    }
    // A to-one has at most one object anyway.
    if !isToMany, count > 1 { note("\(place): a to-one leads to one object, not \(count)", at: value.range) }
    return isToMany ? count : nil
  }

  /// The name in `\Report.quake`, whose class must be the one that the relationship leads to, or one above it.
  private mutating func inverse(_ value: SwiftSyntax, of relationship: Relationship) -> String? {
    if case .literal(.null) = value.kind { return nil }
    guard case .keyPath(let root, let components) = value.kind, let name = components.last else {
      issues.report(
        .unexpected(found: source(value.range), expected: "a key path such as \\Report.quake"), at: value.range)
      return nil
    }
    // `\SchemaV1.Report.quake`
    let owner = components.count > 1 ? components[components.count - 2] : root?.name
    if let owner, !isKind(relationship.destination, of: owner) {
      issues.report(.wrongEntity(owner, expected: relationship.destination), at: value.range)
      return nil
    }
    return name
  }

  /// Whether a class is another or inherits from it.
  private func isKind(_ name: String, of other: String) -> Bool {
    var candidate: String? = name
    var steps = 0
    while let current = candidate, steps <= Nesting.inheritance {
      if current == other { return true }
      candidate = types[current]?.inherited.lazy.map(\.name).first { types[$0]?.isModel == true }
      steps += 1
    }
    return false
  }

  // MARK: Indexes

  /// Reads `#Unique<Quake>([\.code], [\.place, \.time])` and `#Index` of the same form.
  mutating func read(
    macro name: String, of generics: [String], _ arguments: [SwiftArgument], into entity: inout EntityDescription,
    at range: Range<Int>
  ) {
    guard name == "Unique" || name == "Index" else {
      note("\(entity.name): #\(name) is left out", at: range)
      return
    }
    if let owner = generics.first, owner != entity.name {
      issues.report(.wrongEntity(owner, expected: entity.name), at: range)
    }
    for argument in arguments {
      var isTree = false
      var list = argument.value
      // `.binary(\.time)`, `.rtree(\.latitude, \.longitude)`, also in a list.
      if case .array(let elements) = list.kind, elements.count == 1, case .call = elements[0].kind {
        list = elements[0]
      }
      let elements: [SwiftSyntax]
      switch list.kind {
      case .array(let own): elements = own
      case .call(let callee, _, let own) where ["binary", "rtree"].contains(callee.optionName):
        isTree = callee.optionName == "rtree"
        // The paths of an R-tree may stand in a list of their own.
        if case .array(let inner)? = own.first?.value.kind { elements = inner } else { elements = own.map(\.value) }
      default:
        issues.report(
          .unexpected(found: source(list.range), expected: "a list of key paths such as [\\.time]"), at: list.range)
        continue
      }
      let paths = elements.compactMap { path($0, of: entity) }
      guard paths.count == elements.count, !paths.isEmpty else { continue }
      add(paths, isUnique: name == "Unique", isTree: isTree, to: &entity)
    }
  }

  private func add(_ paths: [String], isUnique: Bool, isTree: Bool, to entity: inout EntityDescription) {
    if isUnique {
      entity.uniquenessConstraints.append(paths)
    } else if paths.count == 1, !isTree,
      let position = entity.properties.firstIndex(where: { $0.name == paths[0] }),
      case .attribute(var attribute) = entity.properties[position]
    {
      attribute.isIndexed = true
      entity.properties[position] = .attribute(attribute)
    } else {
      var index = FetchIndex(paths)
      for position in index.elements.indices { index.elements[position].isRTree = isTree }
      entity.indexes.append(index)
    }
  }

  /// The dotted path of `\.place.city`.
  private mutating func path(_ value: SwiftSyntax, of entity: EntityDescription) -> String? {
    guard case .keyPath(let root, let components) = value.kind, let first = components.first else {
      issues.report(.unexpected(found: source(value.range), expected: "a key path such as \\.time"), at: value.range)
      return nil
    }
    if let root, root.name != entity.name, !isKind(entity.name, of: root.name) {
      issues.report(.wrongEntity(root.name, expected: entity.name), at: value.range)
      return nil
    }
    let names = entity.properties.map(\.name)
    if !names.contains(first), entity.parent == nil {
      issues.report(
        .unknownProperty(first, entity: entity.name, nearest: nearestName(to: first, in: names)), at: value.range)
      return nil
    }
    return components.joined(separator: ".")
  }

  // MARK: Arguments

  private mutating func text(_ value: SwiftSyntax) -> String? {
    if case .string(let text)? = constants.value(of: value) { return text }
    if case .literal(.null) = value.kind { return nil }
    issues.report(.unexpected(found: source(value.range), expected: "a string"), at: value.range)
    return nil
  }

  private mutating func refuse(option name: String?, _ value: SwiftSyntax, of owner: String, _ known: [String]) {
    guard let name else {
      issues.report(
        .unexpected(found: source(value.range), expected: "an option such as .\(known[0])"), at: value.range)
      return
    }
    issues.report(
      .unknownArgument(".\(name)", of: owner, nearest: nearestName(to: name, in: known).map { ".\($0)" }),
      at: value.range)
  }

  private mutating func refuse(_ argument: SwiftArgument, of owner: String, _ known: [String]) {
    let label = argument.label ?? ""
    issues.report(
      .unknownArgument("\(label):", of: owner, nearest: nearestName(to: label, in: known).map { "\($0):" }),
      at: argument.value.range)
  }
}

/// What stands before a property: `@Attribute(.unique)`, `@Transient`.
private struct PropertyOptions {
  var attributes: [SwiftSyntax] = []
  var relationships: [SwiftSyntax] = []
  var others: [SwiftSyntax] = []
  var isTransient = false

  init(_ written: [SwiftSyntax]) {
    for attribute in written {
      switch attribute.wrapperName {
      case "Attribute": attributes.append(attribute)
      case "Relationship": relationships.append(attribute)
      case "Transient": isTransient = true
      case let name? where SwiftDataModelReader.meaninglessAttributes.contains(name): break
      default: others.append(attribute)
      }
    }
  }

  /// Whether its values are encoded as a whole, regardless of their type.
  var isEncoded: Bool {
    attributes.contains { attribute in
      attribute.wrapperArguments.contains { ["transformable", "codable"].contains($0.value.optionName) }
    }
  }
}

extension SwiftSyntax {
  /// The name of an option: `unique` of `.unique` and of `Schema.Attribute.Option.unique`, `transformable` of a call.
  fileprivate var optionName: String? {
    switch kind {
    case .member(_, let name): name
    case .call(let callee, _, _): callee.optionName
    default: nil
    }
  }
}
