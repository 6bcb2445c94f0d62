internal import CSQLite
internal import Glibc

/// Keeps the memory map of a file from growing with the rows that a statement reads in the order of the file.
///
/// A page that was read once stays in the process's memory until the map is closed, so that the process would seem to take
/// as much memory as the file has pages. For statements that read here and there it does not pay: mapping a page again takes
/// as long as reading a small row.
package struct MappedPages {
  /// The number of rows between two looks at the memory.
  private static let rowsBetweenLooks: Int32 = 4096
  /// What may be mapped before anything is let go, in bytes: the program itself takes 23 MB.
  private static let most = 34 << 20
  /// The growth between two looks from which the file does not have the rows in order, or has long ones.
  private static let mostGrowth = 6 << 20

  @usableFromInline var rowsToLook = rowsBetweenLooks
  /// The mapped bytes at the last look; nil before the first.
  private var before: Int?

  package init() {}

  /// Notes that a row was read on a connection, and lets pages go from time to time.
  @inlinable @inline(__always)
  package mutating func readRow(_ connection: Connection) {
    rowsToLook &-= 1
    if rowsToLook == 0 { look(connection) }
  }

  @usableFromInline
  mutating func look(_ connection: Connection) {
    rowsToLook = Self.rowsBetweenLooks
    guard let now = Self.mappedBytes() else { return }
    let growth = now - (before ?? now)
    before = now
    guard now > Self.most, growth < Self.mostGrowth else { return }
    perilune_release_mapped_pages(connection.handle)
    before = Self.mappedBytes()
  }

  /// Lets pages go where many are mapped, at the end of a part of the file that may have fewer rows than are between two looks.
  package static func endPart(_ connection: Connection) {
    if let now = mappedBytes(), now > most { perilune_release_mapped_pages(connection.handle) }
  }

  /// The pages of files in this process's memory, in bytes; nil if the system does not report them.
  private static func mappedBytes() -> Int? {
    let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { text -> Int? in
      let count = read(file, text.baseAddress, 127)
      guard count > 0 else { return nil }
      text[count] = 0
      // Its numbers: all, resident, of files.
      var rest = text.baseAddress
      for _ in 0..<2 { if let start = rest { strtol(start, &rest, 10) } }
      return rest.map { strtol($0, nil, 10) * Int(sysconf(Int32(_SC_PAGESIZE))) }
    }
  }
}
