internal import Modeling

/// Lays a model out as Xcode does: four spaces a level, and attributes in its order.
struct ModelDocumentWriter {
  private(set) var text = #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"# + "\n"
  private var depth = 0
  private let model: Model

  init(_ form: AppleForm, of model: Model) {
    self.model = model
    func cloudKit(_ name: String) -> String? { model.cloudKitConfigurations.contains(name) ? "YES" : nil }
    element(
      "model",
      [
        ("type", "com.apple.IDECoreDataModeler.DataModel"), ("documentVersion", "1.0"),
        ("lastSavedToolsVersion", "22758"), ("systemVersion", "23E224"), ("minimumToolsVersion", "Automatic"),
        ("sourceLanguage", "Swift"), ("usedWithCloudKit", cloudKit(Model.defaultConfiguration)),
        ("userDefinedModelVersionIdentifier", model.version?.text ?? ""),
      ]
    ) { writer in
      for entity in form.entities.sorted(by: { $0.name < $1.name }) { writer.write(entity) }
      for (name, elements) in form.composites.sorted(by: { $0.key < $1.key }) {
        writer.element("composite", [("name", name)]) { writer in
          for element in elements { writer.write(element) }
        }
      }
      for (name, template) in form.templates.sorted(by: { $0.key < $1.key }) {
        writer.write(template, named: name)
      }
      for (name, members) in model.configurations.sorted(by: { $0.key < $1.key }) {
        writer.element("configuration", [("name", name), ("usedWithCloudKit", cloudKit(name))]) { writer in
          for member in members { writer.element("memberEntity", [("name", member)]) }
        }
      }
    }
    // As Xcode ends it.
    text.removeLast()
  }

  /// Writes an element; an attribute without a value is left out.
  mutating func element(
    _ name: String, _ attributes: [(String, String?)], _ body: ((inout ModelDocumentWriter) -> Void)? = nil
  ) {
    let margin = String(repeating: " ", count: depth * 4)
    text += margin + "<" + name
    for case (let key, let value?) in attributes { text += " \(key)=\"\(Self.escaped(value))\"" }
    guard let body else {
      text += "/>\n"
      return
    }
    text += ">"
    let mark = text.utf8.count
    text += "\n"
    depth += 1
    body(&self)
    depth -= 1
    if text.utf8.count == mark + 1 {
      text.removeLast(2)
      text += "/>\n"
    } else {
      text += "\(margin)</\(name)>\n"
    }
  }

  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case _ where !scalar.isMarkup: break
      case _ where scalar.value < 0x20: result += "&#\(scalar.value);"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private mutating func write(_ entity: EntityDescription) {
    let attributes: [(String, String?)] = [
      ("name", entity.name), ("representedClassName", entity.className ?? entity.name),
      ("parentEntity", entity.parent), ("isAbstract", entity.isAbstract ? "YES" : nil),
      ("versionHashModifier", entity.versionHashModifier), ("elementID", entity.renamingIdentifier),
      ("syncable", "YES"),
    ]
    element("entity", attributes) { writer in
      let properties = entity.properties.sorted { $0.name < $1.name }
      for case .attribute(let attribute) in properties { writer.write(attribute) }
      for case .relationship(let relationship) in properties { writer.write(relationship) }
      for fetched in entity.fetchedProperties.sorted(by: { $0.name < $1.name }) {
        writer.element("fetchedProperty", [("name", fetched.name), ("optional", "YES")]) { writer in
          writer.write(fetched.fetchRequest, named: "fetchedPropertyFetchRequest")
          writer.write(userInfo: fetched.userInfo)
        }
      }
      writer.write(indexes: entity.indexes, of: entity)
      writer.write(constraintsOf: entity)
      writer.write(userInfo: entity.userInfo)
    }
  }

  private mutating func write(_ relationship: Relationship) {
    let rules: [DeleteRule: String] = [
      .noAction: "No Action", .nullify: "Nullify", .cascade: "Cascade", .deny: "Deny",
    ]
    let maximum = relationship.isToMany ? relationship.maximumCount.map { "\($0)" } : "1"
    let attributes: [(String, String?)] = [
      ("name", relationship.name), ("optional", relationship.isOptional ? "YES" : nil),
      ("transient", relationship.isTransient ? "YES" : nil),
      ("toMany", relationship.isToMany ? "YES" : nil), ("minCount", relationship.minimumCount.map { "\($0)" }),
      ("maxCount", maximum), ("deletionRule", rules[relationship.deleteRule]),
      ("ordered", relationship.isOrdered ? "YES" : nil), ("destinationEntity", relationship.destination),
      ("inverseName", relationship.inverse),
      ("inverseEntity", relationship.inverse.map { _ in relationship.destination }),
      ("versionHashModifier", relationship.versionHashModifier), ("elementID", relationship.renamingIdentifier),
    ]
    element(
      "relationship", attributes, relationship.userInfo.isEmpty ? nil : { $0.write(userInfo: relationship.userInfo) })
  }

  private mutating func write(_ template: FetchRequestTemplate, named name: String) {
    let types: [FetchResultType: String] = [.objectIDs: "1", .dictionaries: "2", .count: "4"]
    element(
      "fetchRequest",
      [
        ("name", name), ("entity", template.entity), ("predicateString", template.predicate),
        ("resultType", types[template.resultType]), ("fetchLimit", template.fetchLimit.map { "\($0)" }),
        ("fetchBatchSize", template.fetchBatchSize == 0 ? nil : "\(template.fetchBatchSize)"),
        ("includeSubentities", template.includesSubentities ? nil : "NO"),
        ("includePropertyValues", template.includesPropertyValues ? nil : "NO"),
        ("returnObjectsAsFaults", template.returnsObjectsAsFaults ? nil : "NO"),
        ("returnDistinctResults", template.returnsDistinctResults ? "YES" : nil),
      ])
  }

  mutating func write(userInfo: [String: String]) {
    guard !userInfo.isEmpty else { return }
    element("userInfo", []) { writer in
      for (key, value) in userInfo.sorted(by: { $0.key < $1.key }) {
        writer.element("entry", [("key", key), ("value", value)])
      }
    }
  }

  /// Whether a part of an index of the entity is a property, not an expression.
  func isProperty(_ text: String, of entity: EntityDescription) -> Bool {
    model.entity(named: entity.name)?.hasColumn(text) == true
  }
}

extension Unicode.Scalar {
  /// Whether XML can have the character at all, even as a number.
  var isMarkup: Bool {
    switch value {
    case 0x09, 0x0A, 0x0D: true
    case ..<0x20, 0xFFFE, 0xFFFF: false
    default: true
    }
  }
}

extension String {
  /// Whether XML can have all of its characters.
  var isMarkup: Bool { unicodeScalars.allSatisfy(\.isMarkup) }
}
