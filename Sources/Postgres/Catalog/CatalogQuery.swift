/// The questions that a catalog is read by; all are asked at once.
enum CatalogQuery: CaseIterable {
  case searchPath
  case schemas
  case relations
  case columns
  case keys
  case foreignKeys
  case checks
  case indexes
  case enums
  case domains
  case ranges
  case arrays

  /// Schemas of users, as `n`.
  private static let isOfUsers =
    "n.nspname !~ '^pg_' AND n.nspname NOT IN ('information_schema', 'crdb_internal', 'columnar', 'columnar_internal')"
  /// Relations with rows, as `c` in `n`.
  private static let isRelation = "c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition AND \(isOfUsers)"
  private static let source = "pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"

  /// The SQL of the question; versions have different catalogs.
  func sql(serverVersion: Int) -> String {
    switch self {
    case .searchPath: return "SELECT current_schemas(false)::text[]"
    case .schemas:
      return """
        SELECT n.nspname::text FROM pg_namespace n
        WHERE \(Self.isOfUsers) AND has_schema_privilege(n.oid, 'USAGE') ORDER BY 1
        """
    case .relations:
      return """
        SELECT c.oid, n.nspname::text, c.relname::text, c.relkind::text, obj_description(c.oid, 'pg_class'),
          CASE WHEN c.relkind = 'p' AND c.reltuples < 0 THEN
            (SELECT sum(l.reltuples) FROM pg_partition_tree(c.oid) t JOIN pg_class l ON l.oid = t.relid
              WHERE t.isleaf AND l.reltuples >= 0)
          ELSE c.reltuples END::float8,
          has_table_privilege(c.oid, 'SELECT'), has_table_privilege(c.oid, 'INSERT'),
          has_table_privilege(c.oid, 'UPDATE'), has_table_privilege(c.oid, 'DELETE'),
          pg_relation_is_updatable(c.oid, true), row_security_active(c.oid),
          EXISTS (SELECT 1 FROM pg_depend d
            WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e'),
          EXISTS (SELECT 1 FROM pg_trigger g WHERE g.tgrelid = c.oid AND NOT g.tgisinternal),
          c.relhasrules AND c.relkind IN ('r', 'p')
        FROM \(Self.source) WHERE \(Self.isRelation) AND has_schema_privilege(n.oid, 'USAGE')
        """
    case .columns:
      // Those of composite types, too.
      return """
        SELECT c.oid, c.relkind::text, c.reltype, n.nspname::text, c.relname::text, a.attname::text, a.attnum,
          a.atttypid, format_type(a.atttypid, a.atttypmod), a.atttypmod, a.attnotnull,
          pg_get_expr(d.adbin, d.adrelid), a.attidentity::text, a.attgenerated::text,
          CASE WHEN a.attcollation <> t.typcollation
            THEN (SELECT o.collname::text FROM pg_collation o WHERE o.oid = a.attcollation) END,
          col_description(c.oid, a.attnum)
        FROM \(Self.source) JOIN pg_attribute a ON a.attrelid = c.oid
          JOIN pg_type t ON t.oid = a.atttypid
          LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
        WHERE (\(Self.isRelation) OR c.relkind = 'c' AND \(Self.isOfUsers)) AND a.attnum > 0 AND NOT a.attisdropped
        ORDER BY c.oid, a.attnum
        """
    case .keys:
      let nulls = serverVersion >= 150_000 ? "i.indnullsnotdistinct" : "false"
      return """
        SELECT k.conrelid, k.conname::text, k.contype::text, k.conkey::int4[], k.condeferrable, k.condeferred, \(nulls)
        FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
          LEFT JOIN pg_index i ON i.indexrelid = k.conindid
        WHERE k.contype IN ('p', 'u') AND \(Self.isRelation) ORDER BY k.conname
        """
    case .foreignKeys:
      // One to a table with partitions is kept once for each of them, besides.
      return """
        SELECT k.conrelid, k.conname::text, k.conkey::int4[], k.confrelid, m.nspname::text, r.relname::text,
          (SELECT array_agg(a.attname::text ORDER BY f.place)
            FROM unnest(k.confkey) WITH ORDINALITY f(number, place)
              JOIN pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = f.number),
          k.confdeltype::text, k.confupdtype::text, k.condeferrable, k.condeferred, k.convalidated, k.confmatchtype = 'f'
        FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
          JOIN pg_class r ON r.oid = k.confrelid JOIN pg_namespace m ON m.oid = r.relnamespace
        WHERE k.contype = 'f' AND k.conparentid = 0 AND \(Self.isRelation) ORDER BY k.conname
        """
    case .checks:
      return """
        SELECT k.conrelid, k.contypid, k.conname::text, pg_get_expr(k.conbin, k.conrelid)
        FROM pg_constraint k JOIN pg_namespace n ON n.oid = k.connamespace
        WHERE k.contype = 'c' AND \(Self.isOfUsers) ORDER BY k.conname
        """
    case .indexes:
      return """
        SELECT i.indrelid, x.relname::text, m.amname::text, i.indisunique, i.indisprimary, i.indisvalid,
          pg_get_expr(i.indpred, i.indrelid), i.indkey::int2[]::int4[], i.indoption::int2[]::int4[], i.indnkeyatts,
          (SELECT array_agg(pg_get_indexdef(i.indexrelid, p, true) ORDER BY p)
            FROM generate_series(1, i.indnatts::int4) p)
        FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_am m ON m.oid = x.relam
          JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE \(Self.isRelation) ORDER BY x.relname
        """
    case .enums:
      return """
        SELECT t.oid, n.nspname::text, t.typname::text, array_agg(e.enumlabel::text ORDER BY e.enumsortorder)
        FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace JOIN pg_enum e ON e.enumtypid = t.oid
        GROUP BY 1, 2, 3
        """
    case .domains:
      return """
        SELECT t.oid, n.nspname::text, t.typname::text, t.typbasetype, t.typtypmod, t.typnotnull, t.typdefault
        FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace WHERE t.typtype = 'd' AND \(Self.isOfUsers)
        """
    case .ranges:
      let multiranges =
        serverVersion >= 140_000
        ? "UNION ALL SELECT rngmultitypid, rngsubtype FROM pg_range WHERE rngmultitypid <> 0" : ""
      return "SELECT rngtypid, rngsubtype FROM pg_range \(multiranges)"
    case .arrays: return "SELECT oid, typelem FROM pg_type WHERE typelem <> 0 AND typcategory = 'A'"
    }
  }
}
