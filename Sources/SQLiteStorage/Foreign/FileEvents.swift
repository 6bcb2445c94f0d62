import Glibc

/// inotify events of a database's files: the file itself, its write-ahead log and its rollback journal.
///
/// The folder is watched for created, deleted and renamed files, and each existing file for writes. Events may be
/// spurious: an event only means that a check is worthwhile.
final class FileEvents {
  /// The events since the last check.
  struct Seen {
    /// The write-ahead log was written.
    var log = false
    /// One of the files changed.
    var any = false
    /// The database file may have been replaced.
    var isMoved = false
  }

  /// The inotify descriptor, readable when there are events.
  let descriptor: Int32

  private let folder: String
  private let names: [String]
  private var folderWatch: Int32 = -1
  /// For each of `names`, its watch; -1 if the file does not exist.
  private var watches: [Int32]
  private var buffer = [UInt8](repeating: 0, count: 16 << 10)

  private static let suffixes = ["", "-wal", "-journal"]
  private static let folderEvents =
    UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM) | UInt32(IN_MOVED_TO) | UInt32(IN_ONLYDIR)
  private static let fileEvents = UInt32(IN_MODIFY)

  /// Watches the database at `path`, which must be absolute and without symbolic links; nil if inotify is unavailable.
  init?(_ path: String) {
    guard let slash = path.lastIndex(of: "/") else { return nil }
    folder = slash == path.startIndex ? "/" : String(path[..<slash])
    let name = String(path[path.index(after: slash)...])
    names = Self.suffixes.map { name + $0 }
    watches = names.map { _ in -1 }
    descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    folderWatch = inotify_add_watch(descriptor, folder, Self.folderEvents)
    for file in names.indices { watch(file) }
    if folderWatch < 0 || watches[0] < 0 { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Reads all pending events.
  func drain() -> Seen {
    var seen = Seen()
    while true {
      let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { return seen }
      take(count, &seen)
    }
  }

  private func take(_ count: Int, _ seen: inout Seen) {
    let head = MemoryLayout<inotify_event>.size
    var offset = 0
    while offset + head <= count {
      let event = buffer.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: inotify_event.self) }
      let name = buffer[min(offset + head, count)..<min(offset + head + Int(event.len), count)].prefix { $0 != 0 }
      note(event, name, &seen)
      offset += head + Int(event.len)
    }
  }

  private func note(_ event: inotify_event, _ name: ArraySlice<UInt8>, _ seen: inout Seen) {
    if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
      seen = Seen(log: true, any: true, isMoved: true)
      for file in names.indices { watch(file) }
    } else if event.wd == folderWatch {
      guard let file = names.firstIndex(where: { $0.utf8.elementsEqual(name) }) else { return }
      watch(file)
      note(file, &seen)
      if file == 0 { seen.isMoved = true }
    } else if let file = watches.firstIndex(of: event.wd), event.mask & UInt32(IN_IGNORED) == 0 {
      note(file, &seen)
    }
  }

  private func note(_ file: Int, _ seen: inout Seen) {
    seen.any = true
    if file == 1 { seen.log = true }
  }

  /// Watches the file that currently has a name.
  private func watch(_ file: Int) {
    let new = inotify_add_watch(descriptor, folder + "/" + names[file], Self.fileEvents)
    let old = watches[file]
    watches[file] = new
    if old >= 0, old != new { inotify_rm_watch(descriptor, old) }
  }
}

/// Whether file events report other processes' writes under `path` reliably. On network and FUSE file systems they do
/// not.
public func tellsWritesOfOthers(_ path: String) -> Bool {
  guard let file = fopen("/proc/self/mounts", "r") else { return false }
  defer { fclose(file) }
  var found = (length: -1, type: "")
  var line: UnsafeMutablePointer<CChar>?
  var capacity = 0
  defer { free(line) }
  while getline(&line, &capacity, file) > 0, let line {
    let fields = String(cString: line).split(separator: " ")
    guard fields.count > 2 else { continue }
    let place = fields[1] == "/" ? "" : fields[1].replacing("\\040", with: " ")
    guard path.hasPrefix(place + "/"), place.utf8.count >= found.length else { continue }
    found = (place.utf8.count, String(fields[2]))
  }
  return localFileSystems.contains(found.type)
}

private let localFileSystems: Set<String> = [
  "ext2", "ext3", "ext4", "xfs", "btrfs", "tmpfs", "overlay", "f2fs", "zfs", "bcachefs", "jfs", "reiserfs", "ramfs",
]
