import Foundation
import Modeling

/// Data that an app may keep in files beside the store: the column holds it behind a byte 1, or behind a byte 2 the name
/// of a file.
struct ExternalData {
  /// The folder with the files, `.App_SUPPORT/_EXTERNAL_DATA` beside `App.sqlite`.
  let folder: String
  /// The store's file.
  let store: String

  /// The files of the store at `path`, or of the one that a link of that name leads to.
  init(store path: String) {
    store = FilePath.resolved(path)
    folder = FilePath.file(".\(FilePath.stem(of: store))_SUPPORT/_EXTERNAL_DATA", in: FilePath.folder(of: store))
  }

  /// What a column's bytes stand for; the bytes themselves where they are in neither form, nil where the file is not there.
  func data(_ bytes: [UInt8]) -> [UInt8]? {
    switch bytes.first {
    case 1: return Array(bytes.dropFirst())
    case 2:
      guard let name = Self.fileName(bytes) else { return bytes }
      return FileManager.default.contents(atPath: FilePath.file(name, in: folder)).map { [UInt8]($0) }
    default: return bytes
    }
  }

  /// Whether there is a folder.
  var isThere: Bool { FileManager.default.fileExists(atPath: folder) }

  /// Whether the bytes are the name of a file that is not there.
  func isMissing(_ bytes: [UInt8]) -> Bool { Self.fileName(bytes).map { !hasFile($0) } ?? false }

  /// Whether a file of the folder is there.
  func hasFile(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: FilePath.file(name, in: folder))
  }

  /// The files of the folder that are named as Core Data names them.
  var fileNames: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { UUID(uuidString: $0) != nil }.sorted()
  }

  /// The condition in SQL that a column holds the name of a file; the length goes first, which reads no large value.
  static func isMarker(_ column: String) -> String {
    "length(\(column)) BETWEEN 37 AND 38 AND substr(\(column), 1, 1) = X'02'"
  }

  /// The name of the file, a UUID: anything else, such as a path, is none.
  static func fileName(_ bytes: [UInt8]) -> String? {
    guard bytes.first == 2 else { return nil }
    let name = String(decoding: bytes.dropFirst().prefix { $0 != 0 }, as: UTF8.self)
    return UUID(uuidString: name) == nil ? nil : name
  }
}
