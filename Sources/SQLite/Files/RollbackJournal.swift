internal import CSQLite
import Foundation

/// The journal of an interrupted change: the former content of pages.
///
/// SQLite restores that content as soon as a process with write permission opens the database.
package struct RollbackJournal {
  /// The number of pages, by the size of the journal.
  package let pages: Int

  private static let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]

  /// The journal of the database at `path`, finished or not; nil if there is none or it is empty.
  package init?(beside path: String) {
    // A journal has no locks, so opening and closing it is safe.
    guard let file = FileHandle(forReadingAtPath: path + "-journal") else { return nil }
    defer { try? file.close() }
    // The first byte is zero if SQLite keeps the file for the next change.
    guard let head = try? file.read(upToCount: 28), let first = head.first, first != 0 else { return nil }
    let size = Int((try? file.seekToEnd()) ?? 0)
    guard head.count == 28, Array(head.prefix(8)) == Self.magic else {
      pages = 0
      return
    }
    func number(_ start: Int) -> Int { head[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
    let (sector, page) = (number(20), number(24))
    pages = page >= 512 && sector < size ? (size - sector) / (page + 8) : 0
  }

  /// The journal of an abandoned change; nil if there is none, or another process is writing at the moment.
  package static func unfinished(_ handle: OpaquePointer?, path: String) -> RollbackJournal? {
    var journal: RollbackJournal?
    // Between the two reads a change may end and the next one begin.
    for _ in 0..<2 {
      journal = RollbackJournal(beside: path)
      if journal == nil || perilune_is_reserved(handle) != 0 { return nil }
    }
    return RollbackJournal(beside: path) == nil ? nil : journal
  }
}
