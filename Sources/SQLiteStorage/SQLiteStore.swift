public import Modeling
package import SQLite

/// A store of objects in an SQLite file of any format.
///
/// A store has one connection and is used from one thread. Its members throw StoreError, and PredicateError for
/// requests that do not fit the model.
public final class SQLiteStore {
  /// The file's path, as given to open it; `:memory:` for a store in memory.
  public let path: String
  /// The kind of store, to show to users; code asks the format instead.
  public var kind: StoreKind { format.kind }
  /// The given model, the store's own, or the one derived from the file's schema.
  public let model: Model
  /// Whether the store refuses writes, because of the options, the file's permissions, or its content.
  public let isReadOnly: Bool
  /// Notes for users on how the file was read: views without keys, columns left out, a Core Data store read as plain
  /// tables.
  public let notes: [String]
  /// The report of the migration at opening with another model; nil if there was none.
  public let migration: MigrationReport?

  package let connection: Connection
  private let readOnlyFact: StoreError.Fact
  /// Everything that depends on the program that made the file.
  let format: any StoreFormat
  let layouts: [Entity: EntityLayout]
  /// Whether columns keep dates as text.
  let keepsDateTexts: Bool
  /// Numbers for keys of several columns.
  let interners = KeyInterners()
  /// A cache of SQL texts.
  let texts = StatementTexts()
  /// The nesting depth and the state of transactions.
  let transactions = TransactionState()
  /// A cache of facts about the tables whose rows commits touch.
  let touchedTables = TouchedTables()
  /// A cache of statements that write rows.
  let writers = RowWriters()
  /// Runs at commits; nil if the store is read-only.
  private(set) var commits: CommitRecorder?
  /// The number of rows that the last fetch or count scanned; with several connections, the number of keys among which they are.
  public var lastScan = 0
  /// When large tables are read by several connections at once.
  package var parallelism = Parallelism()
  /// Whether the progress of long work is shown. Only then the store counts the rows beforehand.
  public var measuresWork: () -> Bool = { false }
  /// How many rows had been written when the present work began, and how many it will write.
  var work: (start: Int, expected: Int)?
  /// The author of the transactions that the history records.
  let recorder = HistoryRecorder()
  /// Copies the write-ahead log into the file; nil if SQLite does it.
  private(set) var log: WriteAheadLog?
  /// The watch on other connections' commits, created on first use.
  var watch: ForeignWatch?

  /// Whether this opening made the file, so that saves until the store is closed belong to its making.
  let isBeingMade: Bool

  /// Whether properties are hidden, so that the history, which holds their former values, is not read.
  let hidesProperties: Bool

  /// Opens, creates or migrates the store.
  ///
  /// - Throws: StoreError for the file, DerivationError for a derived attribute that the store cannot maintain.
  public init(_ options: StoreOptions) throws {
    var opener = try StoreOpener(options)
    do {
      (model, layouts) = try opener.open()
    } catch {
      // The connection and its cached statements retain each other.
      opener.connection.close()
      throw error
    }
    keepsDateTexts = layouts.values.contains { $0.columns.contains { $0.encoding.isDateText } }
    path = options.path
    isReadOnly = opener.isReadOnly
    readOnlyFact = opener.readOnlyFact
    let hidden = options.hidden.map(\.property)
    notes = opener.notes.filter { note in !hidden.contains { note.contains($0) } }
    hidesProperties = !hidden.isEmpty
    migration = opener.migration
    isBeingMade = options.isMaking && opener.isNew
    connection = opener.connection
    connection.hide(opener.hiddenColumns)
    format = opener.format
    connection.addFunctions = SQLFunctions(externalData: format.dataFiles).install
    nameConstraints()
    if let isOn = options.history { try setHistoryEnabled(isOn) }
    renewHistory()
    if !isReadOnly { commits = makeRecorder() }
    if !isReadOnly, format.keepsOurBooks { log = WriteAheadLog(connection) }
  }

  /// Creates a store on an open connection: one of the two of a migration, or one with an entity that is being added.
  init(
    _ connection: Connection, _ model: Model, _ layouts: [Entity: EntityLayout], isReadOnly: Bool,
    _ format: any StoreFormat = OwnFormat()
  ) {
    self.connection = connection
    self.model = model
    self.layouts = layouts
    self.isReadOnly = isReadOnly
    keepsDateTexts = false
    readOnlyFact = .readOnly
    path = connection.path
    self.format = format
    notes = []
    hidesProperties = false
    migration = nil
    isBeingMade = false
    nameConstraints()
  }

  // Open cursors retain the connection until they end.
  deinit {
    watch?.stop()
    log?.stop()
    commits?.capture.stop()
    connection.forgetIdleStatements()
  }

  /// Stops all statements and closes the file; later calls throw `.closed`.
  public func close() {
    format.transactionEnded()
    watch?.stop()
    log?.stop()
    commits?.capture.stop()
    connection.close()
  }

  /// A function that is called between steps of long statements and while waiting for locks; true interrupts them.
  public var isInterrupted: () -> Bool {
    get { connection.isInterrupted }
    set { connection.isInterrupted = newValue }
  }

  /// The error that a refused write throws.
  public var readOnlyError: StoreError { StoreError(readOnlyFact, path: path) }

  /// Returns the layout of an entity.
  ///
  /// - Precondition: the entity is one of `model`.
  public func layout(of entity: Entity) -> EntityLayout {
    guard let layout = layouts[entity] else { preconditionFailure("\(entity.name) belongs to another model") }
    return layout
  }
}

extension SQLiteStore {
  /// Gives the connection the model's names for the columns of unique indexes.
  func nameConstraints() {
    connection.nameConstraint = { [model, layouts] table, columns in
      let wanted = asciiLowercased(table)
      for entity in model.entities {
        guard let layout = layouts[entity], asciiLowercased(layout.table) == wanted else { continue }
        let names = columns.compactMap { column in
          layout.propertyIndex(ofColumn: column).map { entity.properties[$0].name }
        }
        if names.count == columns.count { return (entity.name, names) }
      }
      return nil
    }
  }
}

extension EntityLayout {
  /// The property of a column: its attribute, or else the to-one relationship of which it is part.
  fileprivate func propertyIndex(ofColumn name: String) -> Int? {
    let wanted = asciiLowercased(name)
    guard let column = columns.firstIndex(where: { asciiLowercased($0.name) == wanted }) else { return nil }
    let attribute = properties.firstIndex(of: .column(column))
    return attribute
      ?? properties.firstIndex { if case .reference(let columns, _) = $0 { columns.contains(column) } else { false } }
  }
}
