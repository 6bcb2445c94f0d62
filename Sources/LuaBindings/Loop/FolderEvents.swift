internal import Glibc
internal import SQLiteStorage

/// Reports that files in a folder were created, deleted, or written.
///
///     let events = FolderEvents("/home/me/.config/perilune")
///     poll(events.descriptor)              // readable when something happened
///     events.drain()
///
/// It does not say what happened; events only mean that a check is worthwhile. The folder need not exist yet.
package final class FolderEvents {
  private let folder: String
  private let queue: Int32
  private var isWatching = false
  private let isReliable: Bool
  private var buffer = [UInt8](repeating: 0, count: 4 << 10)

  /// The polling interval without events, in seconds.
  private static let fallbackInterval = 0.5
  private static let events =
    UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM) | UInt32(IN_MOVED_TO) | UInt32(IN_CLOSE_WRITE)
    | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | UInt32(IN_ONLYDIR)

  package init(_ folder: String) {
    self.folder = folder
    isReliable = tellsWritesOfOthers(folder + "/")
    queue = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    watch()
  }

  deinit { if queue >= 0 { close(queue) } }

  /// A descriptor that becomes readable when a check is worthwhile; nil while the folder does not exist.
  package var descriptor: Int32? {
    if !isWatching { watch() }
    return isWatching ? queue : nil
  }

  /// The seconds until a check without an event; nil for never.
  package var pollInterval: Double? { isWatching && isReliable ? nil : Self.fallbackInterval }

  /// Reads all events, so that `descriptor` is no longer readable.
  package func drain() {
    guard queue >= 0 else { return }
    let gone = UInt32(IN_IGNORED) | UInt32(IN_MOVE_SELF)
    while true {
      let count = buffer.withUnsafeMutableBytes { read(queue, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      var offset = 0
      while offset + MemoryLayout<inotify_event>.size <= count {
        let event = buffer.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: inotify_event.self) }
        // There may now be another folder with the same name.
        if event.mask & gone != 0 { isWatching = false }
        offset += MemoryLayout<inotify_event>.size + Int(event.len)
      }
    }
  }

  private func watch() { isWatching = queue >= 0 && inotify_add_watch(queue, folder, Self.events) >= 0 }
}
