public import Modeling
public import ObjectGraph
public import Queries
public import Reactive
internal import Storage

/// The objects that a request selects, kept true while the store and the context change.
///
///     let quakes = try FetchedResults(request, in: live.context(context))
///     let token = quakes.onChange { change in print(change.inserted.count, "new") }
///     quakes.predicate = try Predicate.parse("magnitude >= 6")
///
/// Only the keys are held, about 20 bytes a row; objects are read in batches around what is looked at. Changes are found
/// by looking at the rows that a commit can have affected, so that k changes in n rows cost O(k log n); `explanation`
/// says where that is not so. Results with observers live until they are closed or the tokens are cancelled.
public final class FetchedResults: RandomAccessCollection {
  /// What the results are of.
  public let live: LiveContext
  /// The request as it is now.
  public internal(set) var request: FetchRequest
  /// How changes of the results are shown where nothing else is said.
  public var animation: String?
  /// Whether the results no longer follow the store.
  public internal(set) var isClosed = false
  /// What makes a reader of the results run again when they change.
  public let source = ObservationSource()

  /// The objects' table.
  let table: ObjectTable
  var state: ResultsState
  /// What observers were told last, where the results were replaced since.
  var untoldFrom: Arrangement.ShownRows?
  var needsReload = false
  let observers: ChangeObservers
  /// What ends with the results.
  var endings: [() -> Void] = []
  private var batch: (start: Int, result: FetchResult)?

  /// Fetches what `request` selects and follows it from now on.
  ///
  /// - Throws: PredicateError, GraphError for a request of dictionaries or counts, StoreError.
  public init(_ request: FetchRequest, in live: LiveContext) throws {
    self.live = live
    self.request = request
    table = live.context.table(for: request.entity)
    state = try ResultsState(request, in: live.context)
    observers = ChangeObservers(live.live.turn, name: "\(request.entity.name):live")
    observers.onInterest = { [unowned self] in live.keep(self, $0) }
    live.add(self)
  }

  deinit { live.remove(ObjectIdentifier(self)) }

  /// Ends it: the results stay as they are, and observers are told nothing more.
  public func close() {
    guard !isClosed else { return }
    observers.removeAll()
    isClosed = true
    for ending in endings { ending() }
    endings = []
    live.remove(ObjectIdentifier(self))
  }

  // MARK: Objects

  /// The first place: 0.
  public var startIndex: Int { 0 }
  /// The place behind the last.
  public var endIndex: Int { count }

  /// How many objects there are.
  public var count: Int {
    source.access()
    return state.count
  }

  /// The object at `index`, from 0; those around it are read with it.
  public subscript(index: Int) -> ManagedObject {
    precondition(index >= 0 && index < state.count, "there is no object at \(index)")
    source.access()
    return ManagedObject(table: table, slot: slot(at: index))
  }

  /// The slot of the object at `index`.
  public func slot(at index: Int) -> Int32 {
    let result: FetchResult
    let start = index - index % Self.batchSize
    if let batch, batch.start == start {
      result = batch.result
    } else {
      let keys = state.keys(start..<Swift.min(start + Self.batchSize, state.count))
      result = FetchResult(context: live.context, entity: request.entity, keys: keys)
      batch = (start, result)
    }
    return result.slot(at: index - start)
  }

  /// How many objects are registered at once.
  private static let batchSize = 256

  /// The place of an object; nil where it is not among the results. O(log n).
  public func index(of object: ManagedObject) -> Int? {
    source.access()
    guard object.table === table else { return nil }
    return state.index(of: object.objectID.key)
  }

  /// The IDs of the objects in a range, without touching the objects.
  public func objectIDs(_ range: Range<Int>) -> [ObjectID] {
    source.access()
    return state.keys(range).map { ObjectID(entity: request.entity, key: $0) }
  }

  // MARK: Observers

  /// Has `body` told of each change, after the commit or at the end of the turn that made it; `name` is what messages
  /// call it.
  public func onChange(name: String? = nil, _ body: @escaping (ResultsChange) -> Void) -> ObservationToken {
    isClosed ? ObservationToken {} : observers.add(name, body)
  }

  /// Has observers told of a change in the round that begins.
  func tell(_ change: ResultsChange) {
    batch = nil
    guard !change.isEmpty else { return }
    source.didChange()
    observers.tell(change)
  }

  /// Forgets the objects that were looked at: their places may be others.
  func forgetBatch() { batch = nil }
}
