public import Modeling
internal import ObjectGraph
internal import Queries
internal import Stores

/// Tells a person what a live result of a whole large table takes, before it is read.
public struct LargeResultWatch {
  /// The number of rows from which it tells.
  public let limit: Int
  /// Called with the entity and the number of rows.
  public let tell: (Entity, Int) -> Void

  /// Calls `tell` for results of at least `limit` rows.
  public init(limit: Int, tell: @escaping (Entity, Int) -> Void) {
    self.limit = limit
    self.tell = tell
  }

  /// The bytes that a live result keeps of each row: its key and the beginning of its sort key.
  public static let bytesPerRow = 20

  /// Counts the rows of a request that is about to become live. A predicate may select few of them, and to count those takes as
  /// long as to read them: such a request is not asked.
  ///
  /// - Throws: StoreError; what an interruption throws.
  func look(at request: FetchRequest, in store: any ObjectStore) throws {
    guard request.predicate == nil, (request.fetchLimit ?? 0) == 0 else { return }
    let count = try store.count(request)
    if count >= limit { tell(request.entity, count) }
  }
}
