internal import Modeling

internal import struct Foundation.Decimal

extension ModelDocumentReader {
  static let typesByName: [String: AttributeType] = [
    "Undefined": .any, "Integer 16": .integer16, "Integer 32": .integer32, "Integer 64": .integer64,
    "Decimal": .decimal, "Double": .double, "Float": .float, "String": .string, "Boolean": .boolean, "Date": .date,
    "Binary": .data, "UUID": .uuid, "URI": .url, "Transformable": .transformable, "Composite": .composite,
  ]

  mutating func attribute(_ element: MarkupElement, place: String, depth: Int) -> Attribute {
    if depth > 0 { room -= 1 }
    let typeName = element["attributeType"] ?? "Undefined"
    let known = Self.typesByName[typeName]
    if known == nil { assembly.note("\(place) has a type of another kind, \(typeName)") }
    var attribute = Attribute(element["name"] ?? "", known ?? .any)
    attribute.namesUndefinedType = element["attributeType"] == "Undefined"
    attribute.isOptional = element.flag("optional")
    attribute.isTransient = element.flag("transient")
    attribute.isIndexed = element.flag("indexed")
    attribute.allowsExternalBinaryDataStorage = element.flag("allowsExternalBinaryDataStorage")
    attribute.preservesValueInHistoryOnDeletion = element.flag("preserveAfterDeletion")
    attribute.versionHashModifier = element["versionHashModifier"]
    attribute.renamingIdentifier = element["elementID"]
    attribute.userInfo = Self.userInfo(element)
    if attribute.type == .transformable {
      attribute.valueTransformerName = element["valueTransformerName"]
    }
    // A composite is named by it in some documents.
    if attribute.type != .composite { attribute.valueClassName = element["customClassName"] }
    for flag in ["spotlightIndexingEnabled", "allowsCloudEncryption", "storedInTruthFile"] where element.flag(flag) {
      assembly.note("\(place): \(flag) is left out")
    }
    if attribute.type == .composite { readElements(element, into: &attribute, place: place, depth: depth) }
    readDefault(element, into: &attribute, place: place)
    readBounds(element, into: &attribute, place: place)
    readDerivation(element, into: &attribute, place: place)
    return attribute
  }

  private mutating func readElements(
    _ element: MarkupElement, into attribute: inout Attribute, place: String, depth: Int
  ) {
    let name = ["elementName", "compositeName", "compositeAttributeName", "customClassName"].lazy
      .compactMap { element[$0] }.first { composites[$0] != nil }
    guard let name, let composite = composites[name], depth < 8, room > 0 else {
      assembly.note("\(place): its elements are not told")
      return
    }
    attribute.compositeName = name
    for part in composite.children(named: "attribute") where room > 0 {
      let inner = self.attribute(part, place: "\(place).\(part["name"] ?? "")", depth: depth + 1)
      attribute.elements.append(inner)
    }
  }

  private mutating func readDefault(_ element: MarkupElement, into attribute: inout Attribute, place: String) {
    let text = element[attribute.type == .date ? "defaultDateTimeInterval" : "defaultValueString"]
    guard let text else { return }
    guard let value = attribute.type.value(of: text) else {
      assembly.note("\(place): the default \(text) is not of type \(attribute.type.rawValue)")
      return
    }
    attribute.defaultValue = value
  }

  private mutating func readBounds(_ element: MarkupElement, into attribute: inout Attribute, place: String) {
    attribute.regularExpression = element["regularExpressionString"]
    let isDate = attribute.type == .date
    for name in isDate ? ["minDateTimeInterval", "maxDateTimeInterval"] : ["minValueString", "maxValueString"] {
      guard let text = element[name] else { continue }
      let isMinimum = name.hasPrefix("min")
      // Of a text they are lengths.
      if attribute.type.isTextual, let length = Int(text) {
        if isMinimum { attribute.minimumLength = length } else { attribute.maximumLength = length }
      } else if attribute.type.isNumeric || isDate, let bound = attribute.type.value(of: text) {
        if isMinimum { attribute.minimum = bound } else { attribute.maximum = bound }
      } else {
        assembly.note("\(place): the bound \(text) is not of type \(attribute.type.rawValue)")
      }
    }
  }

  private mutating func readDerivation(_ element: MarkupElement, into attribute: inout Attribute, place: String) {
    guard let text = element["derivationExpression"], element.flag("derived", default: true), !text.isEmpty else {
      return
    }
    do {
      attribute.derivation = try CanonicalFormat.expression(text)
    } catch {
      assembly.note("\(place): what it is derived from is left out: \(text)")
    }
  }
}

extension AttributeType {
  /// The value of a text in a document; nil if it is not of the type.
  func value(of text: String) -> Value? {
    switch self {
    case .integer16, .integer32, .integer64:
      Int64(text).map(Value.int) ?? Double(text).map(Value.double) ?? Self.flag(text).map { .int($0 ? 1 : 0) }
    case .double, .float: Double(text).map(Value.double)
    case .decimal: Decimal(exactly: text).map(Value.decimal) ?? Double(text).map(Value.double)
    case .boolean: Self.flag(text).map(Value.bool)
    // Seconds since 2001.
    case .date: Double(text).map { .date(Timestamp($0 + ArchivedObject.referenceDate)) }
    case .url: .url(text)
    case .string, .uuid: .string(text)
    // A document writes no others.
    case .data, .transformable, .composite, .any: nil
    }
  }

  /// The truth value of a word, or of a number as `NSString.boolValue` reads it: by its first digit that is not 0.
  private static func flag(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "yes", "true", "y", "t": return true
    case "no", "false", "n", "f": return false
    default:
      guard Double(text) != nil else { return nil }
      let digits = text.drop { $0 == "+" || $0 == "-" }.drop { $0 == "0" }
      return digits.first.map { ("1"..."9").contains($0) } ?? false
    }
  }
}
