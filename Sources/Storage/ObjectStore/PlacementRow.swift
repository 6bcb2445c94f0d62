public import Modeling

/// The row that a `PlacementReading` stands on: its key, sort values and section; reading them allocates nothing.
///
/// Columns are numbered as `PlacementReading.components`. Bytes are valid until the next row, and the row itself within the call
/// that is given it. Each store has a subclass of its own; this class itself has no columns.
open class PlacementRow {
  /// Makes a row without columns.
  public init() {}

  /// The key of the row.
  open var key: Int64 { 0 }

  /// The storage class of a column's value.
  open func storageClass(_ column: Int) -> StorageClass { .null }

  /// The number in a column; 0 where it holds none.
  open func double(_ column: Int) -> Double { 0 }

  /// The value of a column, of the type that its expression has.
  open func value(_ column: Int) -> Value { .null }

  /// The value that the row's section has in common; nil without sections.
  open var section: Value? { nil }
}
