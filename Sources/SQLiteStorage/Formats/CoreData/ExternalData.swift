import Foundation
import Modeling

/// Data that an app may keep in files next to the store. The column holds a byte 1 followed by the data, or a byte 2
/// followed by the name of a file.
struct ExternalData {
  /// The folder with the files: `.App_SUPPORT/_EXTERNAL_DATA` next to `App.sqlite`.
  let folder: String
  /// The store's file.
  let store: String

  /// The external files of the store at `path`, with symbolic links resolved.
  init(store path: String) {
    store = FilePath.resolved(path)
    folder = FilePath.file(".\(FilePath.stem(of: store))_SUPPORT/_EXTERNAL_DATA", in: FilePath.folder(of: store))
  }

  /// Returns the data of a column's bytes; the bytes themselves if they are in neither form, nil if the file is
  /// missing.
  func data(_ bytes: [UInt8]) -> [UInt8]? {
    switch bytes.first {
    case 1: return Array(bytes.dropFirst())
    case 2:
      guard let name = Self.fileName(bytes) else { return bytes }
      return FileManager.default.contents(atPath: FilePath.file(name, in: folder)).map { [UInt8]($0) }
    default: return bytes
    }
  }

  /// Whether the folder exists.
  var isThere: Bool { FileManager.default.fileExists(atPath: folder) }

  /// Whether the bytes name a missing file.
  func isMissing(_ bytes: [UInt8]) -> Bool { Self.fileName(bytes).map { !hasFile($0) } ?? false }

  /// Whether the folder has a file.
  func hasFile(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: FilePath.file(name, in: folder))
  }

  /// The files in the folder whose names have Core Data's form.
  var fileNames: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { UUID(uuidString: $0) != nil }.sorted()
  }

  /// The SQL condition that a column holds the name of a file. It tests the length first, so that it reads no large
  /// value.
  static func isMarker(_ column: String) -> String {
    "length(\(column)) BETWEEN 37 AND 38 AND substr(\(column), 1, 1) = X'02'"
  }

  /// The name of the file, which must be a UUID; nil for anything else, such as a path.
  static func fileName(_ bytes: [UInt8]) -> String? {
    guard bytes.first == 2 else { return nil }
    let name = String(decoding: bytes.dropFirst().prefix { $0 != 0 }, as: UTF8.self)
    return UUID(uuidString: name) == nil ? nil : name
  }
}
