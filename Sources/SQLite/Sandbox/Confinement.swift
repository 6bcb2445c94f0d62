internal import CSQLite
import Modeling
import StoreErrors

/// Decides what SQL of scripts may do in the sandbox: read and write rows and tables of the store, and nothing beside it.
///
/// SQLite asks it while it compiles, about each column, table, function and PRAGMA of a statement. What is not allowed by
/// name is refused, so that what a newer SQLite brings is refused until somebody has said here that it is safe. Our own
/// statements may do everything; what triggers and views do in them is a script's all the same.
package final class Confinement {
  /// How many statements of scripts are compiled or run at the moment, one inside the other.
  private var depth = 0
  private var refusal: RefusedSQL?

  /// Decides for a connection from now on.
  package init(_ handle: OpaquePointer?) {
    sqlite3_set_authorizer(
      handle,
      { context, action, first, second, _, origin in
        guard let context else { return SQLITE_DENY }
        let request = Request(action: action, first: text(first), second: text(second), origin: text(origin))
        return Unmanaged<Confinement>.fromOpaque(context).takeUnretainedValue().decide(request)
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// A statement of a script is compiled or goes on, until `end`.
  package func begin() {
    depth += 1
    refusal = nil
  }

  package func end() { depth -= 1 }

  /// What was refused last, to be told once.
  func takeRefusal() -> RefusedSQL? {
    defer { refusal = nil }
    return refusal
  }

  private func decide(_ request: Request) -> Int32 {
    // Reading, by far the most frequent question, is always allowed.
    if request.action == SQLITE_READ || request.action == SQLITE_SELECT { return SQLITE_OK }
    if depth == 0, request.origin == nil { return SQLITE_OK }
    guard let refused = request.refusal else { return SQLITE_OK }
    refusal = refused
    return SQLITE_DENY
  }

  /// What SQLite asks about.
  private struct Request {
    var action: Int32
    var first: String?
    var second: String?
    /// The trigger or view that does it; nil for the statement itself.
    var origin: String?

    /// Why it is not allowed; nil if it is.
    var refusal: RefusedSQL? {
      switch action {
      case SQLITE_TRANSACTION, SQLITE_SAVEPOINT, SQLITE_RECURSIVE, SQLITE_ANALYZE, SQLITE_REINDEX: nil
      case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE, SQLITE_CREATE_TABLE, SQLITE_CREATE_TEMP_TABLE,
        SQLITE_DROP_TABLE, SQLITE_DROP_TEMP_TABLE, SQLITE_CREATE_VIEW, SQLITE_CREATE_TEMP_VIEW, SQLITE_DROP_VIEW,
        SQLITE_DROP_TEMP_VIEW, SQLITE_DROP_VTABLE:
        refusal(ofWriting: [first])
      // A trigger or an index and its table; a database and a table of it.
      case SQLITE_CREATE_TRIGGER, SQLITE_CREATE_TEMP_TRIGGER, SQLITE_DROP_TRIGGER, SQLITE_DROP_TEMP_TRIGGER,
        SQLITE_CREATE_INDEX, SQLITE_CREATE_TEMP_INDEX, SQLITE_DROP_INDEX, SQLITE_DROP_TEMP_INDEX, SQLITE_ALTER_TABLE:
        refusal(ofWriting: [first, second])
      case SQLITE_CREATE_VTABLE:
        SandboxedSQL.modules.contains(lowercased(second)) ? refusal(ofWriting: [first]) : .module(second ?? "")
      case SQLITE_FUNCTION: SandboxedSQL.allows(function: lowercased(second)) ? nil : .function(second ?? "")
      case SQLITE_PRAGMA:
        SandboxedSQL.allows(pragma: lowercased(first), isSet: second != nil)
          ? nil : .pragma(lowercased(first), isSet: second != nil)
      // VACUUM attaches what it writes.
      case SQLITE_ATTACH: .statement("ATTACH and VACUUM")
      case SQLITE_DETACH: .statement("DETACH")
      default: .statement("this statement")
      }
    }

    /// The store's own triggers write its books; those of scripts cannot have such names.
    private func refusal(ofWriting names: [String?]) -> RefusedSQL? {
      if let origin, SandboxedSQL.isBookkeeping(origin) { return nil }
      return names.compactMap(\.self).first(where: SandboxedSQL.isBookkeeping).map(RefusedSQL.bookkeeping)
    }

    private func lowercased(_ name: String?) -> String { asciiLowercased(name ?? "") }
  }
}

private func text(_ name: UnsafePointer<CChar>?) -> String? { name.map { String(cString: $0) } }
