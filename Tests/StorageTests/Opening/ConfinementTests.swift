import Foundation
import Storage
import Testing

@Suite struct ConfinementTests {
  @Test func aConfinedStoreReachesNoOtherFile() throws {
    var options = StoreOptions(path: ":memory:")
    options.isConfined = true
    let store = try SQLiteStore(options)
    let other = FileManager.default.temporaryDirectory.appending(path: "confined-\(UUID().uuidString).sqlite").path
    #expect(throws: StoreError.self) { try store.sql("ATTACH '\(other)' AS other") }
    #expect(throws: StoreError.self) { try store.sql("VACUUM INTO '\(other)'") }
    #expect(!FileManager.default.fileExists(atPath: other))
  }
}
