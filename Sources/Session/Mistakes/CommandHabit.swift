internal import LuaBindings
internal import Modeling
package import Presentation

/// A command of another program, with its counterpart here.
///
///     CommandHabit.way("width")        // tables fit the window; .cols chooses columns
///     CommandHabit.way("\\dt")         // .tables
///
/// To add one, add a line to `ways`. Words without a sign are commands of sqlite3, litecli and DuckDB, those with a backslash of
/// psql, pgcli and mysql.
package enum CommandHabit {
  static let ways: [String: String] = [
    "backup": "store:backup \"copy.sqlite\"",
    "bail": "perilune stops at the first error of a script; --keep-going goes on",
    "binary": ".mode csv writes what it is given", "cd": "os.execute; file names are relative to where perilune began",
    "changes": "a line says what it changed; .diff shows what is not saved", "clone": "store:backup \"copy.sqlite\"",
    "columns": ".describe ENTITY", "databases": ".open FILE; store.path is the one that is open",
    "echo": "perilune FILE < script shows results alone", "eqp": "request:explain(), or .sql EXPLAIN QUERY PLAN ...",
    "excel": ".export FILE.csv REQUEST",
    "expert": "request:explain() names the index that would help, :tryIndex tries it",
    "explain": "request:explain(), or .sql EXPLAIN QUERY PLAN ...", "fullschema": ".schema",
    "indices": ".indexes", "lint": ".doctor", "log": ".trace on", "maxrows": ".last shows all rows",
    "maxwidth": ".mode lines",
    "nullvalue": "nil is shown as such in tables and left empty in csv", "print": "print(\"text\")",
    "prompt": "the prompt tells the store and how many changes are not saved", "restore": ".open COPY",
    "rows": ".mode table", "separator": ".mode tsv, .mode csv",
    "shell": "EXPRESSION | COMMAND, or os.execute(\"command\")",
    "show": ".mode, .timer and .hints without an argument tell what is set", "summarize": "ENTITY:summary()",
    "system": "EXPRESSION | COMMAND, or os.execute(\"command\")", "timeout": "--timeout SECONDS",
    "views": ".entities", "vfsinfo": ".doctor",
    "width": "tables fit the window; .cols chooses columns, .mode lines shows all",
    "\\?": ".help", "\\G": ".mode lines", "\\c": ".open FILE", "\\copy": ".import FILE, .export FILE REQUEST",
    "\\d": ".entities, .describe ENTITY", "\\d+": ".describe ENTITY", "\\di": ".indexes", "\\dn": ".entities",
    "\\dt": ".tables", "\\dt+": ".entities", "\\dv": ".entities", "\\e": "Ctrl-X Ctrl-E opens the line in an editor",
    "\\f": ".kept lists the requests that .keep NAME kept", "\\fs": ".keep NAME", "\\g": "Enter runs a line",
    "\\h": "?name, ?predicates", "\\i": ".read FILE", "\\l": ".entities", "\\o": ".output FILE, .once FILE",
    "\\pset": ".mode, .cols", "\\s": ".history", "\\set": "name = value", "\\sf": ".schema", "\\timing": ".timer on",
    "\\u": ".open FILE", "\\watch": "watch(request)", "\\x": ".mode lines", "\\!": "os.execute(\"command\")",
  ]

  /// The counterpart of a command; nil for an unknown one.
  package static func way(_ name: String) -> String? { ways[name] ?? ways[name.lowercased()] }

  /// The hint for a line that begins with a backslash and a word; nil for any other line.
  package static func diagnostic(_ line: String) -> Diagnostic? {
    let word = line.trimmingSpace.prefix { !$0.isWhitespace && $0 != ";" }
    guard word.first == "\\", word.count > 1 else { return nil }
    var diagnostic = Diagnostic("commands begin with a point here, not with a backslash")
    diagnostic.notes = [way(String(word)).map { "the same here: \($0)" } ?? ".help lists the commands"]
    return diagnostic
  }
}
