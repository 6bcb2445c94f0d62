import Modeling

/// An undoable or redoable save, or the reason why there is none.
package struct JournalEntry {
  package enum Role: String {
    case undo
    case redo
    // A save that cannot be undone; neither can earlier ones.
    case tooLarge
    case schema
    case virtualTable
    case failure
    case externalFiles
  }

  package var number: Int64 = 0
  package var role: Role
  /// When it was saved, in seconds since 1970.
  package var time: Double = Timestamp.now.seconds
  /// Who saved: the author, if there is one, and the process.
  package var author: String?
  package var process: Int64?
  /// The changes, of an entry that was not read from the file.
  package var changes: ChangeSet?
  /// The encoded changes, of an entry that was; for a virtual table its name.
  package var bytes: [UInt8] = []
  /// `PRAGMA data_version` at the time or before, which detects later writes by others; nil for entries of former runs.
  package var dataVersion: Int64?

  package init(role: Role) { self.role = role }

  /// The bytes that it takes.
  package var size: Int { changes?.size ?? bytes.count }
}
