internal import CSQLite
import Modeling
import StoreErrors

/// Checks the SQL of scripts in the sandbox: it may read and write rows and tables of the store, and nothing else.
///
/// SQLite calls it while it compiles a statement, for each column, table, function and PRAGMA. Only listed names are
/// allowed, so features of newer SQLite versions are refused until they are listed. Our own statements may do
/// everything, but the actions of triggers and views within them are checked like those of scripts.
package final class Confinement {
  /// The number of scripts' statements that are being compiled or run, nested.
  private var depth = 0
  private var refusal: RefusedSQL?
  /// Columns that read as null, by the tables' names, in lower case.
  private var hidden: [String: Set<String>] = [:]

  /// Whether the statements are those of a dump, which also make the bookkeeping of a store.
  private let isDump: Bool

  /// Checks the statements of a connection from now on.
  package init(_ handle: OpaquePointer?, isDump: Bool = false) {
    self.isDump = isDump
    listen(to: handle)
  }

  /// Makes it the authorizer of a connection's statements, in place of any other.
  func listen(to handle: OpaquePointer?) {
    sqlite3_set_authorizer(
      handle,
      { context, action, first, second, _, origin in
        guard let context else { return SQLITE_DENY }
        let request = Request(action: action, first: text(first), second: text(second), origin: text(origin))
        return Unmanaged<Confinement>.fromOpaque(context).takeUnretainedValue().decide(request)
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Has columns read as null by all statements, our own and those of views among them.
  func hide(_ columns: [(table: String, column: String)]) {
    for (table, column) in columns { hidden[asciiLowercased(table), default: []].insert(asciiLowercased(column)) }
  }

  /// Marks the start of compiling or running a script's statement, until `end`.
  package func begin() {
    depth += 1
    refusal = nil
  }

  package func end() { depth -= 1 }

  /// Returns the last refusal and forgets it.
  func takeRefusal() -> RefusedSQL? {
    defer { refusal = nil }
    return refusal
  }

  private func decide(_ request: Request) -> Int32 {
    if request.action == SQLITE_READ, !hidden.isEmpty, let table = request.first, let column = request.second,
      hidden[asciiLowercased(table)]?.contains(asciiLowercased(column)) == true
    {
      return SQLITE_IGNORE
    }
    // Reading is by far the most frequent request, and always allowed.
    if request.action == SQLITE_READ || request.action == SQLITE_SELECT { return SQLITE_OK }
    if depth == 0, request.origin == nil { return SQLITE_OK }
    guard let refused = request.refusal, !(isDump && isMade(byDump: refused)) else { return SQLITE_OK }
    refusal = refused
    return SQLITE_DENY
  }

  private func isMade(byDump refused: RefusedSQL) -> Bool {
    switch refused {
    case .bookkeeping: true
    case .pragma(let name, isSet: true): SandboxedSQL.dumpedPragmas.contains(name)
    default: false
    }
  }

  /// A request of SQLite's authorizer.
  private struct Request {
    var action: Int32
    var first: String?
    var second: String?
    /// The trigger or view that makes the request; nil for the statement itself.
    var origin: String?

    /// The reason for refusing it; nil if it is allowed.
    var refusal: RefusedSQL? {
      switch action {
      case SQLITE_TRANSACTION, SQLITE_SAVEPOINT, SQLITE_RECURSIVE, SQLITE_ANALYZE, SQLITE_REINDEX: nil
      case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE, SQLITE_CREATE_TABLE, SQLITE_CREATE_TEMP_TABLE,
        SQLITE_DROP_TABLE, SQLITE_DROP_TEMP_TABLE, SQLITE_CREATE_VIEW, SQLITE_CREATE_TEMP_VIEW, SQLITE_DROP_VIEW,
        SQLITE_DROP_TEMP_VIEW, SQLITE_DROP_VTABLE:
        refusal(ofWriting: [first])
      // A trigger or an index and its table, or a database and one of its tables.
      case SQLITE_CREATE_TRIGGER, SQLITE_CREATE_TEMP_TRIGGER, SQLITE_DROP_TRIGGER, SQLITE_DROP_TEMP_TRIGGER,
        SQLITE_CREATE_INDEX, SQLITE_CREATE_TEMP_INDEX, SQLITE_DROP_INDEX, SQLITE_DROP_TEMP_INDEX, SQLITE_ALTER_TABLE:
        refusal(ofWriting: [first, second])
      case SQLITE_CREATE_VTABLE:
        SandboxedSQL.modules.contains(lowercased(second)) ? refusal(ofWriting: [first]) : .module(second ?? "")
      case SQLITE_FUNCTION: SandboxedSQL.allows(function: lowercased(second)) ? nil : .function(second ?? "")
      case SQLITE_PRAGMA:
        SandboxedSQL.allows(pragma: lowercased(first), isSet: second != nil)
          ? nil : .pragma(lowercased(first), isSet: second != nil)
      // VACUUM attaches the file that it writes.
      case SQLITE_ATTACH: .statement("ATTACH and VACUUM")
      case SQLITE_DETACH: .statement("DETACH")
      default: .statement("this statement")
      }
    }

    /// The store's own triggers write its bookkeeping tables; scripts cannot create triggers with these names.
    private func refusal(ofWriting names: [String?]) -> RefusedSQL? {
      if let origin, SandboxedSQL.isBookkeeping(origin) { return nil }
      return names.compactMap(\.self).first(where: SandboxedSQL.isBookkeeping).map(RefusedSQL.bookkeeping)
    }

    private func lowercased(_ name: String?) -> String { asciiLowercased(name ?? "") }
  }
}

private func text(_ name: UnsafePointer<CChar>?) -> String? { name.map { String(cString: $0) } }
