internal import CSQLite
import Foundation
package import StoreErrors

// Extended codes are macros over macros, which Swift does not import.
/// SQLITE_CONSTRAINT_UNIQUE, _PRIMARYKEY and _ROWID.
private let uniqueCodes: [Int32] = [19 | 8 << 8, 19 | 6 << 8, 19 | 10 << 8]

extension StoreError.Fact {
  /// The fact behind a code of SQLite (primary or extended), if the code alone determines it.
  package static func sqlite(code: Int32, message: String) -> StoreError.Fact {
    // SQLITE_READONLY_ROLLBACK
    if code == SQLITE_READONLY | 3 << 8 { return .unfinishedChange(pages: 0) }
    return switch code & 0xff {
    case SQLITE_INTERRUPT: .interrupted
    case SQLITE_READONLY: .readOnly
    case SQLITE_CORRUPT: .corrupt(message)
    case SQLITE_NOTADB: .notADatabase
    case SQLITE_FULL: .full
    case SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_PERM: .inputOutput(message)
    case SQLITE_NOMEM: .outOfMemory
    case SQLITE_CONSTRAINT: .constraint(message)
    default: .sql(message: message, statement: "", offset: nil)
    }
  }
}

extension Connection {
  /// The error of the call that returned `code`; must be called before the next call.
  package func error(_ code: Int32, sql: String) -> StoreError {
    let message = sqlite3_errmsg(handle).map { String(cString: $0) } ?? ""
    // Some functions, such as sqlite3_exec, return the primary code alone.
    let extended = code > 0xff ? code : sqlite3_extended_errcode(handle)
    let precise = extended & 0xff == code & 0xff ? extended : code
    return StoreError(fact(precise, message, sql), path: path)
  }

  private func fact(_ code: Int32, _ message: String, _ sql: String) -> StoreError.Fact {
    if let fact = wait.fact(code: code) { return fact }
    if let refusal = confinement?.takeRefusal() { return .refusedBySandbox(refusal) }
    if message == "parser stack overflow" || message.hasPrefix("Expression tree is too large") { return .tooDeep }
    if uniqueCodes.contains(code) { return uniquenessFact(message) ?? .constraint(message) }
    if code == SQLITE_TOOBIG, SQLiteMemory.limit != nil { return .outOfMemory }
    switch code {
    case SQLITE_ERROR, SQLITE_MISUSE, SQLITE_RANGE, SQLITE_AUTH, SQLITE_TOOBIG, SQLITE_MISMATCH, SQLITE_SCHEMA:
      let offset = sqlite3_error_offset(handle)
      return .sql(message: message, statement: sql, offset: offset < 0 ? nil : Int(offset))
    default:
      let fact = StoreError.Fact.sqlite(code: code, message: message)
      if case .sql = fact { return .sql(message: message, statement: sql, offset: nil) }
      return fact
    }
  }

  /// Parses `UNIQUE constraint failed: quake.code, quake.time`.
  private func uniquenessFact(_ message: String) -> StoreError.Fact? {
    guard let colon = message.range(of: "failed: ") else { return nil }
    let columns = message[colon.upperBound...].components(separatedBy: ", ")
    // The name of a table or column may contain dots; all columns have the same table.
    guard let dot = columns[0].firstIndex(of: ".") else { return nil }
    let table = String(columns[0][..<dot])
    let names = columns.map { $0.hasPrefix(table + ".") ? String($0.dropFirst(table.count + 1)) : $0 }
    let named = nameConstraint(table, names)
    return .notUnique(entity: named?.entity ?? table, properties: named?.properties ?? names, values: [])
  }
}
