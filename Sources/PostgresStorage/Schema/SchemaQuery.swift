import Postgres

/// The questions whose answers are the statements that make a database's tables again, in the order in which they run.
///
/// The server writes the statements itself, as far as it has functions for it. Names have a schema only where the search path
/// does not find them.
enum SchemaQuery: CaseIterable {
  case schemas, extensions, types, functions, sequences, tables
  case owners, constraints, indexes, lateFunctions, views, triggers, rules

  /// What a dump writes before the rows, and what follows them.
  static let beforeRows: [SchemaQuery] = [.schemas, .extensions, .types, .functions, .sequences, .tables]
  static let afterRows: [SchemaQuery] = [
    .owners, .constraints, .indexes, .lateFunctions, .views, .triggers, .rules,
  ]

  /// Schemas of users, as `n`.
  static let isOfUsers: PostgresSQL =
    "n.nspname !~ '^pg_' AND n.nspname NOT IN ('information_schema', 'crdb_internal', 'columnar', 'columnar_internal')"

  /// The statement that asks, for all tables or for one, given by its name in SQL.
  func sql(of table: String?) -> PostgresSQL {
    switch self {
    case .schemas: table == nil ? Self.schemaText : Self.nothing
    case .extensions: table == nil ? Self.extensionText : Self.nothing
    case .types: table == nil ? Self.typeText : Self.nothing
    case .functions: table == nil ? Self.functionText(isLate: false) : Self.nothing
    case .sequences: Self.sequenceText(table)
    case .tables: Self.tableText(table)
    case .owners: Self.ownerText(table)
    case .constraints: Self.constraintText(table)
    case .indexes: Self.indexText(table)
    case .lateFunctions: table == nil ? Self.functionText(isLate: true) : Self.nothing
    case .views: Self.viewText(table)
    case .triggers: Self.triggerText(table)
    case .rules: Self.ruleText(table)
    }
  }

  private static let nothing: PostgresSQL = "SELECT '' WHERE false"

  /// Whether `oid` is the relation, if one is wanted.
  static func isTable(_ oid: String, _ table: String?) -> PostgresSQL {
    table.map { "\(raw: oid) = \(.text($0))::regclass" } ?? "true"
  }

  /// Whether an object belongs to no extension, which makes its own.
  static func isNoExtensions(_ catalog: String, _ oid: String) -> PostgresSQL {
    """
    NOT EXISTS (SELECT 1 FROM pg_depend e WHERE e.classid = '\(raw: catalog)'::regclass AND e.objid = \(raw: oid) \
    AND e.deptype = 'e')
    """
  }

  /// Relations of users, as `c` in `n`.
  static let relations: PostgresSQL = "pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"

  // MARK: Before the rows

  private static let schemaText: PostgresSQL = """
    SELECT format('CREATE SCHEMA IF NOT EXISTS %I', n.nspname) FROM pg_namespace n \
    WHERE \(isOfUsers) AND n.nspname <> 'public' AND \(isNoExtensions("pg_namespace", "n.oid")) ORDER BY n.nspname
    """

  private static let extensionText: PostgresSQL = """
    SELECT format('CREATE EXTENSION IF NOT EXISTS %I', extname) FROM pg_extension WHERE extname <> 'plpgsql' ORDER BY oid
    """

  /// Enums, domains and composite types, each after those of which it is made.
  private static let typeText: PostgresSQL = """
    SELECT CASE t.typtype
      WHEN 'e' THEN format('CREATE TYPE %s AS ENUM (%s)', t.oid::regtype,
        (SELECT string_agg(quote_literal(e.enumlabel), ', ' ORDER BY e.enumsortorder) FROM pg_enum e
          WHERE e.enumtypid = t.oid))
      WHEN 'd' THEN format('CREATE DOMAIN %s AS %s', t.oid::regtype, format_type(t.typbasetype, t.typtypmod))
        || coalesce(' DEFAULT ' || t.typdefault, '') || CASE WHEN t.typnotnull THEN ' NOT NULL' ELSE '' END
        || coalesce((SELECT string_agg(format(' CONSTRAINT %I %s', k.conname, pg_get_constraintdef(k.oid)), ''
          ORDER BY k.conname) FROM pg_constraint k WHERE k.contypid = t.oid AND k.contype = 'c'), '')
      ELSE format('CREATE TYPE %s AS (%s)', t.oid::regtype,
        (SELECT string_agg(quote_ident(a.attname) || ' ' || format_type(a.atttypid, a.atttypmod), ', '
          ORDER BY a.attnum) FROM pg_attribute a
          WHERE a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped))
      END
    FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace LEFT JOIN pg_class r ON r.oid = t.typrelid
    WHERE \(isOfUsers) AND (t.typtype IN ('e', 'd') OR r.relkind = 'c') AND \(isNoExtensions("pg_type", "t.oid"))
    ORDER BY t.oid
    """

  /// Functions and procedures. Those that name the type of a table's rows are late: they can be made after the tables alone.
  private static func functionText(isLate: Bool) -> PostgresSQL {
    """
    SELECT pg_get_functiondef(p.oid) FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace \
    WHERE \(isOfUsers) AND p.prokind <> 'a' AND \(isNoExtensions("pg_proc", "p.oid")) \
    AND \(raw: isLate ? "" : "NOT ")EXISTS (SELECT 1 FROM unnest(p.prorettype || p.proargtypes::oid[] \
    || coalesce(p.proallargtypes, '{}')) u JOIN pg_type t ON t.oid = u \
    LEFT JOIN pg_type l ON l.oid = t.typelem AND t.typcategory = 'A' \
    JOIN pg_class r ON r.oid = coalesce(l.typrelid, t.typrelid) AND r.relkind IN ('r', 'p', 'v', 'm')) ORDER BY p.oid
    """
  }

  /// Sequences but those of identity columns, which make theirs.
  private static func sequenceText(_ table: String?) -> PostgresSQL {
    """
    SELECT format('CREATE SEQUENCE %s AS %s INCREMENT BY %s MINVALUE %s MAXVALUE %s START WITH %s CACHE %s%s',
      c.oid::regclass, s.seqtypid::regtype, s.seqincrement, s.seqmin, s.seqmax, s.seqstart, s.seqcache,
      CASE WHEN s.seqcycle THEN ' CYCLE' ELSE '' END)
    FROM pg_sequence s JOIN pg_class c ON c.oid = s.seqrelid JOIN pg_namespace n ON n.oid = c.relnamespace
      LEFT JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = c.oid
        AND d.refclassid = 'pg_class'::regclass AND d.deptype IN ('a', 'i')
    WHERE \(isOfUsers) AND d.deptype IS DISTINCT FROM 'i' AND \(isNoExtensions("pg_class", "c.oid"))
      AND \(isTable("d.refobjid", table)) ORDER BY c.oid
    """
  }

  // MARK: After the rows

  /// The tables to which sequences belong.
  private static func ownerText(_ table: String?) -> PostgresSQL {
    """
    SELECT format('ALTER SEQUENCE %s OWNED BY %s.%I', c.oid::regclass, d.refobjid::regclass, a.attname)
    FROM \(relations) JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = c.oid
        AND d.refclassid = 'pg_class'::regclass AND d.deptype = 'a'
      JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
    WHERE c.relkind = 'S' AND \(isOfUsers) AND \(isNoExtensions("pg_class", "c.oid"))
      AND \(isTable("d.refobjid", table)) ORDER BY c.oid
    """
  }

  /// Foreign keys, and what partitions have besides the constraints of their table.
  private static func constraintText(_ table: String?) -> PostgresSQL {
    """
    SELECT format('ALTER TABLE %s ADD CONSTRAINT %I %s', c.oid::regclass, k.conname, pg_get_constraintdef(k.oid))
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE \(isOfUsers) AND k.conparentid = 0 AND \(isNoExtensions("pg_class", "c.oid"))
      AND (k.contype = 'f' OR c.relispartition AND k.coninhcount = 0 AND k.contype IN ('p', 'u', 'c', 'x'))
      AND \(isTable("c.oid", table)) ORDER BY k.contype = 'f', c.oid, k.conname
    """
  }

  /// Indexes but those of constraints, and of partitions, which follow from those of their table. The server writes ONLY for such a
  /// table, as if each partition were given its index afterwards.
  private static func indexText(_ table: String?) -> PostgresSQL {
    """
    SELECT replace(pg_get_indexdef(i.indexrelid), quote_ident(x.relname) || ' ON ONLY ', quote_ident(x.relname) || ' ON ')
    FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE \(isOfUsers) AND c.relkind IN ('r', 'p') AND \(isNoExtensions("pg_class", "c.oid"))
      AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u', 'x'))
      AND NOT EXISTS (SELECT 1 FROM pg_inherits h WHERE h.inhrelid = i.indexrelid)
      AND \(isTable("c.oid", table)) ORDER BY c.oid, i.indexrelid
    """
  }

  /// Views, and materialized views with their indexes.
  private static func viewText(_ table: String?) -> PostgresSQL {
    """
    SELECT text FROM (
      SELECT c.oid AS view, 0::oid AS index, format(E'CREATE %sVIEW %s%s AS\\n%s',
        CASE WHEN c.relkind = 'm' THEN 'MATERIALIZED ' ELSE '' END, c.oid::regclass,
        coalesce(' WITH (' || array_to_string(c.reloptions, ', ') || ')', ''),
        rtrim(pg_get_viewdef(c.oid, true), ';')) AS text
      FROM \(relations) WHERE c.relkind IN ('v', 'm') AND \(isOfUsers) AND \(isNoExtensions("pg_class", "c.oid"))
      UNION ALL SELECT c.oid, i.indexrelid, pg_get_indexdef(i.indexrelid) FROM pg_index i
        JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind = 'm' AND \(isOfUsers) AND \(isNoExtensions("pg_class", "c.oid"))) v
    WHERE \(isTable("view", table)) ORDER BY view, index
    """
  }

  /// Triggers, but the server's own and those that partitions have from their table.
  private static func triggerText(_ table: String?) -> PostgresSQL {
    """
    SELECT pg_get_triggerdef(g.oid)
    FROM pg_trigger g JOIN pg_class c ON c.oid = g.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE \(isOfUsers) AND NOT g.tgisinternal AND \(isNoExtensions("pg_class", "c.oid"))
      AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_trigger'::regclass AND d.objid = g.oid
        AND d.refclassid = 'pg_trigger'::regclass)
      AND \(isTable("c.oid", table)) ORDER BY c.oid, g.tgname
    """
  }

  /// Rules but those that are views.
  private static func ruleText(_ table: String?) -> PostgresSQL {
    """
    SELECT pg_get_ruledef(r.oid)
    FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE \(isOfUsers) AND r.rulename <> '_RETURN' AND \(isNoExtensions("pg_class", "c.oid"))
      AND \(isTable("c.oid", table)) ORDER BY c.oid, r.rulename
    """
  }
}
