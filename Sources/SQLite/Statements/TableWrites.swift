internal import CSQLite
package import StoreErrors

/// The tables that statements write, by themselves and by triggers, found by compiling them.
///
/// Nothing is run. What a statement needs and the connection does not have, such as a function of an app or a kind of
/// virtual table, makes compiling fail, as it would before the statement's first change.
package struct TableWrites {
  /// The names of the tables, each with a trigger that writes it, or nil if a statement does.
  package let tables: [String: String?]

  /// Compiles statements of a connection.
  package init(of statements: [String], on connection: Connection) throws(StoreError) {
    let listener = Listener()
    // A statement that is compiled already does not show it.
    _ = sqlite3_set_authorizer(
      connection.handle,
      { context, action, first, _, _, trigger in
        guard let context, let first, [SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE].contains(action) else {
          return SQLITE_OK
        }
        let listener = Unmanaged<Listener>.fromOpaque(context).takeUnretainedValue()
        let name = String(cString: first)
        // What a statement writes itself, triggers may write, too.
        if let known = listener.tables[name], known == nil { return SQLITE_OK }
        listener.tables.updateValue(trigger.map { String(cString: $0) }, forKey: name)
        return SQLITE_OK
      }, Unmanaged.passUnretained(listener).toOpaque())
    defer {
      if let confinement = connection.confinement {
        confinement.listen(to: connection.handle)
      } else {
        _ = sqlite3_set_authorizer(connection.handle, nil, nil)
      }
    }
    for statement in statements { _ = try connection.prepare(statement) }
    tables = listener.tables
  }

  private final class Listener {
    var tables: [String: String?] = [:]
  }
}
