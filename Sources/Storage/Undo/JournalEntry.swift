import Foundation

/// A save that can be undone or redone, or why none can.
struct JournalEntry {
  enum Role: String {
    case undo
    case redo
    // What cannot be undone, nor what came before it.
    case tooLarge
    case schema
    case virtualTable
    case failure
    case externalFiles
  }

  var number: Int64 = 0
  var role: Role
  /// When it was saved, in seconds since 1970.
  var time = Date().timeIntervalSince1970
  /// The changes, encoded; the name of the table where a virtual one was written.
  var changes: [UInt8] = []
  /// `PRAGMA data_version` at the time, for entries in memory: whether others wrote since.
  var dataVersion: Int64?

  init(role: Role) { self.role = role }
}
