import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

@Suite(.seeded) struct TableVersionsTests {
  /// Random rows, some changes known before others are made, against a comparison of dictionaries.
  @Test(arguments: 0..<50) func aLookTellsWhatIsDifferent(seed: UInt64) {
    var random = SplitMix(seed: seed)
    var rows: [Int64: UInt64] = [:]
    func table() -> TableVersions {
      let keys = rows.keys.shuffled(using: &random)
      return TableVersions(keys: keys, hashes: keys.map { rows[$0] ?? 0 })
    }
    func change() -> (Int64, UInt64?) {
      let key = Int64.random(in: -20...20, using: &random)
      let hash: UInt64? = Bool.random(using: &random) ? UInt64.random(in: 1...5, using: &random) : nil
      rows[key] = hash
      return (key, hash)
    }
    var versions = table()
    for _ in 0..<30 {
      for _ in 0..<Int.random(in: 0...5, using: &random) {
        let (key, hash) = change()
        versions.note(key, hash)
      }
      let before = rows
      for _ in 0..<Int.random(in: 0...8, using: &random) { _ = change() }
      let difference = versions.replace(with: table())
      #expect(difference.inserted == rows.keys.filter { before[$0] == nil }.sorted())
      #expect(difference.deleted == before.keys.filter { rows[$0] == nil }.sorted())
      #expect(difference.updated == rows.filter { before[$0.key] ?? $0.value != $0.value }.map(\.key).sorted())
      #expect(versions.count == rows.count)
    }
  }

  @Test func aRowOfWhichNothingIsKnownIsDifferent() {
    var versions = TableVersions(keys: [1, 2], hashes: [7, 8])
    versions.note(2, TableVersions.vague)
    let difference = versions.replace(with: TableVersions(keys: [1, 2], hashes: [7, 8]))
    #expect(difference.updated == [2])
    #expect(versions.replace(with: TableVersions(keys: [1, 2], hashes: [7, 8])).updated.isEmpty)
  }
}
