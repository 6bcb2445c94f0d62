public import Modeling

/// The current row of a `PlacementReading`: its key, sort values and section. Reading them does not allocate.
///
/// Columns are numbered as in `PlacementReading.components`. Bytes are valid until the next row, and the row itself
/// during the callback that receives it. Each store has its own subclass; the base class has no columns.
open class PlacementRow {
  /// Creates a row without columns.
  public init() {}

  /// The key of the row.
  open var key: Int64 { 0 }

  /// The storage class of a column's value.
  open func storageClass(_ column: Int) -> StorageClass { .null }

  /// The number in a column; 0 if the column holds no number.
  open func double(_ column: Int) -> Double { 0 }

  /// A column's value as the store keeps it; equal ones have equal values.
  open func storedForm(_ column: Int) -> StoredForm { .other }

  /// The value of a column, in the type of its expression.
  open func value(_ column: Int) -> Value { .null }

  /// The value of the row's section; nil without sections.
  open var section: Value? { nil }
}

/// A value of a row as a store keeps it.
public enum StoredForm {
  case null
  case integer(Int64)
  case real(Double)
  /// The bytes of a text in UTF-8, which are valid until the next row.
  case text(UnsafeRawBufferPointer)
  /// A value that is known only decoded.
  case other
}
