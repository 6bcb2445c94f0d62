import Foundation
import TestSupport
import Testing

/// The models of stores that Apple's framework wrote, printed as SwiftData and read again, where the stores are at hand beside the
/// repository.
@Suite struct RealSwiftModelTests {
  /// `../shared/stores`, beside the repository's folder.
  private static let folder: String = {
    var url = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { url.deleteLastPathComponent() }
    return url.appendingPathComponent("shared/stores").path
  }()
  static var areThere: Bool { FileManager.default.fileExists(atPath: folder) }

  private static let stores = [
    "BrowserServicesKit/Bookmarks/Bookmarks_V3.sqlite", "BrowserServicesKit/Bookmarks/Bookmarks_V5.sqlite",
    "CoreDataPlus/SampleModel/SampleModel_V1.sqlite", "CoreDataPlus/SampleModel/SampleModel_V2.sqlite",
    "CoreDataPlus/SampleModel2/SampleModel2_V1.sqlite",
  ]

  /// Nothing is added or gone, and a note names each change.
  @Test(.enabled(if: RealSwiftModelTests.areThere, "needs ../shared/stores"), arguments: stores)
  func whatIsPrintedIsTheSameModelOrNamesWhatIsMissing(_ name: String) throws {
    let folder = try TemporaryFolder()
    for suffix in ["", "-wal", "-shm"] {
      guard let data = FileManager.default.contents(atPath: "\(Self.folder)/\(name)\(suffix)") else { continue }
      try data.write(to: URL(fileURLWithPath: folder.file("App.sqlite") + suffix))
    }
    let script = try Script()
    try script.run(
      """
      app = open('\(folder.file("App.sqlite"))')
      source, notes = app.model:source 'swiftData'
      read = Model(source)
      changes = read:difference(app.model).changes
      """)
    #expect(
      try script.value("table.concat(read.entityNames, ' ') == table.concat(app.model.entityNames, ' ')") == "true")
    let changes = try script.values("table.unpack(changes)")
    let notes = try script.values("table.unpack(notes)")
    for change in changes {
      #expect(change.hasPrefix("~ "), "\(change)")
      let place = change.dropFirst(2).prefix { $0 != ":" }
      let isNamed =
        place == "the model"
        ? notes.contains { $0.contains("The version") || $0.contains("configurations") }
        : notes.contains { $0.hasPrefix(place) } || !place.contains(".") && notes.contains { $0.hasPrefix("\(place).") }
          || place.contains(".") && notes.contains { $0.hasPrefix(place.prefix { $0 != "." } + ": the index") }
      #expect(isNamed, "\(change) is in none of \(notes)")
    }
  }
}
