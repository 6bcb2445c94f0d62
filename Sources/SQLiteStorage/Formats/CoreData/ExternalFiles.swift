import Foundation
import Glibc
import Modeling
import SQLite

/// The external data files that a transaction writes, and those that it releases.
///
/// A file is written before the row that names it is committed, and removed only after the commit that removes the
/// row's reference.
final class ExternalFiles {
  /// The size above which data is kept in a file.
  static let inlineLimit = 100 * 1024

  private let externalData: ExternalData
  /// Files of rows that are not yet committed.
  private(set) var fresh: Set<String> = []
  /// Files that no row will name once the transaction has committed.
  private var retired: Set<String> = []

  init(_ externalData: ExternalData) { self.externalData = externalData }

  /// Whether the transaction releases files that existed before it.
  var isLettingGo: Bool { !retired.isSubset(of: fresh) }

  /// Returns the column value for data: the data itself after a byte, or the name of a file that is written now.
  ///
  /// - Throws: StoreError if the file cannot be written.
  func stored(_ data: [UInt8]) throws(StoreError) -> [UInt8] {
    if data.count <= Self.inlineLimit { return [1] + data }
    let name = UUID.random().uuidString
    guard let rights = FileRights(of: externalData.store),
      rights.createFolder(FilePath.folder(of: externalData.folder)),
      rights.createFolder(externalData.folder)
    else { throw StoreError(.inputOutput("the folder \(externalData.folder) cannot be made")) }
    fresh.insert(name)
    try write(data, to: path(name), rights)
    return [2] + Array(name.utf8) + [0]
  }

  private func path(_ name: String) -> String { FilePath.file(name, in: externalData.folder) }

  private func write(_ data: [UInt8], to path: String, _ rights: FileRights) throws(StoreError) {
    let descriptor = rights.create(path)
    guard descriptor >= 0 else { throw Self.failure(path) }
    defer { Glibc.close(descriptor) }
    var offset = 0
    while offset < data.count {
      let count = data.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress.map { $0 + offset }, data.count - offset)
      }
      if count < 0 {
        if errno == EINTR { continue }
        throw Self.failure(path)
      }
      offset += count
    }
    guard fsync(descriptor) == 0 else { throw Self.failure(path) }
    guard FolderSync.run(externalData.folder) else { throw Self.failure(externalData.folder) }
  }

  private static func failure(_ path: String) -> StoreError {
    StoreError(.inputOutput("\(path): \(String(cString: strerror(errno)))"))
  }

  /// Records files that no row will name.
  func retire(_ names: Set<String>) { retired.formUnion(names) }

  /// Call this after the commit: removes the released files.
  func committed() {
    fresh.subtract(retired)
    for name in retired { remove(name) }
    (fresh, retired) = ([], [])
  }

  /// Call this when the transaction has ended: removes the files that it did not commit.
  func ended() {
    for name in fresh { remove(name) }
    (fresh, retired) = ([], [])
  }

  private func remove(_ name: String) { _ = unlink(path(name)) }
}
