package import LiveQueries

/// What became of the content of an answer that is observed.
package struct LiveChange {
  /// The answer that is observed, whose rows are as they are now.
  package let answer: Answer
  /// What was inserted, deleted, updated and moved, by its places.
  package let change: ResultsChange
}
