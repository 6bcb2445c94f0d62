import Foundation
import Modeling
import SQLiteStorage
import Stores
import TestSupport
import Testing

@testable import ObjectGraph

@Suite(.seeded) struct UndoEntriesTests {
  private let context: ObjectContext
  private let tables: [ObjectTable]

  /// More tables than a step of few bytes can name.
  init() throws {
    let entities = (0..<260).map {
      EntityDescription("E\($0)", properties: [.attribute(Attribute("number", .integer64))])
    }
    var options = StoreOptions(path: ":memory:")
    options.model = try Model(entities)
    options.create = true
    let context = ObjectContext(store: try SQLiteStore(options))
    self.context = context
    tables = context.store.model.entities.map { context.table(for: $0) }
  }

  private func value(_ generator: inout SplitMix) -> Value {
    let number = Int64.random(in: -3...3, using: &generator)
    switch Int.random(in: 0...12, using: &generator) {
    case 0: return .null
    case 1: return .bool(number > 0)
    case 2: return .int(number)
    case 3: return .int(number > 0 ? .max : .min)
    case 4: return .double(Double(number) / 7)
    case 5: return .double(number > 0 ? .infinity : -0.0)
    case 6: return .date(Timestamp(Double(number)))
    case 7: return .string(String(repeating: "ä", count: Int(number + 3) * 5))
    case 8: return .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(number + 3))))
    case 9: return .data([1, UInt8(number + 3)])
    case 10: return .decimal(Decimal(number))
    case 11: return .object(ObjectID(entity: tables[0].root, key: number))
    default: return .list([.int(number)])
    }
  }

  private func entry(_ generator: inout SplitMix) -> UndoGroup.Entry {
    let slot = Int32.random(in: 0...2, using: &generator)
    let isFew = Int.random(in: 0...3, using: &generator) > 0
    let table = tables[isFew ? Int(slot) % 2 : Int.random(in: 0..<tables.count, using: &generator)]
    let column = [0, 0, 0, 1, 65535, 65536, 70000][Int.random(in: 0...6, using: &generator)]
    let step: UndoStep =
      switch Int.random(in: 0...9, using: &generator) {
      case 0: .insert(first: slot, count: Int32.random(in: 1...2, using: &generator))
      case 1: .delete(slot, cause: nil)
      case 2: .transient(slot, property: column, old: nil, new: value(&generator))
      case 3: .reference(slot, property: column, old: -1, new: slot)
      case 4: .arrangement(ArrangementStep(slot: slot, property: 1, old: [1], wasChanged: true, new: [slot]))
      default: .column(slot, column: column, old: value(&generator), new: value(&generator))
      }
    return UndoGroup.Entry(table: table, step: step, isReversed: Int.random(in: 0...9, using: &generator) == 0)
  }

  /// What `extendLast` does, in a plain list.
  private func extendLast(of list: inout [UndoGroup.Entry], by entry: UndoGroup.Entry) -> Bool {
    guard let last = list.last, last.table === entry.table, !last.isReversed, !entry.isReversed else { return false }
    switch (last.step, entry.step) {
    case (.insert(let first, let count), .insert(let next, 1)) where next == first + count:
      list[list.count - 1].step = .insert(first: first, count: count + 1)
    case (.column(let slot, let column, let old, _), .column(let other, let otherColumn, _, let new))
    where slot == other && column == otherColumn:
      list[list.count - 1].step = .column(slot, column: column, old: old, new: new)
    default: return false
    }
    return true
  }

  private func expect(_ entries: UndoEntries, are plain: [UndoGroup.Entry]) {
    func text(_ entry: UndoGroup.Entry) -> String { "\(entry.table.root.name) \(entry.isReversed) \(entry.step)" }
    #expect(entries.map(text) == plain.map(text))
    #expect(entries.reversed().map(text) == plain.reversed().map(text))
    #expect(entries.isEmpty == plain.isEmpty)
  }

  /// Steps come back as they were, and extend one another, as in a plain list; a copy stays as it is.
  @Test func theyAreAListOfSteps() {
    var generator = SplitMix(seed: 47)
    for _ in 0..<20 {
      var (entries, plain) = (UndoEntries(), [UndoGroup.Entry]())
      var (copy, plainCopy) = (entries, plain)
      for _ in 0..<Int.random(in: 0...200, using: &generator) {
        let next = entry(&generator)
        let extends = extendLast(of: &plain, by: next)
        #expect(entries.extendLast(by: next) == extends)
        if !extends {
          entries.append(next)
          plain.append(next)
        }
        if Int.random(in: 0...99, using: &generator) == 0 { (copy, plainCopy) = (entries, plain) }
      }
      expect(entries, are: plain)
      expect(copy, are: plainCopy)
      expect(UndoEntries(plain.reversed()), are: plain.reversed())
    }
  }
}
