import Modeling
import TestSupport
import Testing

@testable import ObjectGraph

@Suite(.seeded) struct ChangeMapTests {
  /// Checks a map against a dictionary with the value that each slot's changes have in column 0.
  private func expect(_ map: ChangeMap, is plain: [Int32: Int64]) {
    #expect(map.count == plain.count)
    #expect(map.isEmpty == plain.isEmpty)
    #expect(Set(map.keys) == Set(plain.keys))
    #expect(zip(map.keys, map.values).allSatisfy { $1.columns[0] == .int(plain[$0] ?? -1) })
    #expect((0..<200).allSatisfy { map[$0]?.columns[0] == plain[$0].map { .int($0) } })
  }

  private func record(_ value: Int64) -> UnsavedChanges.Record {
    var columns = ChangedColumns()
    columns[0] = .int(value)
    return UnsavedChanges.Record(.updated, columns: columns, order: 0)
  }

  /// Slots get changes, lose them and get others, as in a dictionary; what changes a record changes no other one.
  @Test func itHoldsWhatWasSet() {
    var generator = SplitMix(seed: 21)
    for _ in 0..<50 {
      let map = ChangeMap()
      var plain: [Int32: Int64] = [:]
      for _ in 0..<Int.random(in: 0...600, using: &generator) {
        let slot = Int32.random(in: 0..<180, using: &generator)
        let value = Int64.random(in: 0...99, using: &generator)
        switch Int.random(in: 0...3, using: &generator) {
        case 0:
          map.remove(slot)
          plain[slot] = nil
        case 1:
          map[slot]?.columns[0] = .int(value)
          if plain[slot] != nil { plain[slot] = value }
        default:
          map.set(slot, record(value))
          plain[slot] = value
        }
      }
      expect(map, is: plain)
    }
  }

  /// What is held of an object's changes stays theirs while others come and go, and is void once they are removed.
  @Test func recordsStayWhereTheyAre() {
    let map = ChangeMap()
    let held = map.set(7, record(7))
    for slot in Int32(100)..<3000 { map.set(slot, record(Int64(slot))) }
    for slot in Int32(100)..<2999 { map.remove(slot) }
    held.columns[0] = .int(8)
    #expect(map[7]?.columns[0] == .int(8))
    #expect(map[2999]?.columns[0] == .int(2999))
    map.remove(7)
    #expect(held.isVoid && held.newKey == nil && held.columns.isEmpty)
  }

  /// A copy is independent in both directions, and brings back everything when it replaces later changes.
  @Test func copiesAreIndependent() {
    let map = ChangeMap()
    for slot in Int32(0)..<20 { map.set(slot, record(Int64(slot))) }
    map[3]?.noteAssigned(1)
    map[4]?.kind = .deleted
    let copy = map.copy()
    map[3]?.noteAssigned(2)
    for slot in Int32(0)..<15 { map.remove(slot) }
    map.set(150, record(1))
    expect(copy, is: Dictionary(uniqueKeysWithValues: (0..<20).map { ($0, Int64($0)) }))
    map.replaceAll(by: copy)
    map[5]?.columns[0] = .int(99)
    #expect(copy[5]?.columns[0] == .int(5))
    #expect(copy[3]?.assignedDefaults == [1] && map[3]?.assignedDefaults == [1])
    #expect(map[4]?.kind == .deleted && map[150] == nil)
  }

  #if DEBUG
    /// What is held of changes whose memory was freed stops the program instead of reading what lies there now.
    @Test func nothingIsReadFromFreedMemory() async {
      await #expect(processExitsWith: .failure) {
        let map = ChangeMap()
        let held = map.set(1, UnsavedChanges.Record(.updated, columns: ChangedColumns(), order: 0))
        map.remove(1)
        map.trim()
        _ = held.kind
      }
      await #expect(processExitsWith: .success) {
        let map = ChangeMap()
        let held = map.set(1, UnsavedChanges.Record(.updated, columns: ChangedColumns(), order: 0))
        map.remove(1)
        _ = held.kind
      }
    }
  #endif

  /// Memory is given back only when there are no changes, and the map serves as before.
  @Test func anEmptyMapGivesItsMemoryBack() {
    let map = ChangeMap()
    for slot in Int32(0)..<100 { map.set(slot, record(1)) }
    map.trim()
    #expect(map.count == 100)
    for slot in Int32(0)..<100 { map.remove(slot) }
    map.trim()
    #expect(map.isEmpty && map[50] == nil)
    map.set(50, record(2))
    expect(map, is: [50: 2])
  }
}
