import Modeling
import ObjectGraph
import TestSupport
import Testing

@Suite(.seeded) struct ChangedColumnsTests {
  /// Columns are set and taken back in any order, as in a dictionary, from few changes to many.
  @Test func theyHoldWhatWasSet() {
    var generator = SplitMix(seed: 11)
    for _ in 0..<300 {
      let count = Int.random(in: 1...20, using: &generator)
      var changes =
        Bool.random(using: &generator) ? ChangedColumns() : ChangedColumns(all: Array(repeating: nil, count: 3))
      var plain: [Int: Value] = [:]
      for _ in 0..<Int.random(in: 0...40, using: &generator) {
        let column = Int.random(in: 0..<count, using: &generator)
        let value: Value? =
          Int.random(in: 0...3, using: &generator) == 0 ? nil : .int(.random(in: 0...9, using: &generator))
        changes[column] = value
        plain[column] = value
        #expect(changes[column] == value)
      }
      let sorted = plain.sorted { $0.key < $1.key }
      #expect(changes.map(\.column) == sorted.map(\.key))
      #expect(changes.map(\.value) == sorted.map(\.value))
      #expect(changes.isEmpty == plain.isEmpty)
      #expect(changes.row(count: count) == (0..<count).map { plain[$0] ?? .null })
      #expect((0..<count + 5).allSatisfy { changes[$0] == plain[$0] })
      #expect(changes.containsAny(of: [0, count - 1]) == (plain[0] != nil || plain[count - 1] != nil))
    }
  }

  /// Live results compare the hashes of changes, which an undo may leave in another form.
  @Test func equalContentsAreEqualInEitherForm() {
    var few = ChangedColumns()
    few[2] = .string("a")
    few[0] = .null
    let many = ChangedColumns(all: [.null, nil, .string("a"), nil])
    #expect(few == many)
    #expect(few.hashValue == many.hashValue)
    few[0] = nil
    #expect(few != many)
  }
}
