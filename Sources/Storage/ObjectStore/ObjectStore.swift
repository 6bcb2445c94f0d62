public import Modeling

/// A store of objects, as contexts and live results use it: everything they ask of a database, and nothing of how it answers.
///
/// `SQLiteStore` is one. What shows here is keys, packed rows, requests, touched rows and tokens: no SQL, no statement and no
/// handle. The members stand in the protocols that this one is made of, by subject:
///
/// | protocol | what it is about |
/// |---|---|
/// | `ObjectReading` | which rows a request selects, and what they hold |
/// | `RelationshipReading` | what relationships lead to, and what leads to an object |
/// | `ObjectWriting` | transactions, single rows, pairs, batches |
/// | `ChangeTelling` | what was committed, here and by others; the history |
/// | `LiveReading` | what live results ask to follow a change to the rows they show |
///
/// # Rules
///
/// These hold for every store. `Tests/ObjectStoreTests` runs them against each conformance.
///
/// - **Keys.** Every row of the table of a root entity has a key, an integer that no other row of the table has and that stays
///   as long as the store is open. Keys of stored rows are greater than `ObjectID.temporaryLimit`. A row without an integer of
///   its own is given a number. The key of a row that `delete` took is not given to another row while the store is open.
/// - **Values.** Where a member takes or gives columns, these are the columns of `layout(of:)` of the row's own entity, in its
///   order. References hold what `PropertyLayout.reference` says.
/// - **Reading sees what was written,** also within the transaction that wrote it. A cursor that is open while rows are written
///   may show each of them as it was before or as it is now; `RowCursor.isCurrent` tells whether that can have happened.
/// - **Transactions.** What is written outside `transaction` is a transaction of its own. A member that throws has written
///   nothing.
/// - **One thread.** A store is used from one thread, and no member may be called while another runs, except within the
///   closures that members take.
/// - **Errors.** Members throw `StoreError` for what the store refuses or fails at, and `PredicateError` for a request that does
///   not fit the model; closures may throw anything, which is passed on.
/// - **Cost.** "One round trip" is one question to the database, some microseconds in process and a fraction of a millisecond
///   over a network. Members whose cost grows with keys take all of them at once, so that a store can ask in groups.
public protocol ObjectStore: ObjectReading, RelationshipReading, ObjectWriting, ChangeTelling, LiveReading {}

/// What every part of a store's face builds on: its model, its layouts, whether it is open.
public protocol ObjectStoreBasics: AnyObject {
  /// The model of the objects; the same as long as the store is open.
  var model: Model { get }

  /// What sets this store apart from others, as far as its users must know.
  var traits: StoreTraits { get }

  /// Where the store keeps an entity of its model. No round trip.
  ///
  /// - Precondition: the entity is one of `model`.
  func layout(of entity: Entity) -> EntityLayout

  /// The moment that the store is in: between two equal stamps nothing was committed or taken back by anybody, and nothing
  /// was written here.
  ///
  /// Unequal stamps may be the same data. It is asked before each read of a context, and so must cost no more than some
  /// microseconds: a store that others write over a network answers what it was told last.
  var stamp: StoreStamp { get }

  /// Whether every write is refused. No round trip.
  var isReadOnly: Bool { get }

  /// Why writes are refused, as what a refused write throws.
  var readOnlyError: StoreError { get }

  /// Asked again and again while the store works or waits; once it answers true, what runs ends with
  /// `StoreError.Fact.interrupted`.
  var isInterrupted: () -> Bool { get set }

  /// What contradicts the store's own rules, in words; empty for a sound store. For tests: it may read everything.
  ///
  /// - Throws: StoreError.
  func checkInvariants() throws -> [String]
}

extension ObjectStore {
  /// Runs `body`, in which what the store does also ends with `interrupted` when a time in seconds is over or `condition`
  /// holds.
  public func limiting<Result>(
    seconds: Double, when condition: @escaping () -> Bool = { false }, _ body: () throws -> Result
  ) rethrows -> Result {
    let usual = isInterrupted
    let deadline = monotonicSeconds() + seconds
    isInterrupted = { usual() || condition() || monotonicSeconds() > deadline }
    defer { isInterrupted = usual }
    return try body()
  }
}
