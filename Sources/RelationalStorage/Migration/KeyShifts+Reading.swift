import Layouts
import Modeling
import Stores

extension KeyShifts {
  /// Computes the offsets from the existing keys.
  ///
  /// - Throws: StoreError, `.migrationRefused` if there are not enough keys.
  init(_ connection: any MigrationDatabase, _ plan: MigrationPlan, _ old: ModelLayout) throws(StoreError) {
    self.init()
    for root in plan.matching.new.entities where root.parent == nil {
      let sources = plan.formerRoots(of: root)
      guard sources.count > 1 else { continue }
      var last: Int64?
      for source in sources {
        let name = quoteIdentifier(old.tableName(of: source))
        let row = try connection.all("SELECT min(\(ModelLayout.key)), max(\(ModelLayout.key)) FROM \(name)").first
        guard let row, case .int(let first) = row[0], case .int(let end) = row[1] else { continue }
        guard let taken = last else {
          last = end
          continue
        }
        let (offset, isTooFar) = taken.subtractingReportingOverflow(first - 1)
        let (newEnd, isTooLarge) = end.addingReportingOverflow(max(0, offset))
        if first == .min || isTooFar || isTooLarge {
          throw StoreError(
            .migrationRefused(["\(root.name): the keys of \(source.name) are too large to be moved"]),
            path: connection.path)
        }
        offsets[Move(from: source, to: root)] = max(0, offset)
        last = max(taken, newEnd)
      }
    }
  }

  /// The SQL of a column that holds keys of `from`, as references to the table of `to`.
  ///
  /// A dangling key becomes null: it might belong to another object afterwards.
  func referred(_ column: String, _ table: String, _ from: Entity, _ to: Entity) -> String {
    let key = shifted("target.\(ModelLayout.key)", from: from, to: to)
    return "(SELECT \(key) FROM \(quoteIdentifier(table)) AS target"
      + " WHERE target.\(ModelLayout.key) = source.\(quoteIdentifier(column)))"
  }

  /// The SQL of a column's keys of `from`, as keys of the table of `to`.
  func shifted(_ column: String, from: Entity, to: Entity) -> String {
    let offset = offset(from: from, to: to)
    return offset == 0 ? column : "\(column) + \(offset)"
  }
}
