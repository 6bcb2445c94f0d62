internal import Layouts
internal import Modeling
package import Stores

/// Makes the statements that turn the rows of the first store into those of the second.
///
/// Memory is in proportion to the differences: their order is known at the end.
package final class DifferenceStatements {
  private let store: any OpenedStore
  private let comparison: StoreComparison
  private var operations: [RowOperation] = []
  var first: ComparisonSide { comparison.sides.first }

  /// - Throws: ComparisonError.bookkeeping for a store whose rows are not written by SQL alone.
  package init(_ comparison: StoreComparison, of store: any OpenedStore) throws {
    guard store.takesTableStatements else { throw ComparisonError.bookkeeping }
    (self.comparison, self.store) = (comparison, store)
  }

  /// Adds a difference; returns false for one that no statement makes equal, because its object is not compared.
  package func add(_ difference: ObjectDifference) -> Bool {
    guard difference.isComparable, let entity = comparison.entity(of: difference) else { return false }
    operations.append(RowOperation(difference: difference, entity: entity))
    return true
  }

  /// Calls `body` with each statement, without a semicolon, in an order that foreign keys and unique values allow.
  ///
  /// - Throws: StoreError, ComparisonError.unfit for a value that a column cannot hold.
  package func write(_ body: (String) throws -> Void) throws {
    let order = OperationOrder(operations)
    var done: Set<Int> = []
    var postponed: [TableStatement] = []
    for operation in operations { for statement in try leave(operation) { try write(statement, operation, body) } }
    for index in order.indices {
      let operation = operations[index]
      for statement in try release(order, index, done) { try write(statement, operation, body) }
      let later = order.newReferences(index).filter {
        !done.contains($0.operation) && isOptional($0.property, operation)
      }
      .map(\.property)
      if let statement = try statement(operation, without: later) { try write(statement, operation, body) }
      if !later.isEmpty {
        let settings = try settings(operation) { later.contains($0) }
        postponed.append(.update(table: layout(operation).table, settings, where: try place(of: operation)))
      }
      done.insert(index)
    }
    for statement in postponed { try write(statement, nil, body) }
    for operation in operations { for statement in try join(operation) { try write(statement, operation, body) } }
  }

  private func write(
    _ statement: TableStatement, _ operation: RowOperation?, _ body: (String) throws -> Void
  ) throws {
    guard let text = store.text(of: statement) else {
      throw ComparisonError.unfit(
        entity: operation?.entity.first.name ?? "", identity: operation?.difference.identity ?? [])
    }
    try body(text)
  }

  func layout(_ operation: RowOperation) -> EntityLayout { store.layout(of: operation.entity.first) }

  private func isOptional(_ property: String, _ operation: RowOperation) -> Bool {
    switch operation.entity.first.property(named: property) {
    case .relationship(let relationship): relationship.isOptional
    case .attribute(let attribute): attribute.isOptional
    case nil: false
    }
  }

  // MARK: Rows

  private func statement(_ operation: RowOperation, without later: [String]) throws -> TableStatement? {
    let table = self.layout(operation).table
    switch operation.difference.kind {
    case .deleted: return .delete(table: table, where: try place(of: operation))
    case .inserted: return .insert(table: table, try newRow(operation, without: later))
    default:
      let settings = try settings(operation) { !later.contains($0) }
      return settings.isEmpty ? nil : .update(table: table, settings, where: try place(of: operation))
    }
  }

  private func newRow(_ operation: RowOperation, without later: [String]) throws -> [TableStatement.Setting] {
    let layout = self.layout(operation)
    var row: [TableStatement.Setting] = []
    if let name = layout.key.integerName, !layout.columns.contains(where: { $0.name == name }),
      let key = newKey(operation)
    {
      row.append(TableStatement.Setting(.key(name), .value(.int(key))))
    }
    if let (column, value) = layout.discriminator { row.append(TableStatement.Setting(.key(column), .value(value))) }
    row += try settings(operation) { !later.contains($0) }
    // What the second store has not is nil, regardless of the table's default.
    let known = Set(row.map(\.column.name))
    for property in operation.entity.attributes {
      let column = layout.columns[layout.properties[property.first].ownColumns[0]]
      if column.isWritable, !known.contains(column.name) { row.append(TableStatement.Setting(column, .value(.null))) }
    }
    return row
  }

  /// The key of a new row: that of the second store if objects are known by it, or else nil, as the store chooses one.
  private func newKey(_ operation: RowOperation) -> Int64? {
    operation.entity.rule == .key ? operation.difference.second?.key : nil
  }

  /// The columns of the changed attributes and to-one relationships with their new contents.
  private func settings(
    _ operation: RowOperation, where isWanted: (String) -> Bool
  ) throws -> [TableStatement.Setting] {
    let (entity, layout) = (operation.entity.first, self.layout(operation))
    var settings: [TableStatement.Setting] = []
    for property in operation.difference.properties where isWanted(property.name) {
      guard let index = entity.index(of: property.name) else { continue }
      switch (layout.properties[index], property.new) {
      case (.column(let number), .value(let value)):
        let column = layout.columns[number]
        guard column.isWritable, let attribute = entity.properties[index].attribute else { continue }
        // A file of others may hold what the type of its column does not.
        settings.append(.init(column, .value((try? column.coerce(value, of: attribute)) ?? value)))
      case (.reference(let columns, let target), .object(let reference)):
        let contents = reference.map { first.contents(of: target, entity.destination(at: index), $0.identity) }
        for (place, column) in columns.enumerated() where layout.columns[column].isWritable {
          settings.append(.init(layout.columns[column], contents?[place] ?? .value(.null)))
        }
      default: break
      }
    }
    return settings
  }

  /// The contents by which statements find the row: those of the key, or for a new row its identity.
  private func place(of operation: RowOperation) throws -> [TableStatement.Setting] {
    let entity = operation.entity.first
    guard let key = operation.difference.first?.key else {
      return first.condition(entity, operation.difference.identity)
    }
    let layout = self.layout(operation)
    let own = layout.primaryKey.map { layout.columns[$0].name }
    if !own.isEmpty, operation.difference.kind != .inserted {
      let condition = first.condition(entity, operation.difference.identity)
      if condition.map(\.column.name) == own { return condition }
    }
    return zip(layout.key.columns, store.keyValues(of: entity, key: key)).map { .init(.key($0), .value($1)) }
  }

  // MARK: Cycles

  /// Statements that break a cycle: they empty references to a row that a later statement deletes, and unique values that another
  /// row gets later.
  private func release(_ order: OperationOrder, _ index: Int, _ done: Set<Int>) throws -> [TableStatement] {
    var statements: [TableStatement] = []
    for (other, property) in order.leavers(index) where !done.contains(other) && isOptional(property, operations[other])
    {
      statements.append(try replacing(property, by: .null, operations[other]))
    }
    for (other, properties) in order.holders(index) where !done.contains(other) {
      let operation = operations[other]
      if let property = properties.first(where: { isOptional($0, operation) }) {
        statements.append(try replacing(property, by: .null, operation))
      } else if let value = passingValue(properties[0], operation, other) {
        statements.append(try replacing(properties[0], by: value, operation))
      }
    }
    return statements
  }

  /// A value that a mandatory attribute has while two rows exchange theirs; nil for a type without one.
  private func passingValue(_ name: String, _ operation: RowOperation, _ number: Int) -> Value? {
    switch operation.entity.first.property(named: name)?.attribute?.type {
    case .string, .url: .string("perilune:\(number)")
    case .integer16, .integer32, .integer64, .any: .int(-30_000 + Int64(number))
    default: nil
    }
  }

  private func replacing(_ name: String, by value: Value, _ operation: RowOperation) throws -> TableStatement {
    let layout = self.layout(operation)
    let columns = operation.entity.first.index(of: name).map { layout.properties[$0].ownColumns } ?? []
    let settings = columns.map { TableStatement.Setting(layout.columns[$0], .value(value)) }
    return .update(table: layout.table, settings, where: try place(of: operation))
  }
}

extension ColumnLayout {
  /// A column of a key, or one that tells subentities apart.
  static func key(_ name: String) -> ColumnLayout { ColumnLayout(name: name, type: .any, isWritable: true) }
}
