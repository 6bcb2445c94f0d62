import Foundation
package import StoreErrors

/// A copy of a database and the log or journal beside it in a folder of our own, for reading where nothing may be written.
package struct PrivateCopy {
  /// The copy of the database.
  package let path: String
  private let folder: String

  /// Copies the files as they were at one moment; a few tries are made while somebody writes.
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
          // The copy is ours to write, whatever the original is.
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

  /// What changes when somebody writes.
  private static func state(of path: String) -> [Int] {
    ["", "-wal", "-journal"].flatMap { suffix in
      var status = stat()
      guard stat(path + suffix, &status) == 0 else { return [-1] }
      return [Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    }
  }

  /// Removes the names; what is open stays open.
  package func remove() { try? FileManager.default.removeItem(atPath: folder) }
}
