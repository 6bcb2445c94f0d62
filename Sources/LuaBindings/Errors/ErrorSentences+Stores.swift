internal import Modeling
import SQLite
internal import Stores

extension ErrorReport {
  static func report(_ error: StoreError) -> ErrorReport {
    let path = error.path.map { "'\($0.withoutPassword)'" } ?? "the store"
    func report(_ kind: String, _ message: String, _ status: Int32, details: [String] = []) -> ErrorReport {
      ErrorReport(kind, message, details: details.map { Detail($0) }, exitStatus: status)
    }
    func lines(_ head: String, _ rest: [String]) -> String { ([head] + rest.map { "  \($0)" }).joined(separator: "\n") }
    switch error.fact {
    case .notFound: return report("notFound", "there is no store \(path); make one with create = true (--create)", 66)
    case .nothingToOpen: return report("notFound", "there is no store \(path)", 66)
    case .isDirectory: return report("notFound", "\(path) is a directory, not a store", 66)
    case .notReadable(let reason): return report("store", "\(path) cannot be read: \(reason)", 66)
    case .notADatabase: return report("store", "\(path) is not an SQLite file\(DataFile.Format.hint(for: path))", 69)
    case .isLog(let database):
      let what = database.map { "'\($0)'" } ?? "a store"
      return report("store", "\(path) is the write-ahead log of \(what); open that, with the log beside it", 69)
    case .onlyLog:
      let what =
        "there is no store \(path), only its write-ahead log '\(error.path ?? "")-wal': the file was left behind"
      return report("notFound", what, 66)
    case .companionNotReadable(let name, let reason):
      return report("store", "\(path) cannot be read without '\(name)': \(reason)", 66)
    case .encryptedOrNotADatabase: return report("store", "\(path) is encrypted, or not an SQLite file", 69)
    case .damagedHeader(let damage):
      let last = damage.range.upperBound - 1
      let place = damage.range.count == 1 ? "byte \(last)" : "bytes \(damage.range.lowerBound) to \(last)"
      let what = "\(place) should be \(damage.expected), and \(damage.range.count == 1 ? "is" : "are") \(damage.found)"
      return report("store", "\(path) is a damaged SQLite file: \(what); nothing was changed", 69)
    case .unfinishedChange(let pages):
      let what = pages == 0 ? "a change" : "a change of \(count(pages, "page"))"
      let journal = "'\(error.path ?? "the store")-journal' lies beside it"
      let remedy =
        "--write or open(path, { readOnly = false }) takes the change back, --read-only reads a copy without it"
      return report("store", "\(path) was left in the middle of \(what), and \(journal): \(remedy)", 69)
    case .onlyJournal:
      let what = "there is no store \(path), only its journal '\(error.path ?? "")-journal': the file was left behind"
      return report("notFound", what, 66)
    case .truncated: return report("store", "\(path) is cut off: the file is shorter than its header says", 69)
    case .modelMismatch(let differences):
      return report("model", lines("the model does not fit \(path):", differences), 69, details: differences)
    case .modelOfOtherStore(let known):
      let names = known.count > 8 ? known.prefix(7) + ["\(Quantity.grouped(known.count - 7)) more"] : known
      let what = names.isEmpty ? "lists no entities" : "has \(list(names))"
      return report("model", "the model is of another store: \(path) has none of its entities, it \(what)", 69)
    case .migrationRefused(let reasons):
      return report("migration", lines("\(path) cannot be migrated to the model:", reasons), 69, details: reasons)
    case .newerStore(let version):
      return report("store", "\(path) was made by a newer perilune (format \(version))", 69)
    case .migrationLosing, .newerModel, .unknownModel, .stagesApart, .stagesEndElsewhere, .notMigratable, .backupFailed,
      .damagedByMigration:
      return migrationReport(error, path)
    case .cannotCreate(let reason): return report("store", "\(path) cannot be made: \(reason)", 74)
    case .dump(let line, let fact): return report("import", "\(path):\(line): \(dumpSentence(fact))", 65)
    case .closed: return report("closed", "the store is closed", 1)
    case .busy(let seconds, let holders):
      let who = holders.isEmpty ? "another process" : list(holders)
      // A server does not say how long it has waited.
      let wait = seconds > 0 ? "; waited \(seconds.formattedSeconds)" : ""
      return report("busy", "\(path) is locked by \(who)\(wait)", 75)
    case .openTransaction:
      return report("transaction", "a transaction of \(path) is open, and this cannot be done before it has ended", 1)
    case .transactionHeld(let word, let holder):
      let what = "\(word) is refused: \(holder.sentence(path))"
      return report(holder == .readOnly ? "readOnly" : "transaction", what, holder == .readOnly ? 77 : 1)
    case .cursorIsOutdated:
      let what = "another process wrote to \(path) while a loop over its objects is not at its end"
      return report("busy", "\(what); save after the loop, or loop over what fetch() gives", 75)
    case .readOnly: return report("readOnly", "\(path) was opened read-only", 77)
    case .notApproved:
      let how = "change objects and save them, which proposes the changes"
      return report("readOnly", "what is written to \(path) here waits for approval: \(how)", 77)
    case .moved: return report("moved", "\(path) cannot be written: \(movedSentence)", 74)
    case .notWritable(let reason): return report("readOnly", "\(path) cannot be written: \(reason)", 77)
    case .coreDataReadOnly:
      let how = "--write or open(path, { readOnly = false }) opens it to be written"
      return report("readOnly", "\(path) is a Core Data store, which is only read: \(how)", 77)
    case .readOnlyEntity(let name):
      return report("readOnly", "\(name) cannot be written: it has no key, is a view, or you may not write it", 77)
    case .coreDataNotWritable(let obstacle):
      let what = obstacle.isOfStore ? "can only be read" : "was not written"
      return report("readOnly", "\(path) \(what): \(obstacle.sentence)", 77)
    case .corrupt(let text): return report("store", "\(path) is damaged: \(text)", 74)
    case .full: return report("store", "\(path) cannot grow: the disk is full", 74)
    case .inputOutput(let text): return report("store", "\(path): input or output failed: \(text)", 74)
    case .interrupted: return report("interrupted", "the statement was interrupted and had no effect", 130)
    case .notUnique(let entity, ["_pk"], _):
      return report("notUnique", "an object of \(entity) cannot be restored: its key is in use again", 1)
    case .notUnique(let entity, let properties, let values):
      let pairs = zip(properties, values).map { "\($0) = \($1.debugText)" }
      let what = pairs.isEmpty ? list(properties) : list(pairs)
      return report("notUnique", "there is another \(entity) with \(what)", 1)
    case .constraint(let text): return report("constraint", "the store refused it: \(text)", 1)
    case .unfitDate(let entity, let property, let date, let sample):
      let form = "as text such as '\(sample)'"
      return report("validation", "\(entity).\(property) is kept \(form), which cannot hold \(date)", 1)
    case .deleteDenied(let entity, let relationship, let number):
      return report("validation", "\(entity) cannot be deleted while \(relationship) has \(count(number, "object"))", 1)
    case .deleteHeld(let entity, let hold):
      return report("validation", "\(article(entity)) cannot be deleted: \(hold.sentence)", 1)
    case .sql(let message, let statement, let offset):
      let detail = Detail(message, excerpt: offset.map { Excerpt(text: statement, range: $0..<$0 + 1) })
      return ErrorReport("sql", message, details: [detail])
    case .refusedBySandbox(let refusal):
      return ErrorReport("sandbox", refusal.sentence(), exitStatus: RefusedInSandbox.exitStatus)
    case .tooDeep:
      return report(
        "sql", "the condition is nested deeper than SQLite can read; write it flatter, or in several steps", 1)
    case .missingRow(let entity, let key): return report("missingRow", "\(entity) \(key) is no longer in the store", 1)
    case .cannot(let ability): return report("store", "\(path) \(ability.refusal)", 1)
    case .sameStore: return report("store", "\(path) cannot be copied into itself", 1)
    case .notEmpty(let entity):
      return report("store", "\(path) has objects of \(entity); a subset needs a database without objects", 1)
    case .wrongValue(let entity, let property, let key, let value):
      let what = "\(entity) \(key) has \(property) = \(value.debugText)"
      return report("value", "\(what), which the attribute of the other store does not hold", 1)
    case .outOfMemory:
      // A script that exceeds the memory limit has failed, as it does if Lua exceeds it.
      if let limit = SQLiteMemory.limit { return report("memory", "not enough memory (limit \(limit >> 20) MB)", 1) }
      return report("memory", "SQLite ran out of memory", 74)
    case .clientLibraryMissing, .clientLibraryTooOld, .clientLibraryRefused, .wrongAddress, .connectionFailed,
      .noDatabase,
      .passwordMissing, .connectionTimedOut, .connectionLost, .commitUnknown, .notSerialized, .lacking,
      .notDistributable, .connectionBusy,
      .unexpectedAnswer, .nulInText,
      .valueTooLarge, .numberTooLarge, .wrongFieldCount, .wrongNumber, .server:
      return serverReport(error, path)
    case .nothingTo(let direction): return report("undo", "there is nothing to \(direction.verb)", 1)
    case .notUndoable(let obstacle): return report("undo", "the last save cannot be undone: \(obstacle.sentence)", 1)
    case .changedSince(let direction, let conflicts):
      let details = conflicts.map(\.sentence)
      let more = details.count > 10 ? ["and \(Quantity.grouped(details.count - 10)) more"] : []
      let head = "the save cannot be \(direction.participle), because its rows were changed since:"
      return report("conflict", lines(head, details.prefix(10) + more), 1, details: details)
    case .historyUnsupported(.coreData):
      return report("history", "\(path) has no history: the app that made this Core Data store keeps none", 1)
    case .historyHidden:
      return ErrorReport("store", "the history is not read where properties are hidden: it may hold their values")
    case .historyOfApp:
      let what = "only the app switches the history of a Core Data store on or off, and deletes from it"
      let instead = "where there is one, store:history() reads it and saves made here are added to it"
      return report("history", "\(path): \(what); \(instead)", 1)
    case .historyUnsupported(let kind):
      return report("history", "\(path) keeps no history: it is a \(kind.rawValue) store, not one made here", 1)
    case .noHistory: return report("history", "\(path) has no history; open it with { history = true }", 1)
    case .historyExpired(let token, let oldest):
      return report(
        "historyExpired",
        "the history after token \(token) was deleted or not recorded; it is complete from token \(oldest) on", 1)
    case .unknownHistoryToken(let token, let newest):
      return report("history", "\(path) has no token \(token); its history ends with \(newest)", 1)
    }
  }
}

extension ErrorReport {
  /// The sentence about a file that was moved or replaced while the store was open, with a remedy.
  static let movedSentence =
    "its file was moved, deleted or replaced; store:backup \"copy.sqlite\" keeps what was there, open() reads what is there now"
}

extension ErrorReport {
  /// Why a statement of a dump failed.
  fileprivate static func dumpSentence(_ fact: StoreError.Fact) -> String {
    switch fact {
    case .openTransaction: "the dump ends within a transaction: it is cut off"
    case .nothingToOpen: "the dump makes no tables"
    case .full: "the dump makes far more than its own size, as bombs do"
    case .refusedBySandbox(let refusal): refusal.sentence("the sandbox, in which dumps are run,")
    default: report(StoreError(fact)).message
    }
  }
}

extension RefusedSQL {
  /// The sentence about SQL that the sandbox refuses, with the reason.
  fileprivate func sentence(_ sandbox: String = "the sandbox") -> String {
    switch self {
    case .statement(let word): "\(sandbox) refuses \(word): SQL reaches the rows and tables of this store alone"
    case .pragma(let name, isSet: true): "\(sandbox) refuses to set PRAGMA \(name): PRAGMAs are only read in it"
    case .pragma(let name, isSet: false): "\(sandbox) refuses PRAGMA \(name); table_info, say, can be read in it"
    case .function(let name): "\(sandbox) refuses the SQL function \(name)()"
    case .module(let name): "\(sandbox) refuses virtual tables of \(name)"
    case .server:
      "\(sandbox) refuses SQL on a server, because it cannot know what the functions there do; requests reach its rows"
    case .bookkeeping(let name): "\(sandbox) refuses to write \(name): it holds the store's bookkeeping"
    }
  }
}

extension StoreAbility {
  /// What a store does not do, with what can be done instead.
  fileprivate var refusal: String {
    switch self {
    case .backup:
      "is no file that could be copied: store:copy(other) copies its objects, .dump writes its SQL, and its server's tools back it up"
    case .addEntities:
      "is given no entity here: its app or its server makes the tables; import into an entity that it has"
    }
  }
}

extension TransactionHolder {
  /// Why a statement may not end the transaction that it runs in.
  fileprivate func sentence(_ path: String) -> String {
    switch self {
    case .readOnly: "\(path) was opened read-only, and each SQL text is a transaction of its own"
    case .dryRun: "all of a dry run is one transaction, which is rolled back at its end"
    case .migration: "all of a migration is one transaction"
    case .store: "a transaction of \(path) is open that this did not begin"
    }
  }
}

extension Double {
  var formattedSeconds: String { self == rounded() && magnitude < 1e9 ? "\(Int(self)) s" : "\(self) s" }
}
