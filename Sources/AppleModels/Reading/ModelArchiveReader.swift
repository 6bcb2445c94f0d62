internal import Modeling

/// Reads an archived NSManagedObjectModel: a compiled model, or the copy that a store keeps.
struct ModelArchiveReader {
  var assembly = ModelAssembly()
  private var propertyCount = 0
  /// The number of composites' elements that were read, which can be parts of one another many times.
  var elementCount = 0

  /// The model that the bytes of a binary property list archive.
  static func model(_ bytes: [UInt8]) throws(AppleModelError) -> AppleModel {
    let list: BinaryPropertyList
    do { list = try BinaryPropertyList(bytes) } catch { throw AppleModelError(.damaged("\(error)")) }
    guard let archive = KeyedArchive(list), let root = archive.root,
      case .object(let model) = archive.content(at: root),
      model.isKind(of: "NSManagedObjectModel")
    else { throw AppleModelError(.notAModel(expected: "an archived model", found: "another property list")) }
    var reader = ModelArchiveReader()
    reader.assembly.flagsIndexedAttributes = true
    try reader.read(model)
    guard !archive.effort.isExhausted else { throw AppleModelError(.damaged("its parts repeat without end")) }
    return try reader.assembly.model()
  }

  private mutating func read(_ model: ArchivedObject) throws(AppleModelError) {
    for (_, content) in model.object("NSEntities")?.entries ?? [] {
      guard case .object(let entity) = content else { continue }
      assembly.entities.append(try self.entity(entity))
      guard assembly.entities.count <= ModelAssembly.entityLimit else {
        throw AppleModelError(.damaged("it has too many entities"))
      }
    }
    for (key, content) in model.object("NSFetchRequestTemplates")?.entries ?? [] {
      guard let name = ArchivedObject.text(key), case .object(let request) = content else { continue }
      assembly.templates[name] = template(request, entity: nil, place: "The fetch request \(name)")
    }
    for (key, content) in model.object("NSConfigurations")?.entries ?? [] {
      guard let name = ArchivedObject.text(key), case .object(let members) = content else { continue }
      assembly.configurations[name] = members.members.compactMap { member in
        if case .object(let entity) = member { entity.text("NSEntityName") } else { nil }
      }
    }
    let versions = model.elements("NSVersionIdentifiers").compactMap(ArchivedObject.text).filter { !$0.isEmpty }
    if !versions.isEmpty { assembly.version = versions.sorted().joined(separator: ", ") }
  }

  private mutating func entity(_ object: ArchivedObject) throws(AppleModelError) -> EntityDescription {
    var entity = EntityDescription(object.text("NSEntityName") ?? "")
    entity.parent = object.object("NSSuperentity")?.text("NSEntityName")
    entity.isAbstract = object.flag("NSIsAbstract")
    entity.className = object.text("NSClassNameForEntity")
    entity.versionHashModifier = object.text("NSVersionHashModifier")
    entity.renamingIdentifier = object.text("NSRenamingIdentifier")
    entity.userInfo = object.object("NSUserInfo")?.texts ?? [:]
    for (_, content) in object.object("NSProperties")?.entries ?? [] {
      guard case .object(let property) = content else { continue }
      propertyCount += 1
      guard propertyCount <= ModelAssembly.propertyLimit else {
        throw AppleModelError(.damaged("it has too many properties"))
      }
      read(property, into: &entity)
    }
    for case .object(let names) in object.elements("NSUniqueTuples") {
      entity.uniquenessConstraints.append(names.members.compactMap(Self.propertyName))
    }
    for case .object(let index) in object.elements("NSFetchIndexDescriptions") {
      entity.indexes.append(fetchIndex(index, place: entity.name))
    }
    // Models of before 2017 have nothing but lists of names.
    let lists = Set(entity.indexes.map(\.properties))
    for case .object(let names) in object.elements("NSCompoundIndexes") {
      let list = names.members.compactMap(Self.propertyName)
      if !lists.contains(list) { entity.indexes.append(FetchIndex(list)) }
    }
    return entity
  }

  private static func propertyName(_ content: ArchivedContent) -> String? {
    if let name = ArchivedObject.text(content) { return name }
    guard case .object(let property) = content else { return nil }
    return property.described.text("NSPropertyName")
  }

  private mutating func read(_ archived: ArchivedObject, into entity: inout EntityDescription) {
    let property = archived.described
    let name = property.text("NSPropertyName") ?? ""
    let place = "\(entity.name).\(name)"
    if property.isKind(of: "NSAttributeDescription") {
      let attribute = attribute(property, place: place, depth: 0)
      entity.properties.append(.attribute(attribute))
    } else if property.isKind(of: "NSRelationshipDescription") {
      entity.properties.append(.relationship(relationship(property)))
    } else if property.isKind(of: "NSFetchedPropertyDescription") {
      guard let request = property.object("NSFetchRequest") else { return }
      let entityName = property.text("_NSFetchRequestEntityName")
      var fetched = FetchedProperty(name, template(request, entity: entityName, place: place))
      fetched.userInfo = property.object("NSUserInfo")?.texts ?? [:]
      entity.fetchedProperties.append(fetched)
    } else {
      assembly.note("\(place) is a \(property.className), which is left out")
    }
  }

  private func relationship(_ object: ArchivedObject) -> Relationship {
    let destination = object.object("NSDestinationEntity")?.text("NSEntityName")
    var relationship = Relationship(
      toOne: object.text("NSPropertyName") ?? "", object.text("_NSDestinationEntityName") ?? destination ?? "")
    let inverse = object.object("NSInverseRelationship")?.text("NSPropertyName")
    relationship.inverse = object.text("_NSInverseRelationshipName") ?? inverse
    // One is a to-one, nothing a to-many without bounds.
    let maximum = object.integer("NSMaxCount") ?? 0
    relationship.isToMany = maximum != 1
    relationship.maximumCount = Int(exactly: maximum)
    relationship.minimumCount = object.integer("NSMinCount").flatMap { Int(exactly: $0) }
    relationship.isOptional = object.flag("NSIsOptional")
    relationship.isOrdered = object.flag("NSIsOrdered")
    relationship.isTransient = object.flag("NSIsTransient")
    let rules: [Int64: DeleteRule] = [0: .noAction, 1: .nullify, 2: .cascade, 3: .deny]
    relationship.deleteRule = rules[object.integer("NSDeleteRule") ?? 0] ?? .nullify
    relationship.versionHashModifier = object.text("NSVersionHashModifier")
    relationship.renamingIdentifier = object.text("NSRenamingIdentifier")
    relationship.userInfo = object.object("NSUserInfo")?.texts ?? [:]
    return relationship
  }
}
