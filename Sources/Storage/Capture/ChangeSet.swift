/// What one transaction changed, whoever wrote it: a context's save, a batch request, SQL, a trigger or a cascade.
///
///     store.onCommit { changes in
///       for table in changes.tables { print(table.name, try table.rows().count) }
///     }
///
/// Rows that came out of the transaction as they went into it are not in it.
public struct ChangeSet: Sendable {
  /// The tables with changed rows, by name.
  public internal(set) var tables: [TableChanges] = []
  /// Whether every change is told; false where there were too many, or the schema changed: everything is to be read
  /// anew then.
  public internal(set) var isComplete = true

  /// Whether nothing changed.
  public var isEmpty: Bool { tables.isEmpty && isComplete }

  /// How many rows changed.
  public var rowCount: Int { tables.reduce(0) { $0 + $1.insertedCount + $1.updatedCount + $1.deletedCount } }
}
