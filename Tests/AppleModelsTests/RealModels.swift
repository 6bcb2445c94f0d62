import AppleModels
import Foundation
import TestSupport

/// The real models and stores beside the repository, which not every place has.
enum RealModels {
  static let folder: URL = {
    var folder = URL(filePath: #filePath)
    for _ in 0..<3 { folder.deleteLastPathComponent() }
    // Symbolic links and worktrees: the first ancestor that has the stores beside it.
    let candidates = [folder, URL(filePath: FileManager.default.currentDirectoryPath)]
    let places = candidates.map { $0.deletingLastPathComponent().appending(path: "shared/stores") }
    return places.first { FileManager.default.fileExists(atPath: $0.path) } ?? places[0]
  }()

  static var areThere: Bool { FileManager.default.fileExists(atPath: folder.path) }

  static func path(_ name: String) -> String { folder.appending(path: name).path }

  static let sample = "CoreDataPlus/SampleModel/SampleModel"
  static let bookmarks = "BrowserServicesKit/Bookmarks/Bookmarks"

  /// The content of Z_MODELCACHE of a store, read by the command line of SQLite from a copy.
  static func cache(_ store: String) throws -> [UInt8] {
    let copy = TemporaryFolder.ofThisRun.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: copy) }
    for end in ["", "-wal", "-shm"] {
      let source = path(store + ".sqlite" + end)
      guard FileManager.default.fileExists(atPath: source) else { continue }
      try FileManager.default.copyItem(atPath: source, toPath: copy.appending(path: "store" + end).path)
    }
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "sqlite3", "-readonly", copy.appending(path: "store").path, "SELECT hex(Z_CONTENT) FROM Z_MODELCACHE",
    ]
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let digits = Array(text.utf8.filter { $0 > 0x20 })
    return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
      UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
    }
  }
}
