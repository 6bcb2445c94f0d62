import Layouts
import Modeling
import Stores

/// Plans the changes of an old layout's tables: which stay, which get new columns, which are rebuilt.
struct TableMigration {
  let plan: MigrationPlan
  let old: ModelLayout
  let new: ModelLayout
  let shifts: KeyShifts
  /// The SQL of a column's values as those of another type.
  let converted: (_ column: String, _ table: String, _ old: AttributeType, _ new: AttributeType) -> String
  /// The new layout's tables of pairs and the root entities of its other tables, by table.
  private let newPairs: [String: ModelLayout.JoinTable]
  private let newRoots: [String: Entity]

  init(
    plan: MigrationPlan, old: ModelLayout, new: ModelLayout, shifts: KeyShifts,
    converted: @escaping (_ column: String, _ table: String, _ old: AttributeType, _ new: AttributeType) -> String
  ) {
    (self.plan, self.old, self.new, self.shifts, self.converted) = (plan, old, new, shifts, converted)
    newPairs = Dictionary(new.joins.values.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let roots = new.model.entities.filter { $0.parent == nil }
    newRoots = Dictionary(roots.map { (new.tableName(of: $0), $0) }, uniquingKeysWith: { first, _ in first })
  }

  var matching: RelationshipMatching { RelationshipMatching(plan: plan) }
  var pairs: PairSelection { PairSelection(old: old, matching: matching, shifts: shifts) }

  /// The change of a table of the new layout.
  enum Change {
    case keep
    /// The columns are added, and filled if a value is given.
    case extend([(column: ColumnSchema, fill: Value)])
    /// The table is created and filled.
    case make([Filling])
  }

  /// An `INSERT` that fills a new table from an old one.
  struct Filling {
    var columns: [String]
    /// A SELECT of as many columns.
    var select: SQLText
  }

  /// Returns the change of `table`.
  func change(of table: TableSchema) -> Change {
    if let pair = newPairs[table.name] { return change(of: table, pair) }
    guard let root = newRoots[table.name] else { return .make([]) }
    let copies = root.family.compactMap(copy)
    if let change = growth(of: table, root, copies) { return change }
    return .make(copies.map(filling))
  }
}

/// A piece of SQL with the values of its parameters.
struct SQLText {
  var sql: String
  var values: [Value] = []

  /// SQL, by default without values.
  init(_ sql: String, _ values: [Value] = []) {
    self.sql = sql
    self.values = values
  }
}

// MARK: Tables of entities

extension TableMigration {
  /// The sources of the columns of one entity's rows.
  private struct Copy {
    var entity: Entity
    var source: Entity
    var columns: [(name: String, value: ColumnSource)]
  }

  /// The source of a column's values.
  private enum ColumnSource {
    case column(String)
    case constant(Value)
    case expression(SQLText)
  }

  private func copy(_ entity: Entity) -> Copy? {
    guard let source = plan.matching.source(of: entity) else { return nil }
    let (layout, oldLayout) = (new.layouts[entity]!, old.layouts[source]!)
    var columns: [(name: String, value: ColumnSource)] = []
    for (index, property) in entity.properties.enumerated() {
      let former = plan.source(ofProperty: index, in: entity).map { ($0, oldLayout.properties[$0]) }
      switch (layout.properties[index], property) {
      case (.column(let column), .attribute(let attribute)) where !attribute.isDerived:
        columns.append((layout.columns[column].name, self.source(of: attribute, former, source, oldLayout)))
      case (.column(let column), .attribute):
        guard case .column(let place)? = former?.1, isMoment(layout.columns[column].name, layout.table, new),
          isMoment(oldLayout.columns[place].name, oldLayout.table, old)
        else { continue }
        columns.append((layout.columns[column].name, .column(oldLayout.columns[place].name)))
      case (.reference(let column, _), _):
        columns += reference(ModelLayout.Declaration(entity, index), layout.columns[column[0]].name, of: entity)
      default: break
      }
    }
    return Copy(entity: entity, source: source, columns: columns)
  }

  /// Whether a derived column is the time of the last change, which cannot be computed again.
  private func isMoment(_ column: String, _ table: String, _ layout: ModelLayout) -> Bool {
    layout.schema.table(table)?.computations.contains { $0.column == column && $0.isMoment } ?? false
  }

  /// The column of a to-one relationship and its place column, if both can be copied unchanged.
  private func reference(
    _ declaration: ModelLayout.Declaration, _ column: String, of entity: Entity
  ) -> [(name: String, value: ColumnSource)] {
    guard matching.isDirect(declaration, old), let source = matching.column(declaration, of: entity, old),
      let layout = old.layouts[source.declaration.entity],
      case .reference(let former, _) = layout.properties[source.declaration.index]
    else { return [] }
    let name = layout.columns[former[0]].name
    let destination = declaration.entity.destination(at: declaration.index)
    let value: ColumnSource =
      plan.isMerged(destination.root)
      ? .expression(SQLText(shifts.referred(name, old.tableName(of: source.member), source.member, destination)))
      : .column(name)
    var columns = [(name: column, value: value)]
    if let order = declaration.inverse.flatMap({ new.orders[$0] }),
      let formerOrder = source.declaration.inverse.flatMap({ old.orders[$0] })
    {
      columns.append((order, .column(formerOrder)))
    }
    return columns
  }

  private func source(
    of attribute: Attribute, _ former: (index: Int, layout: PropertyLayout)?, _ entity: Entity, _ layout: EntityLayout
  ) -> ColumnSource {
    guard let former, case .column(let column) = former.layout, let old = entity.properties[former.index].attribute
    else { return .constant(attribute.defaultValue) }
    var value = SQLText(quoteIdentifier(layout.columns[column].name))
    let isConverted = old.type != attribute.type
    if isConverted {
      value.sql = converted(value.sql, layout.table, old.type, attribute.type)
    }
    let isFilled = old.isOptional && !attribute.isOptional && !attribute.defaultValue.isNull
    if isFilled { value = SQLText("coalesce(\(value.sql), ?)", [attribute.defaultValue]) }
    return isConverted || isFilled ? .expression(value) : .column(layout.columns[column].name)
  }

  private func filling(_ copy: Copy) -> Filling {
    let layout = old.layouts[copy.source]!
    var columns = [ModelLayout.key]
    var select = SQLText(shifts.shifted(quoteIdentifier(ModelLayout.key), from: copy.source, to: copy.entity))
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
    var text = SQLText("SELECT \(select.sql) FROM \(quoteIdentifier(layout.table)) AS source", select.values)
    if let discriminator = layout.discriminator {
      text.sql += " WHERE \(quoteIdentifier(discriminator.column)) = ?"
      text.values.append(discriminator.value)
    }
    return Filling(columns: columns, select: text)
  }

  /// The columns to add if the table otherwise stays; nil if rows have to be rewritten.
  private func growth(of table: TableSchema, _ root: Entity, _ copies: [Copy]) -> Change? {
    guard let former = old.schema.table(table.name), let first = copies.first,
      first.source.root.family.count == copies.count,
      copies.allSatisfy({ $0.source.root === first.source.root }),
      former.name == old.tableName(of: first.source),
      Set(former.columns.map(\.name)).isSubset(of: table.columns.map(\.name)),
      former.columns.allSatisfy(table.columns.contains)
    else { return nil }
    let hasFamily = new.layouts[root]!.discriminator != nil
    // `_entity` cannot be added, because it is never null.
    guard hasFamily == (old.layouts[first.source]!.discriminator != nil) else { return nil }
    if hasFamily, copies.contains(where: { $0.entity.name != $0.source.name }) { return nil }
    let known = Set(former.columns.map(\.name))
    var fills: [String: Value] = [:]
    for (name, value) in copies.flatMap(\.columns) {
      switch value {
      case .column(let column): if column != name { return nil }
      case .expression: return nil
      case .constant(let value):
        // A column of the old table that has another source now, or that only some entities of the family fill.
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
