internal import Modeling

/// Reads the XML of a `.xcdatamodel`, as Xcode has written it since version 4.
struct ModelDocumentReader {
  var assembly = ModelAssembly()
  /// The composite types that the document declares.
  var composites: [String: MarkupElement] = [:]
  /// The number of composites' elements that may still be read: they can be parts of one another many times.
  var room = ModelAssembly.elementLimit

  /// The model that the bytes of a document declare.
  static func model(_ bytes: [UInt8]) throws(AppleModelError) -> AppleModel {
    let root = try MarkupReader.document(bytes)
    guard root.name == "model" else {
      throw AppleModelError(.notAModel(expected: "<model>", found: "<\(root.name)>"))
    }
    var reader = ModelDocumentReader()
    reader.read(root)
    guard reader.room > 0 else { throw AppleModelError(.damaged("it has too many elements")) }
    return try reader.assembly.model()
  }

  private mutating func read(_ root: MarkupElement) {
    if let version = root["userDefinedModelVersionIdentifier"], !version.isEmpty { assembly.version = version }
    if root.flag("usedWithCloudKit") { assembly.cloudKitConfigurations.insert(Model.defaultConfiguration) }
    for element in root.children where element.name == "composite" || element.name == "compositeAttribute" {
      if let name = element["name"] { composites[name] = element }
    }
    for element in root.children {
      switch element.name {
      case "entity": assembly.entities.append(entity(element))
      case "fetchRequest":
        let name = element["name"] ?? ""
        assembly.templates[name] = template(element, place: "The fetch request \(name)")
      case "configuration":
        let members = element.children(named: "memberEntity").compactMap { $0["name"] }
        assembly.configurations[element["name"] ?? ""] = members
        if element.flag("usedWithCloudKit") { assembly.cloudKitConfigurations.insert(element["name"] ?? "") }
      // Where the boxes stood in Xcode's picture.
      case "elements", "composite", "compositeAttribute": break
      default: assembly.note("line \(element.line): <\(element.name)> is left out")
      }
    }
  }

  private mutating func entity(_ element: MarkupElement) -> EntityDescription {
    var entity = EntityDescription(element["name"] ?? "", parent: element["parentEntity"])
    entity.isAbstract = element.flag("isAbstract")
    // Without a class the objects are plain managed objects. A point at the beginning stands for the module of the app.
    entity.className = element["representedClassName"] ?? "NSManagedObject"
    entity.versionHashModifier = element["versionHashModifier"]
    entity.renamingIdentifier = element["elementID"]
    for child in element.children { read(child, into: &entity) }
    return entity
  }

  private mutating func read(_ element: MarkupElement, into entity: inout EntityDescription) {
    let place = "\(entity.name).\(element["name"] ?? "")"
    switch element.name {
    case "attribute": entity.properties.append(.attribute(attribute(element, place: place, depth: 0)))
    case "relationship": entity.properties.append(.relationship(relationship(element, place: place)))
    case "fetchedProperty":
      guard let request = element.children(named: "fetchRequest").first else {
        assembly.note("line \(element.line): \(place) fetches nothing")
        return
      }
      var fetched = FetchedProperty(element["name"] ?? "", template(request, place: place))
      fetched.userInfo = Self.userInfo(element)
      entity.fetchedProperties.append(fetched)
    case "fetchIndex": entity.indexes.append(fetchIndex(element, place: entity.name))
    case "compoundIndexes":
      for index in element.children(named: "compoundIndex") {
        entity.indexes.append(FetchIndex(index.children(named: "index").compactMap { $0["value"] }))
      }
    case "uniquenessConstraints":
      for constraint in element.children(named: "uniquenessConstraint") {
        let names = constraint.children(named: "constraint").compactMap { $0["value"] }
        entity.uniquenessConstraints.append(names)
      }
    case "userInfo": entity.userInfo = Self.userInfo(entries: element)
    default: assembly.note("line \(element.line): <\(element.name)> is left out")
    }
  }

  private mutating func relationship(_ element: MarkupElement, place: String) -> Relationship {
    var relationship = Relationship(
      toOne: element["name"] ?? "", element["destinationEntity"] ?? "", inverse: element["inverseName"])
    relationship.maximumCount = element["maxCount"].flatMap { Int($0) }
    relationship.minimumCount = element["minCount"].flatMap { Int($0) }
    relationship.isToMany = element.flag("toMany") || relationship.maximumCount ?? 1 > 1
    // A relationship with a maximum count of 1 is a to-one, even if other fields disagree.
    if relationship.maximumCount == 1 { relationship.isToMany = false }
    relationship.isOptional = element.flag("optional")
    relationship.isOrdered = element.flag("ordered")
    relationship.isTransient = element.flag("transient")
    relationship.versionHashModifier = element["versionHashModifier"]
    relationship.renamingIdentifier = element["elementID"]
    relationship.userInfo = Self.userInfo(element)
    let rules: [String: DeleteRule] = [
      "No Action": .noAction, "Nullify": .nullify, "Cascade": .cascade, "Deny": .deny,
    ]
    if let text = element["deletionRule"] {
      if rules[text] == nil { assembly.note("\(place): there is no delete rule \(text)") }
      relationship.deleteRule = rules[text] ?? .nullify
    }
    return relationship
  }

  static func userInfo(_ element: MarkupElement) -> [String: String] {
    element.children(named: "userInfo").first.map { userInfo(entries: $0) } ?? [:]
  }

  private static func userInfo(entries element: MarkupElement) -> [String: String] {
    var texts: [String: String] = [:]
    for entry in element.children(named: "entry") {
      if let key = entry["key"] { texts[key] = entry["value"] ?? "" }
    }
    return texts
  }
}
