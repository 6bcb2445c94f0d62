/// The rows of an entity one after the other, with what some predicates say of each: yes, no or neither.
///
/// Each store has a subclass of its own; this class itself stands before no rows.
open class AnswerCursor {
  /// Makes a cursor of no rows.
  public init() {}

  /// Moves to the next row; false after the last.
  ///
  /// - Throws: StoreError.
  open func step() throws -> Bool { false }

  /// The key of the row.
  open var key: Int64 { 0 }

  /// What the predicate at an index says of the row; nil for neither.
  open func answer(_ index: Int) -> Bool? { nil }
}
