internal import CSQLite
import Foundation

/// The journal of a change that was cut off: what pages of the file held before it.
///
/// SQLite writes that back as soon as somebody who may write looks at the database.
package struct RollbackJournal {
  /// How many pages it holds, as far as its size tells.
  package let pages: Int

  private static let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]

  /// The journal beside the database at `path`, finished or not; nil where there is none, or an emptied one.
  package init?(beside path: String) {
    // Nobody locks a journal, so that it may be opened and closed.
    guard let file = FileHandle(forReadingAtPath: path + "-journal") else { return nil }
    defer { try? file.close() }
    // Its first byte is zero where it is kept for the next change.
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

  /// The journal of a change that nobody is making any more; nil where there is none, or somebody writes just now.
  package static func unfinished(_ handle: OpaquePointer?, path: String) -> RollbackJournal? {
    var journal: RollbackJournal?
    // Between two looks a change may end and the next begin.
    for _ in 0..<2 {
      journal = RollbackJournal(beside: path)
      if journal == nil || perilune_is_reserved(handle) != 0 { return nil }
    }
    return RollbackJournal(beside: path) == nil ? nil : journal
  }
}
