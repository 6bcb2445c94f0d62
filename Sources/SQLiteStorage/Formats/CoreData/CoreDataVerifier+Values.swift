import Modeling
import SQLite

/// Checks of stored values.
extension CoreDataVerifier {
  mutating func checkValues(_ entity: Entity) throws {
    let layout = store.layout(of: entity)
    let (table, family) = (quotedName(layout.table), family(entity))
    for index in (entity.parent?.properties.count ?? 0)..<entity.properties.count {
      let property = entity.properties[index]
      try checkMandatory(property, layout.properties[index], layout, family)
      if let attribute = property.attribute, case .column(let column) = layout.properties[index] {
        try checkType(attribute, layout.columns[column], layout.table, family, attribute.name)
      }
      if let attribute = property.attribute, attribute.derivation?.hasSuffix(".@count") == true {
        try checkCount(attribute, index, entity, layout)
      }
    }
    let inherited = entity.parent?.uniquenessConstraints.count ?? 0
    for names in entity.uniquenessConstraints.dropFirst(inherited) {
      let columns = names.compactMap { name -> String? in
        guard let index = entity.index(of: name), let place = layout.properties[index].ownColumns.first else {
          return nil
        }
        return quotedName(layout.columns[place].name)
      }
      guard columns.count == names.count else { continue }
      let (list, known) = (
        columns.joined(separator: ", "), columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
      )
      try report(
        .unique, layout.table, subject: names.joined(separator: ", "),
        """
        SELECT max(Z_PK), 1, count(*) FROM \(table) WHERE Z_ENT IN \(family) AND \(known)
        GROUP BY \(list) HAVING count(*) > 1
        """)
    }
  }

  private mutating func checkMandatory(
    _ property: Property, _ place: PropertyLayout, _ layout: EntityLayout, _ family: String
  ) throws {
    let isOptional = property.attribute?.isOptional ?? property.relationship?.isOptional ?? true
    guard !isOptional, !property.isTransient else { return }
    for column in place.ownColumns {
      if case .elements = layout.columns[column].encoding { continue }
      let name = quotedName(layout.columns[column].name)
      try report(
        .mandatory, layout.table, subject: property.name,
        """
        SELECT Z_PK, 'a value', NULL FROM \(quotedName(layout.table)) WHERE Z_ENT IN \(family) AND \(name) IS NULL
        """)
    }
  }

  private mutating func checkCount(
    _ attribute: Attribute, _ index: Int, _ entity: Entity, _ layout: EntityLayout
  ) throws {
    guard let derivation = attribute.derivation, case .column(let column) = layout.properties[index],
      let counted = entity.index(of: String(derivation.dropLast(".@count".count)))
    else { return }
    let members: String
    switch layout.properties[counted] {
    case .inverse(let back, _):
      let other = store.layout(of: entity.destination(at: counted))
      guard let place = other.properties[back].ownColumns.first else { return }
      members = "\(quotedName(other.table)) AS m WHERE m.\(quotedName(other.columns[place].name)) = o.Z_PK"
    case .join(let join):
      members = "\(quotedName(join.table)) AS m WHERE m.\(quotedName(join.ownerColumns[0])) = o.Z_PK"
    case .column, .reference, .none: return
    }
    let name = quotedName(layout.columns[column].name)
    try report(
      .count, layout.table, subject: attribute.name,
      """
      SELECT key, right, now FROM (SELECT o.Z_PK AS key, (SELECT count(*) FROM \(members)) AS right, o.\(name) AS now
        FROM \(quotedName(layout.table)) AS o WHERE o.Z_ENT IN \(family(entity))) WHERE right IS NOT coalesce(now, 0)
      """)
  }

  /// A stored value must be a value of the attribute; otherwise it would be read as something else.
  private mutating func checkType(
    _ attribute: Attribute, _ column: ColumnLayout, _ table: String, _ family: String, _ subject: String
  ) throws {
    if case .elements(let elements) = column.encoding {
      for (element, kept) in zip(attribute.elements, elements) {
        try checkType(element, kept.column, table, family, "\(subject).\(element.name)")
      }
      return
    }
    let name = quotedName(column.name)
    guard let condition = attribute.type.storedForm(name) else { return }
    try report(
      .type, table, subject: subject,
      """
      SELECT Z_PK, '\(attribute.type.rawValue)', CASE typeof(\(name)) WHEN 'blob' THEN length(\(name)) || ' bytes'
        WHEN 'text' THEN substr(\(name), 1, 40) ELSE \(name) END
      FROM \(quotedName(table)) WHERE Z_ENT IN \(family) AND \(name) IS NOT NULL AND NOT (\(condition))
      """)
  }
}

extension AttributeType {
  /// The condition that a column holds a value of the type; nil if any value is allowed.
  fileprivate func storedForm(_ name: String) -> String? {
    let integer = "typeof(\(name)) = 'integer'"
    switch self {
    case .integer16: return "\(integer) AND \(name) BETWEEN \(Int16.min) AND \(Int16.max)"
    case .integer32: return "\(integer) AND \(name) BETWEEN \(Int32.min) AND \(Int32.max)"
    case .integer64: return integer
    case .boolean: return "\(integer) AND \(name) IN (0, 1)"
    case .double, .float, .decimal, .date: return "typeof(\(name)) IN ('integer', 'real')"
    case .string, .url: return "typeof(\(name)) = 'text'"
    case .uuid: return "typeof(\(name)) = 'blob' AND length(\(name)) = 16"
    case .data, .transformable: return "typeof(\(name)) = 'blob'"
    case .composite, .any: return nil
    }
  }
}
