import Modeling

/// The SQL that scripts may use in the sandbox.
///
/// Before you add an entry, make sure that it reads no file, reveals no address, and changes nothing but rows and
/// tables of the store and nothing that outlasts its statement. SandboxedSQLTests compares the lists with the functions
/// of the installed SQLite.
package enum SandboxedSQL {
  /// The prefix of the store's own tables: its model, its journal, its history.
  private static let bookkeepingPrefix = "_perilune"

  static func isBookkeeping(_ name: String) -> Bool { asciiLowercased(name).hasPrefix(bookkeepingPrefix) }

  package static func allows(function name: String) -> Bool { functions.contains(name) }

  /// Kinds of virtual tables that can be created.
  package static let modules: Set<String> = [
    "fts3", "fts4", "fts4aux", "fts5", "fts5vocab", "geopoly", "rtree", "rtree_i32",
  ]

  package static func allows(pragma name: String, isSet: Bool) -> Bool {
    askedPragmas.contains(name) || (!isSet && readPragmas.contains(name))
  }

  /// PRAGMAs that answer questions about their argument.
  package static let askedPragmas: Set<String> = [
    "foreign_key_check", "foreign_key_list", "index_info", "index_list", "index_xinfo", "integrity_check",
    "quick_check", "table_info", "table_list", "table_xinfo",
  ]

  /// PRAGMAs that return a setting if they have no argument.
  package static let readPragmas: Set<String> = [
    "application_id", "auto_vacuum", "automatic_index", "busy_timeout", "cache_size", "collation_list",
    "compile_options", "data_version", "encoding", "foreign_keys", "freelist_count", "function_list", "journal_mode",
    "max_page_count", "module_list", "page_count", "page_size", "pragma_list", "query_only", "recursive_triggers",
    "schema_version", "synchronous", "user_version",
  ]

  /// PRAGMAs that a dump may set: what they change is in the database, or ends with the dump.
  static let dumpedPragmas: Set<String> = ["application_id", "foreign_keys", "user_version"]

  /// SQLite's functions, and ours, that compute a value from their arguments, the row or the clock.
  package static let functions: Set<String> = [
    "->", "->>", "abs", "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "avg", "bm25", "ceil", "ceiling",
    "changes", "char", "coalesce", "concat", "concat_ws", "cos", "cosh", "count", "cume_dist", "current_date",
    "current_time", "current_timestamp", "date", "datetime", "degrees", "dense_rank", "exp", "first_value", "floor",
    "format", "glob", "group_concat", "hex", "highlight", "if", "ifnull", "iif", "instr", "json", "json_array",
    "json_array_length", "json_error_position", "json_extract", "json_group_array", "json_group_object",
    "json_insert", "json_object", "json_patch", "json_pretty", "json_quote", "json_remove", "json_replace",
    "json_set", "json_type", "json_valid", "jsonb", "jsonb_array", "jsonb_extract", "jsonb_group_array",
    "jsonb_group_object", "jsonb_insert", "jsonb_object", "jsonb_patch", "jsonb_remove", "jsonb_replace", "jsonb_set",
    "julianday", "lag", "last_insert_rowid", "last_value", "lead", "length", "like", "likelihood", "likely", "ln",
    "log", "log10", "log2", "lower", "ltrim", "match", "matchinfo", "max", "median", "min", "mod", "nth_value",
    "ntile", "nullif", "octet_length", "offsets", "percent_rank", "percentile", "percentile_cont",
    "percentile_disc", "pi", "pow", "power", "printf", "quote", "radians", "random", "randomblob", "rank", "replace",
    "round", "row_key", "row_number", "rtrim", "sign", "sin", "sinh", "snippet", "soundex", "sqlite_compileoption_get",
    "sqlite_compileoption_used", "sqlite_source_id", "sqlite_version", "sqrt", "strftime", "string_agg", "substr",
    "substring", "subtype", "sum", "tan", "tanh", "time", "timediff", "total", "total_changes", "trim", "trunc",
    "typeof", "unhex", "unicode", "unistr", "unistr_quote", "unixepoch", "unlikely", "upper", "zeroblob",
    // Functions that only ALTER TABLE calls.
    "sqlite_add_constraint", "sqlite_drop_column", "sqlite_drop_constraint", "sqlite_fail", "sqlite_find_constraint",
    "sqlite_rename_column", "sqlite_rename_quotefix", "sqlite_rename_table", "sqlite_rename_test",
    // Functions that the triggers of Core Data stores call; they do nothing here.
    "nscoredatadatriggerinsertupdatedaffectedobjectvalue", "nscoredatadatriggerupdatedaffectedobjectvalue",
    // Our functions, which predicates use as well.
    "aggregate_average", "aggregate_median", "aggregate_mode", "aggregate_stddev", "aggregate_sum", "archived_json",
    "base64_data", "call", "convert_value", "data_base64", "date_seconds", "decimal_text",
    "exact_average", "exact_sum", "text_beginswith", "text_compare", "text_contains", "text_date", "text_endswith",
    "text_fold", "text_like", "text_matches",
    "uuid_text",
  ]
}
