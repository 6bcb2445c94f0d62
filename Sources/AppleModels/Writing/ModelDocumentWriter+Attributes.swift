internal import Modeling

extension ModelDocumentWriter {
  mutating func write(_ attribute: Attribute) {
    let type = attribute.type
    let isDate = type == .date
    let isDerived = attribute.derivation != nil
    let attributes: [(String, String?)] = [
      ("name", attribute.name), ("optional", attribute.isOptional ? "YES" : nil),
      ("transient", attribute.isTransient ? "YES" : nil), ("attributeType", Self.typeName(attribute)),
      ("elementName", attribute.compositeName), ("valueTransformerName", attribute.valueTransformerName),
      ("customClassName", attribute.valueClassName), lower(attribute), upper(attribute),
      (isDate ? "defaultDateTimeInterval" : "defaultValueString", type.text(of: attribute.defaultValue)),
      ("regularExpressionString", attribute.regularExpression), ("derived", isDerived ? "YES" : nil),
      ("derivationExpression", attribute.derivation), ("usesScalarValueType", Self.scalar(type)),
      ("allowsExternalBinaryDataStorage", attribute.allowsExternalBinaryDataStorage ? "YES" : nil),
      ("preserveAfterDeletion", attribute.preservesValueInHistoryOnDeletion ? "YES" : nil),
      ("versionHashModifier", attribute.versionHashModifier), ("elementID", attribute.renamingIdentifier),
      ("indexed", attribute.isIndexed ? "YES" : nil),
    ]
    element("attribute", attributes, attribute.userInfo.isEmpty ? nil : { $0.write(userInfo: attribute.userInfo) })
  }

  private func lower(_ attribute: Attribute) -> (String, String?) {
    let length = attribute.minimumLength.map { "\($0)" }
    let isDate = attribute.type == .date
    return (isDate ? "minDateTimeInterval" : "minValueString", length ?? attribute.type.text(of: attribute.minimum))
  }

  private func upper(_ attribute: Attribute) -> (String, String?) {
    let length = attribute.maximumLength.map { "\($0)" }
    let isDate = attribute.type == .date
    return (isDate ? "maxDateTimeInterval" : "maxValueString", length ?? attribute.type.text(of: attribute.maximum))
  }

  /// The name of its type; nil for an attribute without a type, which the document omits.
  private static func typeName(_ attribute: Attribute) -> String? {
    if attribute.type == .any, !attribute.namesUndefinedType { return nil }
    return ModelDocumentReader.typesByName.first { $0.value == attribute.type }?.key
  }

  /// Whether the class's property is a number itself, as Xcode chooses it.
  private static func scalar(_ type: AttributeType) -> String? {
    switch type {
    case .integer16, .integer32, .integer64, .double, .float, .boolean: "YES"
    case .date, .uuid: "NO"
    default: nil
    }
  }

  mutating func write(indexes: [FetchIndex], of entity: EntityDescription) {
    for index in indexes {
      guard let name = index.name else { continue }
      element("fetchIndex", [("name", name), ("partialIndexPredicate", index.predicate)]) { writer in
        for part in index.elements {
          let isProperty = writer.isProperty(part.expression, of: entity)
          writer.element(
            "fetchIndexElement",
            [
              (isProperty ? "property" : "expression", part.expression),
              ("expressionType", isProperty ? nil : "String"), ("type", part.isRTree ? "RTree" : "Binary"),
              ("order", part.isAscending ? "ascending" : "descending"),
            ])
        }
      }
    }
    // Lists of names are indexes of the older kind, which have no names either.
    let lists = indexes.filter { $0.name == nil && !$0.elements.isEmpty }
    guard !lists.isEmpty else { return }
    element("compoundIndexes", []) { writer in
      for list in lists {
        writer.element("compoundIndex", []) { writer in
          for name in list.properties { writer.element("index", [("value", name)]) }
        }
      }
    }
  }

  mutating func write(constraintsOf entity: EntityDescription) {
    let single = entity.properties.compactMap { $0.attribute?.isUnique == true ? [$0.name] : nil }.sorted {
      $0[0] < $1[0]
    }
    let all = single + entity.uniquenessConstraints
    guard !all.isEmpty else { return }
    element("uniquenessConstraints", []) { writer in
      for names in all {
        writer.element("uniquenessConstraint", []) { writer in
          for name in names { writer.element("constraint", [("value", name)]) }
        }
      }
    }
  }
}
