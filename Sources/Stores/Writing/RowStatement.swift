public import Modeling

/// A statement that writes rows of an entity, one after the other, from the fields of an import.
///
/// Its parameters are counted from 1, one for each column that it was made for.
public struct RowStatement {
  /// Binds a field to a parameter. Text is not copied: it must stay until `run` returns.
  ///
  /// Throws StoreError, `.unfitDate` for a date that the column cannot hold.
  public let bind: (_ field: TypedField, _ parameter: Int) throws -> Void
  /// Writes the row; returns whether there is one. Errors get the values of columns by `value`.
  ///
  /// Throws StoreError; `.notUnique` with the values of the row.
  public let run: (_ value: (_ column: Int) -> Value?) throws -> Bool
  /// The key of the row that an INSERT wrote last.
  public let lastKey: () -> Int64

  package init(
    bind: @escaping (TypedField, Int) throws -> Void, run: @escaping ((Int) -> Value?) throws -> Bool,
    lastKey: @escaping () -> Int64
  ) {
    (self.bind, self.run, self.lastKey) = (bind, run, lastKey)
  }
}
