import Foundation
import TestSupport
import Testing

@testable import LuaBindings

/// A store that scripts drop without closing it is closed; one that anything still uses stays open.
@Suite struct DroppedStoreTests {
  private func script() throws -> (script: Script, path: String) {
    let script = try Script.sample()
    let path = TemporaryFolder.ofThisRun.path + "/dropped-\(UUID()).sqlite"
    try script.run(
      "kept = nil path = [[\(path)]] do local s = open(path, { create = true, model = store.model }) s:close() end")
    return (script, path)
  }

  /// The descriptors of the process that are open on a file or on what lies beside it.
  private func descriptors(of path: String) -> Int {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return names.count {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)"))?.hasPrefix(path) == true
    }
  }

  @Test func storesThatARunDropsDoNotPileUp() throws {
    let (script, path) = try script()
    try script.run("for i = 1, 200 do local s = open(path) assert(s.entities.Quake:count() == 0) end")
    #expect(script.engine.stores.all.count <= 33)
    script.collect()
    #expect(script.engine.stores.all.count == 1)
    #expect(descriptors(of: path) == 0)
    #expect(try script.value("Quake:count() >= 0") == "true")
  }

  @Test(arguments: [
    ("kept = s", "kept.entities.Quake:count()", "0"), ("kept = s.entities.Quake", "kept:count()", "0"),
    ("kept = s.context", "kept.entities.Quake:count()", "0"),
    ("kept = s.entities.Quake:all():live()", "#kept", "0"),
    ("kept = s:on('remoteChange', function() end)", "kept ~= nil", "true"),
    ("s.entities.Quake { code = 'new' }", "1", "1"),
  ])
  func whatIsStillUsedStaysOpen(_ make: String, _ read: String, _ answer: String) throws {
    let (script, path) = try script()
    try script.run("do local s = open(path) \(make) end")
    script.collect()
    #expect(script.engine.stores.all.count == 2 && descriptors(of: path) > 0)
    #expect(try script.value(read) == answer)
  }

  @Test func theStoreOfTheGlobalsStays() throws {
    let script = try Script.sample()
    try script.run("store = nil context = nil")
    let count = script.engine.stores.all.count
    script.collect()
    #expect(script.engine.stores.all.count == count)
    #expect(try script.value("Quake:count() >= 0") == "true")
  }
}
