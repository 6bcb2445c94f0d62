import Modeling
import TestSupport
import Testing

@testable import LiveQueries

/// The order of rows by groups and values.
@Suite(.seeded) struct ValueOrderTests {
  @Test(arguments: 0..<UInt64(Effort.rounds(6)))
  func whateverComesAndGoesTheFirstAndTheLastOfAGroupAreFound(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let groups = 1 + random.below(5)
    var rows = GroupedRows(columns: 1)
    for key in 0..<Int64(random.below(2_000)) {
      _ = rows.insert(key, group: Int32(random.below(groups)), [value(&random)])
    }
    var order = ValueOrder(of: 0, in: rows, groups: groups)
    try order.checkInvariants(of: 0, in: rows)
    // First it grows, then it shrinks to nothing.
    for step in 0..<8_000 {
      let key = Int64(random.below(4_000))
      if let place = rows.place(of: key) {
        if !rows.value(0, at: place).isNull { order.remove(place, of: 0, in: rows) }
        rows.remove(at: place)
      }
      if random.below(8_000) > step {
        let place = rows.insert(key, group: Int32(random.below(groups)), [value(&random)])
        if !rows.value(0, at: place).isNull { order.insert(place, of: 0, in: rows) }
      }
      if step % 200 == 0 { try check(order, rows, groups) }
    }
    try check(order, rows, groups)
  }

  private func value(_ random: inout SplitMix) -> Value {
    switch random.below(9) {
    case 0: .null
    case 1: .int(Int64(random.below(20)) - 10)
    case 2: .double(-0.0)
    case 3: .double(random.chance(oneIn: 2) ? .infinity : -.infinity)
    case 4: .string(["a", "A", "é", ""][random.below(4)])
    case 5: .int(.max - Int64(random.below(3)))
    case 6: .double(9.223372036854775e18)
    default: .double(Double(random.below(100)) / 4)
    }
  }

  /// Holds what is found against a look at all rows.
  private func check(_ order: ValueOrder, _ rows: borrowing GroupedRows, _ groups: Int) throws {
    try order.checkInvariants(of: 0, in: rows)
    for group in 0..<Int32(groups) {
      var (least, greatest): (Int?, Int?)
      for place in rows.groups.indices where rows.groups[place] == group && !rows.value(0, at: place).isNull {
        if let known = least {
          let compared = rows.value(0, at: place).order(rows.value(0, at: known))
          if compared < 0 || compared == 0 && rows.keys[place] < rows.keys[known] { least = place }
        } else {
          least = place
        }
        if let known = greatest {
          let compared = rows.value(0, at: place).order(rows.value(0, at: known))
          if compared > 0 || compared == 0 && rows.keys[place] < rows.keys[known] { greatest = place }
        } else {
          greatest = place
        }
      }
      let (first, last) = (order.first(of: group, in: rows), order.last(of: group, 0, in: rows))
      #expect(first.map(Int.init) == least)
      #expect(last.map(Int.init) == greatest)
    }
  }
}
