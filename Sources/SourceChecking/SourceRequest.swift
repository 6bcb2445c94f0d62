package import Queries

/// A request for objects, as far as source says it: what a store can be asked how it would find them.
package struct SourceRequest: Sendable {
  /// The request; values that are not known are variables.
  package var request: FetchRequest
  /// Where its predicate stands, in bytes of the source.
  package var predicate: Range<Int>?
  /// Where its order stands.
  package var order: Range<Int>?

  package init(_ request: FetchRequest, predicate: Range<Int>? = nil, order: Range<Int>? = nil) {
    (self.request, self.predicate, self.order) = (request, predicate, order)
  }
}
