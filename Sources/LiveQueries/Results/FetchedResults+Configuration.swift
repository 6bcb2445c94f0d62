public import Queries

// The predicate, the order, the limit and the section key of results may change at any time, also from observers.
extension FetchedResults {
  /// Changes the request: the results are fetched anew, once, and observers are told one difference.
  ///
  /// What concerns entity and result type stays as it is. Nothing is changed if it throws.
  ///
  /// - Throws: PredicateError, GraphError, StoreError; EndlessRounds if observers go on changing what they observe.
  public func configure(_ change: (inout FetchRequest) throws -> Void) throws {
    var wanted = request
    try change(&wanted)
    try replace(with: wanted)
    try live.live.turn.run()
  }

  /// Takes over another request, to be told in the next round.
  ///
  /// - Throws: LiveQueryError, PredicateError, StoreError; then nothing is changed.
  public func replace(with wanted: FetchRequest) throws {
    guard !isClosed else { throw LiveQueryError(.closed) }
    guard wanted != request else { return }
    let before = untoldFrom ?? state.snapshot()
    // What is pending is not told here: only by the round.
    let next = try ResultsState(wanted, in: live.context)
    next.takeOver(state)
    request = wanted
    state = next
    untoldFrom = before
    forgetBatch()
    source.didChange()
  }

  /// Which objects; nil for all.
  public var predicate: Queries.Predicate? { request.predicate }
  /// In which order.
  public var sortDescriptors: [Queries.SortDescriptor] { request.sortDescriptors }
  /// What objects of a section have in common; nil without sections.
  public var sectionIdentifier: Queries.Expression? { request.sectionIdentifier }
}
