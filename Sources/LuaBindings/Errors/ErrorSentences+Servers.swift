internal import Foundation
internal import Modeling
internal import Stores

extension ErrorReport {
  static func serverReport(_ error: StoreError, _ path: String) -> ErrorReport {
    func report(_ kind: String, _ message: String, _ status: Int32) -> ErrorReport {
      ErrorReport(kind, message, exitStatus: status)
    }
    switch error.fact {
    case .clientLibraryMissing(let package):
      let how = "install it, as by 'apt install \(package)'"
      return report("connection", "PostgreSQL's client library (libpq.so.5) is not on this system; \(how)", 69)
    case .clientLibraryTooOld(let package, let version):
      return report("connection", "PostgreSQL's client library (\(package)) is older than version \(version)", 69)
    case .clientLibraryRefused(let reason):
      return report("connection", "PostgreSQL's client library refused the call: \(reason)", 70)
    case .wrongAddress(""):
      return report("connection", "the address of the server cannot be read: it holds the character NUL (\\0)", 64)
    case .wrongAddress(let reason):
      return report("connection", "the address of the server cannot be read: \(reason)", 64)
    case .connectionFailed(let reason):
      // The server's own message ends with "FATAL: …"; with several hosts there are several reasons.
      let parts = reason.components(separatedBy: "FATAL:  ")
      if parts.count == 2, !parts[0].contains("; ") {
        return report("connection", "\(path) refuses the connection: \(parts[1])", 69)
      }
      return report("connection", "\(path) cannot be reached: \(reason)", 69)
    case .noDatabase(let name):
      return report("notFound", "the server of \(path) has no database '\(name)'; 'createdb \(name)' makes one", 66)
    case .passwordMissing(let user):
      let how = "PGPASSWORD, a line of ~/.pgpass or the address gives one"
      return report("password", "\(path) asks for a password of '\(user)', and there is none; \(how)", 77)
    case .connectionTimedOut(let seconds):
      return report("connection", "\(path) did not answer in \(seconds.formattedSeconds)", 75)
    case .connectionLost(let reason):
      let what = "the connection to \(path) was lost\(reason.isEmpty ? "" : ": \(reason)")"
      return report("connection", what, 75)
    case .commitUnknown(let reason):
      let what = "the connection to \(path) was lost during the commit\(reason.isEmpty ? "" : ": \(reason)")"
      return report("connection", "\(what); look whether the changes are there before you save again", 75)
    case .notSerialized(let attempts):
      let tried = attempts > 1 ? " after \(attempts) attempts" : ""
      return report("busy", "others changed the same rows of \(path) at the same time\(tried); nothing was written", 75)
    case .notDistributable(let entity, let property, let unique):
      let what = "\(entity) cannot be distributed by '\(property)'"
      guard !unique.isEmpty else {
        return report("model", "\(what): it has no attribute or to-one of its own of that name", 1)
      }
      return report(
        "model", "\(what): \(unique.joined(separator: ", ")) must be unique together with it on this server", 1)
    case .lacking(let server, let feature):
      return report("store", "\(server) has no \(feature), which this needs; nothing was written", 1)
    case .connectionBusy:
      let how = "end the loop over them first, or loop over what fetch() gives"
      return report("busy", "rows are still being read from \(path); \(how)", 75)
    case .unexpectedAnswer(let command):
      let what = command.isEmpty ? "an answer" : "an answer to \(command)"
      return report("connection", "\(path) gave \(what) that was not expected there", 76)
    case .nulInText:
      return report("value", "PostgreSQL keeps no text with the character NUL (\\0) in it; data (bytea) can hold it", 1)
    case .valueTooLarge(let bytes):
      return report("value", "a value of \(count(bytes, "byte")) is larger than what PostgreSQL can keep (1 GB)", 1)
    case .numberTooLarge(let number, let bits):
      let type = bits == 16 ? "smallint" : "integer"
      return report("value", "\(number) does not fit into a column of type \(type) (\(bits) bits)", 1)
    case .wrongFieldCount(let row, let missing):
      let what = missing < 0 ? "more values than it was begun with" : "\(count(missing, "value")) too few"
      return report("value", "row \(row) that is copied to \(path) has \(what)", 70)
    case .wrongNumber(let text):
      let form = "expected decimal digits, at most 131,072 before the point and 16,383 after it"
      return report("value", "'\(text.prefix(40))' is no number that PostgreSQL can keep: \(form)", 1)
    case .server(let error): return ErrorReport(error, path)
    default: return report("store", "\(path) refused it", 1)
    }
  }

  /// A refusal by a server.
  private init(_ error: ServerError, _ path: String) {
    var parts = [error.message]
    if let detail = error.detail { parts.append(detail) }
    if let hint = error.hint { parts.append("the server advises: \(hint)") }
    let place = error.index.map { " (statement \($0 + 1) of those sent together)" } ?? ""
    var detail = Detail(error.message, fields: [("sqlstate", error.sqlState)])
    let names = [
      ("detail", error.detail), ("hint", error.hint), ("schema", error.schema), ("table", error.table),
      ("column", error.column), ("type", error.type), ("constraint", error.constraint), ("context", error.context),
    ]
    detail.fields += names.compactMap { name, value in value.map { (name, $0) } }
    if let statement = error.statement, let offset = error.offset {
      detail.excerpt = Excerpt(text: statement, range: offset..<offset + 1)
    }
    self.init(
      "sql", "\(parts.joined(separator: "; ")) [\(error.sqlState)]\(place)", details: [detail], exitStatus: 1)
  }
}
