import Modeling

/// How the tables of an old layout become those of a new one: which stay, which only grow, which are written anew.
struct TableMigration {
  let plan: MigrationPlan
  let old: ModelLayout
  let new: ModelLayout

  /// What happens to a table of the new layout.
  enum Change {
    case keep
    /// The columns are added, and filled where a value is given.
    case extend([(column: ColumnSchema, fill: Value)])
    /// The table is made anew and filled.
    case make([Filling])
  }

  /// An `INSERT` that fills a new table from an old one.
  struct Filling {
    var columns: [String]
    /// A SELECT of as many columns.
    var select: SQLText
  }

  /// What happens to `table`.
  func change(of table: TableSchema) -> Change {
    if let pair = new.joins.first(where: { $0.value.name == table.name }) { return change(of: table, pair.value) }
    guard let root = new.model.entities.first(where: { $0.parent == nil && new.tableName(of: $0) == table.name }) else {
      return .make([])
    }
    let copies = root.family.compactMap(copy)
    if let change = growth(of: table, root, copies) { return change }
    return .make(copies.map(filling))
  }
}

/// A piece of SQL with the values of its parameters.
struct SQLText {
  var sql: String
  var values: [Value] = []

  /// A column, or whatever else needs no values.
  init(_ sql: String, _ values: [Value] = []) {
    self.sql = sql
    self.values = values
  }
}

// MARK: Tables of entities

extension TableMigration {
  /// Where the columns of one entity's rows come from.
  private struct Copy {
    var entity: Entity
    var source: Entity
    var columns: [(name: String, value: ColumnSource)]
  }

  /// Where a column's values come from.
  private enum ColumnSource {
    case column(String)
    case constant(Value)
    case expression(SQLText)
  }

  private func copy(_ entity: Entity) -> Copy? {
    guard let source = plan.matching.source(of: entity), !isMerged(entity) else { return nil }
    let (layout, oldLayout) = (new.layouts[entity]!, old.layouts[source]!)
    var columns: [(name: String, value: ColumnSource)] = []
    for (index, property) in entity.properties.enumerated() {
      let former = plan.source(ofProperty: index, in: entity).map { ($0, oldLayout.properties[$0]) }
      switch (layout.properties[index], property) {
      case (.column(let column), .attribute(let attribute)) where !attribute.isDerived:
        columns.append((layout.columns[column].name, self.source(of: attribute, former, source, oldLayout)))
      case (.reference(let column, _), _):
        if case .reference(let former, _)? = former?.1 {
          columns.append((layout.columns[column[0]].name, .column(oldLayout.columns[former[0]].name)))
        }
      default: break
      }
    }
    for (declaration, column) in new.orders {
      guard let inverse = declaration.inverse, entity.isKind(of: inverse.entity) else { continue }
      guard let index = plan.source(ofProperty: declaration.index, in: declaration.entity),
        let owner = plan.matching.source(of: declaration.entity),
        let former = old.orders[ModelLayout.Declaration(owner, index)]
      else { continue }
      columns.append((column, .column(former)))
    }
    return Copy(entity: entity, source: source, columns: columns)
  }

  /// Entities that had no common parent may have the same keys and cannot share a table.
  private func isMerged(_ entity: Entity) -> Bool {
    let roots = Set(entity.root.family.compactMap { plan.matching.source(of: $0)?.root })
    return roots.count > 1 && plan.matching.source(of: entity)?.root !== plan.matching.source(of: entity.root)?.root
  }

  private func source(
    of attribute: Attribute, _ former: (index: Int, layout: PropertyLayout)?, _ entity: Entity, _ layout: EntityLayout
  ) -> ColumnSource {
    guard let former, case .column(let column) = former.layout, let old = entity.properties[former.index].attribute
    else { return .constant(attribute.defaultValue) }
    var value = SQLText(quoteIdentifier(layout.columns[column].name))
    let isConverted = old.type != attribute.type
    if isConverted {
      value.sql = "perilune_convert(\(value.sql), '\(old.type.rawValue)', '\(attribute.type.rawValue)')"
    }
    let isFilled = old.isOptional && !attribute.isOptional && !attribute.defaultValue.isNull
    if isFilled { value = SQLText("coalesce(\(value.sql), ?)", [attribute.defaultValue]) }
    return isConverted || isFilled ? .expression(value) : .column(layout.columns[column].name)
  }

  private func filling(_ copy: Copy) -> Filling {
    let layout = old.layouts[copy.source]!
    var columns = [ModelLayout.key]
    var select = SQLText(quoteIdentifier(ModelLayout.key))
    func add(_ column: String, _ value: SQLText) {
      columns.append(column)
      select.sql += ", " + value.sql
      select.values += value.values
    }
    if let discriminator = new.layouts[copy.entity]!.discriminator {
      add(discriminator.column, SQLText("?", [discriminator.value]))
    }
    for (name, value) in copy.columns {
      switch value {
      case .column(let column): add(name, SQLText(quoteIdentifier(column)))
      case .constant(.null): break
      case .constant(let value): add(name, SQLText("?", [value]))
      case .expression(let text): add(name, text)
      }
    }
    var text = SQLText("SELECT \(select.sql) FROM \(quoteIdentifier(layout.table))", select.values)
    if let discriminator = layout.discriminator {
      text.sql += " WHERE \(quoteIdentifier(discriminator.column)) = ?"
      text.values.append(discriminator.value)
    }
    return Filling(columns: columns, select: text)
  }

  /// The columns to add where a table stays as it is otherwise; nil where rows have to be rewritten.
  private func growth(of table: TableSchema, _ root: Entity, _ copies: [Copy]) -> Change? {
    guard let former = old.schema.table(table.name), let first = copies.first,
      first.source.root.family.count == copies.count,
      copies.allSatisfy({ $0.source.root === first.source.root }),
      former.name == old.tableName(of: first.source),
      Set(former.columns.map(\.name)).isSubset(of: table.columns.map(\.name)),
      former.columns.allSatisfy(table.columns.contains)
    else { return nil }
    let hasFamily = new.layouts[root]!.discriminator != nil
    if hasFamily, copies.contains(where: { $0.entity.name != $0.source.name }) { return nil }
    let known = Set(former.columns.map(\.name))
    var fills: [String: Value] = [:]
    for (name, value) in copies.flatMap(\.columns) {
      switch value {
      case .column(let column): if column != name { return nil }
      case .expression: return nil
      case .constant(let value):
        // A column of the old table that is no longer filled from it, or that only some of the family fill.
        if known.contains(name) || (hasFamily && !value.isNull) { return nil }
        fills[name] = value
      }
    }
    let filled = Set(copies.flatMap { $0.columns.map(\.name) })
    let stored = former.columns.filter {
      !$0.isComputed && $0.name != ModelLayout.key && $0.name != ModelLayout.discriminator
    }
    guard stored.allSatisfy({ filled.contains($0.name) }) else { return nil }
    let added = table.columns.filter { !known.contains($0.name) }
    return added.isEmpty ? .keep : .extend(added.map { ($0, fills[$0.name] ?? .null) })
  }
}

// MARK: Tables of pairs

extension TableMigration {
  private func change(of table: TableSchema, _ join: ModelLayout.JoinTable) -> Change {
    for (declaration, isFirst) in [(join.pair.first, true), (join.pair.second, false)] {
      guard let declaration, let index = plan.source(ofProperty: declaration.index, in: declaration.entity),
        let owner = plan.matching.source(of: declaration.entity)
      else { continue }
      let (ownColumn, otherColumn) =
        isFirst ? (join.firstColumn, join.secondColumn) : (join.secondColumn, join.firstColumn)
      let order = isFirst ? join.firstOrder : join.secondOrder
      let layout = old.layouts[owner]!
      switch layout.properties[index] {
      case .join(let former):
        let isSame =
          former.table == table.name && former.ownerColumns == [ownColumn] && former.memberColumns == [otherColumn]
        if isSame, old.schema.table(former.table)?.columns == table.columns { return .keep }
        var columns = [(ownColumn, former.ownerColumns[0]), (otherColumn, former.memberColumns[0])]
        if let order, let formerOrder = former.order { columns.append((order, formerOrder)) }
        if let other = isFirst ? join.secondOrder : join.firstOrder, let otherOrder = formerOrder(of: declaration) {
          columns.append((other, otherOrder))
        }
        let list = columns.map { quoteIdentifier($0.1) }.joined(separator: ", ")
        return pairs(columns.map(\.0), "SELECT \(list) FROM \(quoteIdentifier(former.table))", join)
      case .reference(let columns, _):
        let column = quoteIdentifier(layout.columns[columns[0]].name)
        let select =
          "SELECT \(ModelLayout.key), \(column) FROM \(quoteIdentifier(layout.table)) WHERE \(column) IS NOT NULL"
        return pairs([ownColumn, otherColumn], select, join)
      case .inverse(let inverse, let formerOrder):
        let destination = old.layouts[owner.destination(at: index)]!
        guard case .reference(let columns, _) = destination.properties[inverse] else { continue }
        let column = quoteIdentifier(destination.columns[columns[0]].name)
        let place = order == nil ? nil : formerOrder.map(quoteIdentifier)
        let select = "SELECT \(column), \(ModelLayout.key)\(place.map { ", " + $0 } ?? "")"
        let rest = " FROM \(quoteIdentifier(destination.table)) WHERE \(column) IS NOT NULL"
        return pairs([ownColumn, otherColumn] + (place == nil ? [] : [order!]), select + rest, join)
      default: continue
      }
    }
    return .make([])
  }

  /// The order column of the other side in the old table of pairs.
  private func formerOrder(of declaration: ModelLayout.Declaration) -> String? {
    guard let inverse = declaration.inverse, let owner = plan.matching.source(of: inverse.entity),
      let index = plan.source(ofProperty: inverse.index, in: inverse.entity),
      case .join(let layout)? = old.layouts[owner]?.properties[index]
    else { return nil }
    return layout.order
  }

  private func pairs(_ columns: [String], _ select: String, _ join: ModelLayout.JoinTable) -> Change {
    var fillings = [Filling(columns: columns, select: SQLText(select))]
    if join.pair.isSymmetric {
      fillings.append(Filling(columns: [columns[1], columns[0]] + columns.dropFirst(2), select: SQLText(select)))
    }
    return .make(fillings)
  }
}
