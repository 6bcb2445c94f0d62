import AppleModels
import Foundation
import Modeling
import TestSupport
import Testing

@Suite struct ModelFilesTests {
  /// Runs `body` with a folder of its own that is removed afterwards.
  private func withFolder(_ body: (URL) throws -> Void) throws {
    let folder = TemporaryFolder.ofThisRun.appending(path: "models-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }

  private func write(_ text: String, to url: URL) throws {
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  private func fact(_ path: URL, version: String? = nil) -> AppleModelError.Fact? {
    do throws(AppleModelError) {
      _ = try AppleModel(path: path.path, version: version)
      return nil
    } catch {
      return error.fact
    }
  }

  @Test func aDocumentIsFoundInItsFolderAndItsFileCanBeNamedItself() throws {
    try withFolder { folder in
      let model = folder.appending(path: "Shop.xcdatamodel")
      try write("<model><entity name=\"Item\"/></model>", to: model.appending(path: "contents"))
      #expect(try AppleModel(path: model.path).model.entities.map(\.name) == ["Item"])
      #expect(try AppleModel(path: model.appending(path: "contents").path).model.entities.map(\.name) == ["Item"])
      #expect(try AppleModel.versions(at: model.path) == [])
    }
  }

  @Test func withoutAMarkTheFirstVersionIsTheCurrentOne() throws {
    try withFolder { folder in
      let models = folder.appending(path: "Shop.xcdatamodeld")
      for (name, entity) in [("Shop", "Old"), ("Shop 2", "New")] {
        try write(
          "<model><entity name=\"\(entity)\"/></model>", to: models.appending(path: "\(name).xcdatamodel/contents"))
      }
      #expect(try AppleModel(path: models.path).model.entities.map(\.name) == ["Old"])
      #expect(try AppleModel(path: models.path, version: "Shop 2.xcdatamodel").model.entities.map(\.name) == ["New"])
      #expect(try AppleModel.versions(at: models.path).map(\.name) == ["Shop", "Shop 2"])
    }
  }

  @Test func aBinaryListNamesTheCurrentVersionAndOneThatRepeatsWithoutEndNone() throws {
    try withFolder { folder in
      let models = folder.appending(path: "Shop.momd")
      for name in ["A", "B"] { try write("", to: models.appending(path: "\(name).mom")) }
      func current(_ list: [UInt8]) throws -> [String] {
        try Data(list).write(to: models.appending(path: "VersionInfo.plist"))
        return try AppleModel.versions(at: models.path).filter(\.isCurrent).map(\.name)
      }
      let key = Array("NSManagedObjectModel_CurrentVersionName".utf8)
      let named = ListBuilder.list([[0xD1, 1, 2], [0x5F, 0x10, UInt8(key.count)] + key, [0x51, 0x42]])
      #expect(try current(named) == ["B"])
      let lists: [[UInt8]] = (1...100).map { (next: UInt8) in [0xA2, next, next] }
      let endless = lists + [[0x51, 0x61]]
      #expect(try current(ListBuilder.list(endless)) == ["A"])
      #expect(try current(Array(named.dropLast(9))) == ["A"])
    }
  }

  @Test func whatIsNoModelIsToldByWhatItIs() throws {
    try withFolder { folder in
      #expect(fact(folder.appending(path: "nothing.mom")) == .notFound)
      let binary = folder.appending(path: "Old.xcdatamodel")
      try write("x", to: binary.appending(path: "elements"))
      #expect(fact(binary) == .binaryModelDocument)
      try write("hello", to: folder.appending(path: "a.txt"))
      #expect(fact(folder.appending(path: "a.txt")) == notAModel("another kind of file"))
      let empty = folder.appending(path: "empty")
      try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: true)
      #expect(fact(empty) == notAModel("an empty folder"))
      #expect(
        fact(folder) == notAModel("a folder with Old.xcdatamodel, a.txt, empty") || fact(folder) == .binaryModelDocument
      )
    }
  }

  private func notAModel(_ found: String) -> AppleModelError.Fact {
    .notAModel(expected: "a .xcdatamodeld, .xcdatamodel, .momd or .mom", found: found)
  }
}
