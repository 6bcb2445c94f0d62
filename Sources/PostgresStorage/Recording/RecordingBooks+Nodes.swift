import Layouts

// The books of a node of Citus. Only live results read them.
extension RecordingBooks {
  /// The statements that make the tables on a node.
  var nodeTables: [String] {
    [
      """
      CREATE TABLE IF NOT EXISTS \(transaction) (
        tx xid8 PRIMARY KEY, time timestamptz NOT NULL, origin text, author text, store text)
      """,
      """
      CREATE TABLE IF NOT EXISTS \(change) (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, tx xid8 NOT NULL, entity integer, key bigint, names jsonb,
        kind smallint NOT NULL, properties text, former jsonb, tombstone jsonb)
      """,
      "CREATE INDEX IF NOT EXISTS \(quoted(BookTables.nodeChange + "_tx")) ON \(change) (tx)",
    ]
  }

  /// The statement that makes the function which the triggers of nodes call first.
  ///
  /// `origin` names the transaction of which that of the node is a part; null where the node alone has it.
  var nodeFunction: String {
    """
    CREATE OR REPLACE FUNCTION \(note)() RETURNS xid8 LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $perilune$
    DECLARE
      _tx xid8 := pg_current_xact_id();
      _writer jsonb := nullif(current_setting('\(Self.writerSetting)', true), '')::jsonb;
      _old xid8[];
    BEGIN
      INSERT INTO \(transaction) (tx, time, origin, author, store)
        SELECT _tx, clock_timestamp(), CASE WHEN d.transaction_number > 0 THEN
          concat_ws(' ', d.initiator_node_identifier, d.transaction_number, extract(epoch FROM d.transaction_stamp)) END,
          _writer->>'author', _writer->>'store' FROM get_current_transaction_id() AS d ON CONFLICT (tx) DO NOTHING;
      IF FOUND AND random() < 0.01 THEN
        _old := ARRAY(SELECT tx FROM \(transaction) WHERE time < now() - interval '\(Self.minutesKept) minutes'
          ORDER BY tx LIMIT 10000 FOR UPDATE SKIP LOCKED);
        DELETE FROM \(change) WHERE tx = ANY(_old);
        DELETE FROM \(transaction) WHERE tx = ANY(_old);
      END IF;
      RETURN _tx;
    END $perilune$
    """
  }
}
