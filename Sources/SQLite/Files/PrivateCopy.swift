import Foundation
package import StoreErrors

/// A copy of a database with its log or journal in a private folder, for reading a database that must not be changed.
package struct PrivateCopy {
  /// The copy of the database.
  package let path: String
  private let folder: String

  /// Copies the files as they were at one moment; tries a few times if another process is writing.
  package init(of original: String) throws(StoreError) {
    if let fact = StoreFile(path: original).unreadableCompanion { throw StoreError(fact, path: original) }
    var template = Array((NSTemporaryDirectory() + "/perilune-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else {
      throw StoreError(.inputOutput(String(cString: strerror(errno))), path: original)
    }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    path = folder + "/store.sqlite"
    for _ in 0..<5 {
      let before = Self.state(of: original)
      do {
        for suffix in ["", "-wal", "-journal"] {
          let copy = path + suffix
          try? FileManager.default.removeItem(atPath: copy)
          guard FileManager.default.fileExists(atPath: original + suffix) else { continue }
          try FileManager.default.copyItem(atPath: original + suffix, toPath: copy)
          // The copy must be writable, even if the original is not.
          chmod(copy, 0o600)
        }
      } catch {
        remove()
        throw StoreError(.inputOutput(error.localizedDescription), path: original)
      }
      if Self.state(of: original) == before { return }
    }
    remove()
    throw StoreError(.busy(seconds: 0, holders: []), path: original)
  }

  /// The values that change when another process writes.
  private static func state(of path: String) -> [Int] {
    ["", "-wal", "-journal"].flatMap { suffix in
      var status = stat()
      guard stat(path + suffix, &status) == 0 else { return [-1] }
      return [Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    }
  }

  /// Removes the files by name; open files stay readable.
  package func remove() { try? FileManager.default.removeItem(atPath: folder) }
}
