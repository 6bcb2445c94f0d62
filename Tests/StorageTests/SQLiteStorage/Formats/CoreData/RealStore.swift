import Foundation
import Modeling
import SQLiteStorage
import Stores
import TestSupport

/// Copies of stores that Apple's framework wrote, where they are at hand beside the repository.
enum RealStore: String, CaseIterable {
  case bookmarks3 = "BrowserServicesKit/Bookmarks/Bookmarks_V3.sqlite"
  case bookmarks5 = "BrowserServicesKit/Bookmarks/Bookmarks_V5.sqlite"
  case cars1 = "CoreDataPlus/SampleModel/SampleModel_V1.sqlite"
  case cars2 = "CoreDataPlus/SampleModel/SampleModel_V2.sqlite"
  case books = "CoreDataPlus/SampleModel2/SampleModel2_V1.sqlite"

  /// `../shared/stores`, beside the repository's folder.
  static let folder: String = {
    var url = URL(fileURLWithPath: #filePath)
    for _ in 0..<6 { url.deleteLastPathComponent() }
    return url.appendingPathComponent("shared/stores").path
  }()

  static var areThere: Bool { FileManager.default.fileExists(atPath: folder) }

  /// Copies the store with its log; returns the copy's path.
  func copy(into folder: TemporaryFolder) throws -> String {
    let target = folder.file("App.sqlite")
    for suffix in ["", "-wal", "-shm"] {
      let source = "\(Self.folder)/\(rawValue)\(suffix)"
      guard let data = FileManager.default.contents(atPath: source) else { continue }
      try data.write(to: URL(fileURLWithPath: target + suffix))
    }
    return target
  }

  /// Opens a copy, to be written unless `readOnly`.
  static func open(_ path: String, readOnly: Bool = false) throws -> SQLiteStore {
    var options = StoreOptions(path: path)
    options.writesCoreData = !readOnly
    return try SQLiteStore(options)
  }
}
