public import Modeling
package import SQLite

/// A store: objects as rows of an SQLite file, whatever made it.
///
/// Everything happens on the calling thread; there is one connection. Functions throw StoreError, and PredicateError
/// for requests that do not fit the model.
public final class SQLiteStore {
  /// The file, as it was named when it was opened; `:memory:` for none.
  public let path: String
  /// What made the file, to be shown to people: what follows from it is asked of the format.
  public var kind: StoreKind { format.kind }
  /// The model given, the store's own, or what was read off the file's schema.
  public let model: Model
  /// Whether writes are refused: by the options, because of the file's rights, or because of what the file is.
  public let isReadOnly: Bool
  /// What a person should know about how the file was read: views without keys, columns left out, a Core Data store
  /// read as plain tables.
  public let notes: [String]
  /// What was done to the store when it was opened with another model; nil for nothing.
  public let migration: MigrationReport?

  package let connection: Connection
  private let readOnlyFact: StoreError.Fact
  /// What is decided by what made the file.
  let format: any StoreFormat
  let layouts: [Entity: EntityLayout]
  /// Whether columns keep dates as text.
  let keepsDateTexts: Bool
  /// Numbers for keys of several columns.
  let interners = KeyInterners()
  /// SQL that is asked for again and again.
  let texts = StatementTexts()
  /// How deep transactions are nested, and what becomes of them.
  let transactions = TransactionState()
  /// What is known of tables whose rows commits touch.
  let touchedTables = TouchedTables()
  /// Statements that write rows.
  let writers = RowWriters()
  /// What happens at commits; nil where nothing can be written.
  private(set) var commits: CommitRecorder?
  /// How many rows the last fetch or count stepped over in scans.
  public var lastScan = 0
  /// Whether anybody looks at how far long work is: only then it is found out how many rows there will be.
  public var measuresWork: () -> Bool = { false }
  /// How many rows had been written when the present work began, and how many it will write.
  var work: (start: Int, expected: Int)?
  /// The author of the transactions that the history records.
  let recorder = HistoryRecorder()
  /// Copies the write-ahead log; nil where SQLite sees to it.
  private(set) var log: WriteAheadLog?
  /// Watches for commits of others; made when it is first asked for.
  var watch: ForeignWatch?

  /// Opens, makes or migrates the store.
  ///
  /// - Throws: StoreError for the file, DerivationError for a model that cannot be kept.
  public init(_ options: StoreOptions) throws {
    var opener = try StoreOpener(options)
    do {
      (model, layouts) = try opener.open()
    } catch {
      // The connection and the statements that it keeps hold each other.
      opener.connection.close()
      throw error
    }
    keepsDateTexts = layouts.values.contains { $0.columns.contains { $0.encoding.isDateText } }
    path = options.path
    isReadOnly = opener.isReadOnly
    readOnlyFact = opener.readOnlyFact
    notes = opener.notes
    migration = opener.migration
    connection = opener.connection
    format = opener.format
    connection.addFunctions = SQLFunctions(externalData: format.dataFiles).install
    nameConstraints()
    if let isOn = options.history { try setHistoryEnabled(isOn) }
    renewHistory()
    if !isReadOnly { commits = makeRecorder() }
    if !isReadOnly, format.keepsOurBooks { log = WriteAheadLog(connection) }
  }

  /// One of the two sides of a migration, on a connection that is open already.
  init(_ connection: Connection, _ model: Model, _ layouts: [Entity: EntityLayout], isReadOnly: Bool) {
    self.connection = connection
    self.model = model
    self.layouts = layouts
    self.isReadOnly = isReadOnly
    keepsDateTexts = false
    readOnlyFact = .readOnly
    path = connection.path
    format = OwnFormat()
    notes = []
    migration = nil
    nameConstraints()
  }

  // Cursors that are still open keep the connection until they end.
  deinit {
    watch?.stop()
    log?.stop()
    commits?.capture.stop()
    connection.forgetIdleStatements()
  }

  /// Ends everything that runs and gives the file back; what is done with the store afterwards throws `.closed`.
  public func close() {
    format.transactionEnded()
    watch?.stop()
    log?.stop()
    commits?.capture.stop()
    connection.close()
  }

  /// Asked between steps of long statements and while waiting for locks; true interrupts them.
  public var isInterrupted: () -> Bool {
    get { connection.isInterrupted }
    set { connection.isInterrupted = newValue }
  }

  /// Why nothing can be written.
  public var readOnlyError: StoreError { StoreError(readOnlyFact, path: path) }

  /// Where the store keeps an entity of its model.
  ///
  /// - Precondition: the entity is one of `model`.
  public func layout(of entity: Entity) -> EntityLayout {
    guard let layout = layouts[entity] else { preconditionFailure("\(entity.name) belongs to another model") }
    return layout
  }
}

extension SQLiteStore {
  /// Teaches the connection what people call the columns of a unique index.
  private func nameConstraints() {
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
  /// The property that a column is the place of: its attribute, else the to-one that it is part of.
  fileprivate func propertyIndex(ofColumn name: String) -> Int? {
    let wanted = asciiLowercased(name)
    guard let column = columns.firstIndex(where: { asciiLowercased($0.name) == wanted }) else { return nil }
    let attribute = properties.firstIndex(of: .column(column))
    return attribute
      ?? properties.firstIndex { if case .reference(let columns, _) = $0 { columns.contains(column) } else { false } }
  }
}
