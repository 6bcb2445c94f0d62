import Foundation
import Modeling

/// The other processes that hold locks on the file at `path`, as `process 4711 (sqlite3)`. If the kernel names none,
/// the processes that have the file open.
///
/// Reads /proc; the list is empty on systems without it, and for processes of other users.
package func lockHolders(of path: String) -> [String] {
  let files = ["", "-shm", "-wal", "-journal"].compactMap { fileIdentity(path + $0) }
  var holders = Set<Int32>()
  if let locks = kernelText("/proc/locks") {
    // 1: POSIX  ADVISORY  WRITE 4711 fe:00:131234 1073741824 1073741835
    for line in locks.split(separator: "\n") {
      let fields = line.split(separator: " ").filter { $0 != "->" }
      guard fields.count >= 6, let process = Int32(fields[4]), process > 0 else { continue }
      let inode = fields[5].split(separator: ":").last.flatMap { UInt64($0) }
      if files.contains(where: { $0.inode == inode }) { holders.insert(process) }
    }
  }
  let others = OutsideWorld.current.otherProcesses()
  // Files of different file systems may have the same number.
  holders = holders.intersection(others).filter { hasOpen(files, $0) ?? true }
  if holders.isEmpty { holders = others.filter { hasOpen(files, $0) == true } }
  return holders.sorted().map { "process \($0) (\(command(of: $0)))" }
}

private struct FileIdentity: Hashable {
  var device: UInt64
  var inode: UInt64
}

private func fileIdentity(_ path: String) -> FileIdentity? {
  var status = stat()
  guard stat(path, &status) == 0 else { return nil }
  return FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
}

/// Whether a process has one of the files open; nil for a process of another user.
private func hasOpen(_ files: [FileIdentity], _ process: Int32) -> Bool? {
  let folder = "/proc/\(process)/fd"
  guard let descriptors = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return nil }
  return descriptors.contains { name in fileIdentity("\(folder)/\(name)").map(files.contains) ?? false }
}

private func command(of process: Int32) -> String {
  kernelText("/proc/\(process)/comm").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) } ?? "unknown"
}

/// The content of a file that the kernel makes. Foundation leaks the memory into which it reads a file without a size.
private func kernelText(_ path: String) -> String? {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var text: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 16_384)
  while case let count = read(descriptor, &buffer, buffer.count), count > 0 { text += buffer.prefix(count) }
  return String(decoding: text, as: UTF8.self)
}
