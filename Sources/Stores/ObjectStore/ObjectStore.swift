public import Modeling

/// A store of objects, as contexts and live results use it: all that they need from a database, independent of the
/// database.
///
/// `SQLiteStore` is one. The interface consists of keys, packed rows, requests, touched rows and tokens: no SQL,
/// statements or handles. Its members are declared in these protocols, by subject:
///
/// | protocol | what it is about |
/// |---|---|
/// | `ObjectReading` | which rows a request selects, and their values |
/// | `RelationshipReading` | the destinations of relationships, and the objects that refer to an object |
/// | `ObjectWriting` | transactions, single rows, pairs, batches |
/// | `ChangeTelling` | commits, made here and by others; the history |
/// | `LiveReading` | how live results follow a change to the rows that they show |
///
/// # Rules
///
/// These rules hold for every store. `Tests/ObjectStoreTests` runs them against each conformance.
///
/// - **Keys.** Every row of a root entity's table has a key, an integer that is unique in the table and does not change
///   while the store is open. Keys of stored rows are greater than `ObjectID.temporaryLimit`. The store assigns a
///   number to a row whose key is not an integer. It does not assign a deleted row's key to another row while it is
///   open.
/// - **Values.** Columns in parameters and results are the columns of `layout(of:)` of the row's own entity, in its
///   order. `PropertyLayout.reference` says what references hold.
/// - **Reads see earlier writes,** also within the transaction that wrote them. If rows are written while a cursor is
///   open, the cursor may return each of them in its former or its new state; `RowCursor.isCurrent` tells whether that
///   can have happened.
/// - **Transactions.** A write outside `transaction` is a transaction of its own. A member that throws has written
///   nothing.
/// - **One thread.** A store is used from one thread. A member may be called during another member's call only from the
///   closures that members take.
/// - **Errors.** Members throw `StoreError` if the store refuses a call or fails, and `PredicateError` for a request
///   that does not fit the model. Members rethrow any error of their closures.
/// - **Cost.** "One round trip" is one question to the database: some microseconds in process, a fraction of a
///   millisecond over a network. Members whose cost grows with the number of keys take all keys at once, so that a
///   store can ask in groups.
public protocol ObjectStore: ObjectReading, RelationshipReading, ObjectWriting, ChangeTelling, LiveReading {}

/// The basis of all parts of a store's interface: its model, its layouts, its state.
public protocol ObjectStoreBasics: AnyObject {
  /// The model of the objects, which does not change while the store is open.
  var model: Model { get }

  /// The differences between stores that contexts and live results must know.
  var traits: StoreTraits { get }

  /// Returns where the store keeps an entity of its model. No round trip.
  ///
  /// - Precondition: the entity is one of `model`.
  func layout(of entity: Entity) -> EntityLayout

  /// The current version of the store's data: between two equal stamps no connection committed or rolled back, and nothing
  /// was written here.
  ///
  /// The data of unequal stamps may be equal. A context asks for it before each read, so it must take no more than some
  /// microseconds: a store on a server returns the last version that it has received.
  var stamp: StoreStamp { get }

  /// Whether the store refuses every write. No round trip.
  var isReadOnly: Bool { get }

  /// The error that a refused write throws.
  var readOnlyError: StoreError { get }

  /// A function that the store calls again and again while it works or waits. When it returns true, the running call
  /// throws `StoreError.Fact.interrupted`.
  var isInterrupted: () -> Bool { get set }

  /// Returns violations of the store's own invariants, in words; empty for a sound store. For tests: it may read
  /// everything.
  ///
  /// - Throws: StoreError.
  func checkInvariants() throws -> [String]
}

extension ObjectStore {
  /// Runs `body`; the store's work within it also ends with `interrupted` after a time in seconds, or once `condition`
  /// is true.
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
