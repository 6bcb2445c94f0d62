import Foundation
import Modeling
import ObjectGraph
import TestSupport
import Testing

@Suite(.seeded) struct ChangedColumnsTests {
  /// Columns are set and reset in any order, as in a dictionary, from few changes to many.
  @Test func theyHoldWhatWasSet() {
    var generator = SplitMix(seed: 11)
    for _ in 0..<300 {
      let count = Int.random(in: 1...20, using: &generator)
      var changes = [
        ChangedColumns(), ChangedColumns(all: Array(repeating: nil, count: 3)),
        ChangedColumns(packing: Array(repeating: nil, count: 3)),
      ][Int.random(in: 0..<3, using: &generator)]
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

  private static let longText = String(repeating: "ä", count: 200)

  /// Values of every kind, of which some have no packed form.
  private static let values: [Value?] = [
    nil, .null, .bool(true), .bool(false), .int(0), .int(.min), .int(.max), .double(-0.0), .double(.infinity),
    .double(1.5), .date(Timestamp(-1.25)), .string(""), .string("abc"), .string("Zoë 🌍 and a longer text"),
    .string(String(repeating: "x", count: 255)), .string(longText), .url("https://example.org/a?b=c"), .url(""),
    .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 255))), .decimal(Decimal(string: "1.10")!),
    .data([0, 255]), .json(JSON.array([.null])), .list([.int(1)]),
  ]

  /// What was packed is as if it had been given in an array, for each kind of value and any mixture of them.
  @Test func packedValuesAreThoseGiven() {
    var generator = SplitMix(seed: 12)
    for round in 0..<2000 {
      let count = Int.random(in: 0...40, using: &generator)
      // Most mixtures of all kinds hold one that is not packed.
      let kinds = round % 4 == 0 ? Self.values[...] : Self.values[..<15] + Self.values[16...18]
      let given = (0..<count).compactMap { _ in kinds.randomElement(using: &generator) }
      var (packed, plain) = (ChangedColumns(packing: given), ChangedColumns(all: given))
      for _ in 0..<2 {
        #expect(packed == plain)
        #expect(packed.hashValue == plain.hashValue)
        #expect(packed.isEmpty == plain.isEmpty)
        #expect(packed.row(count: count) == plain.row(count: count))
        #expect(packed.row(count: count + 2) == plain.row(count: count + 2))
        for column in 0..<count + 2 {
          #expect(packed[column] == plain[column])
          #expect(packed.isNull(column) == plain[column]?.isNull)
        }
        let column = Int.random(in: 0...count, using: &generator)
        let value = Self.values.randomElement(using: &generator) ?? nil
        let (former, formerPlain) = (packed, plain)
        (packed[column], plain[column]) = (value, value)
        #expect(former == formerPlain)
      }
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
