import Layouts
import Postgres

/// The tables in which a database keeps who changed what. Triggers write them; live results, the history and the undo of
/// saves read them.
///
/// A transaction is known by its `xid8`. So a program that has seen a snapshot of the server can ask for all later
/// transactions, also for one that began early and ended late.
struct RecordingBooks {
  /// The schema of the tables.
  let schema: String
  /// The type of transactions' numbers: the server's own, or where it has none, those of `ClientKeys`.
  let numberType: String
  /// Whether each node of Citus has such books, of the rows that it holds.
  let isOfNodes: Bool

  init(schema: String, _ profile: ServerProfile) {
    (self.schema, isOfNodes) = (schema, false)
    numberType = profile.has(.transactionNumbers) ? "xid8" : "bigint"
  }

  init(ofNodesIn schema: String) { (self.schema, numberType, isOfNodes) = (schema, "xid8", true) }

  var change: String { qualified(isOfNodes ? BookTables.nodeChange : BookTables.change) }
  var transaction: String { qualified(isOfNodes ? BookTables.nodeTransaction : BookTables.transaction) }
  var image: String { qualified(BookTables.image) }
  var journal: String { qualified(BookTables.journal) }
  var history: String { qualified(BookTables.history) }
  /// The function that every recording trigger calls first.
  var note: String { qualified("_perilune_note") }

  /// The channel on which a recorded transaction wakes its listeners.
  static let channel = "_perilune"
  /// The setting by which a transaction says who writes; empty for other programs.
  static let writerSetting = "perilune.writer"
  /// The setting in which the triggers count the rows that a transaction has written.
  static let writtenSetting = "perilune.written"
  /// The setting that is `on` while a writer inserts rows that it will keep itself at the end.
  static let bulkSetting = "perilune.bulk"
  /// The role of a save that belongs to the making of the store, which no later session undoes.
  static let makingRole = "made"
  /// The least time in minutes for which records stay for followers if no history is kept.
  static let minutesKept = 60
  /// The number of saves that can be undone.
  static let savesKept = 20

  /// The stored kinds of changes besides those of `HistoryTables.Kind`.
  enum Kind {
    /// Unknown rows of a table were written.
    static let wholeTable: Int64 = 6
    /// A pair that was added.
    static let pair: Int64 = 7
    /// A pair that was removed.
    static let formerPair: Int64 = 8
  }

  func qualified(_ name: String) -> String { "\(quoted(schema)).\(quoted(name))" }

  /// The statements that make the tables.
  var tables: [String] {
    [
      """
      CREATE TABLE IF NOT EXISTS \(transaction) (
        tx \(numberType) PRIMARY KEY, time timestamptz NOT NULL, author text, context text, process integer, store text,
        number bigint, changes bigint)
      """,
      """
      CREATE INDEX IF NOT EXISTS \(quoted(BookTables.transaction + "_number")) ON \(transaction) (number)
      """,
      """
      CREATE TABLE IF NOT EXISTS \(change) (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, tx \(numberType) NOT NULL, entity integer, key bigint, names jsonb,
        kind smallint NOT NULL, properties text, former jsonb, tombstone jsonb)
      """,
      "CREATE INDEX IF NOT EXISTS \(quoted(BookTables.change + "_tx")) ON \(change) (tx)",
      """
      CREATE TABLE IF NOT EXISTS \(image) (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, tx \(numberType) NOT NULL, relation text, old text, new text)
      """,
      "CREATE INDEX IF NOT EXISTS \(quoted(BookTables.image + "_tx")) ON \(image) (tx)",
      """
      CREATE TABLE IF NOT EXISTS \(journal) (
        number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, tx \(numberType) NOT NULL UNIQUE, role text NOT NULL,
        time timestamptz NOT NULL)
      """,
      "CREATE TABLE IF NOT EXISTS \(history) (key text PRIMARY KEY, value text NOT NULL)",
    ]
  }

  /// The statements that make the functions which triggers call.
  var functions: [String] {
    [
      // Other users' writes are recorded with the rights of the tables' owner.
      """
      CREATE OR REPLACE FUNCTION \(note)() RETURNS xid8 LANGUAGE plpgsql SECURITY DEFINER
      SET search_path = pg_catalog, pg_temp AS $perilune$
      DECLARE
        _tx xid8 := pg_current_xact_id();
        _writer jsonb := nullif(current_setting('\(Self.writerSetting)', true), '')::jsonb;
      BEGIN
        INSERT INTO \(transaction) (tx, time, author, context, process, store)
          VALUES (_tx, clock_timestamp(), _writer->>'author', _writer->>'context', (_writer->>'process')::integer,
            _writer->>'store') ON CONFLICT (tx) DO NOTHING;
        IF FOUND THEN
          PERFORM pg_notify('\(Self.channel)', '');
          IF _writer IS NOT NULL THEN
            IF _writer->>'reverses' IS NULL THEN
              DELETE FROM \(journal) WHERE role = 'redo';
            END IF;
            INSERT INTO \(journal) (tx, role, time)
              VALUES (_tx, coalesce(_writer->>'role', 'undo'), coalesce((_writer->>'time')::timestamptz, clock_timestamp()));
          END IF;
          IF random() < 0.01 THEN PERFORM \(qualified("_perilune_prune"))(); END IF;
        END IF;
        RETURN _tx;
      END $perilune$
      """,
      """
      CREATE OR REPLACE FUNCTION \(qualified("_perilune_prune"))() RETURNS void LANGUAGE plpgsql SECURITY DEFINER
      SET search_path = pg_catalog, pg_temp AS $perilune$
      DECLARE
        _old xid8[];
      BEGIN
        DELETE FROM \(journal) WHERE number IN (
          SELECT number FROM (SELECT number FROM \(journal) ORDER BY number DESC OFFSET \(Self.savesKept)) AS surplus
          ORDER BY number FOR UPDATE SKIP LOCKED);
        -- What can no longer be undone, and what those who follow have had the time to read.
        DELETE FROM \(image) WHERE id IN (
          SELECT i.id FROM \(image) AS i
          WHERE NOT EXISTS (SELECT 1 FROM \(journal) AS j WHERE j.tx = i.tx)
          LIMIT 100000 FOR UPDATE SKIP LOCKED);
        _old := ARRAY(SELECT tx FROM \(transaction) WHERE time < now() - interval '\(Self.minutesKept) minutes'
          AND (number = 0 OR number IS NULL AND NOT EXISTS (SELECT 1 FROM \(history) WHERE key = 'on'))
          ORDER BY tx LIMIT 10000 FOR UPDATE SKIP LOCKED);
        DELETE FROM \(change) WHERE tx = ANY(_old);
        DELETE FROM \(transaction) WHERE tx = ANY(_old);
      END $perilune$
      """,
    ]
  }
}
