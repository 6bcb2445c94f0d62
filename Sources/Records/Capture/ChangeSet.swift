/// What one transaction changed, by a context's save, a batch request, SQL, a trigger or a cascade.
///
///     store.onCommit { changes in
///       for table in changes.tables { print(table.name, try table.rows().count) }
///     }
///
/// Rows whose values are the same before and after the transaction are not included.
public struct ChangeSet: Sendable {
  /// The tables with changed rows, by name.
  public package(set) var tables: [TableChanges] = []
  /// Whether all changes are included. False if there were too many or the schema changed; everything must then be
  /// read again.
  public package(set) var isComplete = true

  /// Whether nothing changed.
  public var isEmpty: Bool { tables.isEmpty && isComplete }

  /// The number of changed rows.
  public var rowCount: Int { tables.reduce(0) { $0 + $1.insertedCount + $1.updatedCount + $1.deletedCount } }

  /// The bytes of the rows' changes.
  package var size: Int { tables.reduce(0) { $0 + $1.bytes.count } }

  /// The same without the present values of rows, which only observers read.
  package var withoutPresentRows: ChangeSet {
    var changes = self
    for place in tables.indices { changes.tables[place].present = nil }
    return changes
  }
}
