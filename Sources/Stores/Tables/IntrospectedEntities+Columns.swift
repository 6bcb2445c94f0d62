import Layouts
import Modeling

extension IntrospectedEntities {
  /// Gives an entity its key and an attribute for each column, as `describe` says.
  mutating func addColumns(
    to index: Int, _ describe: (ForeignTable, ForeignColumn) -> (attribute: Attribute, column: ColumnLayout)
  ) {
    let table = all[index].table
    var names: Set<String> = []
    for (position, column) in table.columns.enumerated() {
      var (attribute, layout) = describe(table, column)
      attribute.name = Naming.unique(column.name.isEmpty ? "column" : column.name, among: names)
      names.insert(attribute.name)
      if !layout.isWritable { attribute.isReadOnly = true }
      all[index].columns.append(layout)
      all[index].add(PropertyDraft(property: .attribute(attribute), place: .column(position)))
    }
    if let name = table.rowIDName, table.kind == .table {
      all[index].key = .rowID(name)
    } else if !table.primaryKey.isEmpty {
      all[index].key = .columns(table.primaryKey)
    } else {
      all[index].key = .columns(table.columns.map(\.name))
    }
    all[index].isReadOnly = table.kind != .table || table.primaryKey.isEmpty
    if table.kind == .table, table.primaryKey.isEmpty {
      notes.append("The table \(table.name) has no key that could be used: it is read-only.")
    }
  }

  /// Makes the model's uniqueness constraints and indexes from those of the table, if they are over properties.
  mutating func addUniqueness(to index: Int) {
    let draft = all[index]
    for declared in draft.table.indexes where !declared.isPartial {
      guard let columns = declared.columns else { continue }
      let names = columns.compactMap(draft.propertyName)
      guard names.count == columns.count, Set(names).count == names.count else { continue }
      let attribute = draft.properties.firstIndex { $0.property.attribute != nil && [$0.property.name] == names }
      if let attribute {
        all[index].properties[attribute].property.mark {
          declared.isUnique ? ($0.isUnique = true) : ($0.isIndexed = true)
        }
      } else if declared.isUnique {
        if !all[index].uniquenessConstraints.contains(names) { all[index].uniquenessConstraints.append(names) }
      } else if !all[index].indexes.contains(names) {
        all[index].indexes.append(names)
      }
    }
  }
}

extension Property {
  /// Changes the property if it is an attribute.
  mutating func mark(_ change: (inout Attribute) -> Void) {
    guard case .attribute(var attribute) = self else { return }
    change(&attribute)
    self = .attribute(attribute)
  }
}
