/// The rows of an entity, one after the other, with the results of some predicates for each row: true, false or
/// neither.
///
/// Each store has its own subclass; the base class has no rows.
open class AnswerCursor {
  /// Creates a cursor without rows.
  public init() {}

  /// Moves to the next row; returns false after the last.
  ///
  /// - Throws: StoreError.
  open func step() throws -> Bool { false }

  /// The key of the current row.
  open var key: Int64 { 0 }

  /// The result of the predicate at an index for the current row; nil for neither true nor false.
  open func answer(_ index: Int) -> Bool? { nil }
}
