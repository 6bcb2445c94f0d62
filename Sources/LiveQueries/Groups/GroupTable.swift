internal import Modeling
internal import Queries

/// The groups of a request: their keys, their numbers of rows, and the facts that are kept about the rows' values.
///
/// A group is a number, which stays as long as the group has rows, and through each batch of changes. Beside its keys it takes
/// four bytes for its rows; for each argument four for the number of values, four for that of doubles among them and some 24
/// for their sum, and four each for the row with the least and with the greatest value.
///
/// If a least or greatest value is asked for, `order` has the rows by their values, so that the next one can be looked up
/// when one goes. Rows that are counted before `orderRows` are in no order yet.
///
/// Invariant: the facts about a group equal those that a pass over its rows would find. Of rows with equal values, the one
/// with the lowest key is the least and the greatest.
///
/// It is not copied: each value of a group is looked at in place.
struct GroupTable: ~Copyable {
  private let keyCount: Int
  private let arguments: [GroupArgument]
  /// The group keys, by group.
  private(set) var identities: [SortKey] = []
  /// The keys of the groups, one group behind the other.
  private var keys: ContiguousArray<Value> = []
  private var numbers: [SortKey: Int32] = [:]
  private var rowCounts: ContiguousArray<Int32> = []
  private var tallies: [Tally]
  private var free: [Int32] = []
  /// Groups that lost a least or greatest value while there was no order.
  private var lost: Set<Int32> = []

  /// The facts about the values of one argument, by group.
  private struct Tally {
    /// How many values there are.
    var counts: ContiguousArray<Int32> = []
    /// How many of the values that are added up are no integers.
    var doubles: ContiguousArray<Int32> = []
    var sums = ExactSums()
    /// The sums where not all numbers are binary.
    var generalSums: ContiguousArray<Summation> = []
    /// The place of a row with the least value; -1 for none.
    var least: ContiguousArray<Int32> = []
    var greatest: ContiguousArray<Int32> = []
    /// The rows by their values; nil where it is not asked for, or not made.
    var order: ValueOrder?

    /// Makes room for one group more.
    mutating func grow(_ argument: GroupArgument, to count: Int) {
      counts.append(0)
      switch argument.sum {
      case .binary:
        doubles.append(0)
        sums.grow(to: count)
      case .general: generalSums.append(Summation())
      case nil: break
      }
      if argument.hasLeast { least.append(-1) }
      if argument.hasGreatest { greatest.append(-1) }
    }
  }

  /// No groups.
  init(keyCount: Int, arguments: [GroupArgument]) {
    self.keyCount = keyCount
    self.arguments = arguments
    tallies = arguments.map { _ in Tally() }
  }

  /// The groups that there are, some of which may have no rows.
  var count: Int { rowCounts.count - free.count }

  /// The numbers of all groups lie below.
  var end: Int { rowCounts.count }

  /// How many rows a group has.
  func rowCount(of group: Int32) -> Int { Int(rowCounts[Int(group)]) }

  /// A key of a group.
  func key(_ index: Int, of group: Int32) -> Value { keys[Int(group) * keyCount + index] }

  /// The number of the group with an identity; nil where there is none.
  func number(of identity: SortKey) -> Int32? { numbers[identity] }

  /// The number of the group that has these keys, new where there was none.
  mutating func number(of identity: SortKey, _ values: some Collection<Value>) -> Int32 {
    if let known = numbers[identity] { return known }
    let number: Int32
    if let last = free.popLast() {
      number = last
      identities[Int(number)] = identity
      for (index, value) in values.enumerated() { keys[Int(number) * keyCount + index] = value }
    } else {
      number = Int32(clamping: rowCounts.count)
      identities.append(identity)
      keys.append(contentsOf: values)
      rowCounts.append(0)
      for index in tallies.indices { tallies[index].grow(arguments[index], to: rowCounts.count) }
    }
    numbers[identity] = number
    return number
  }

  /// Gives the number of a group without rows back.
  mutating func remove(_ group: Int32) {
    numbers[identities[Int(group)]] = nil
    identities[Int(group)] = SortKey(prefix: 0)
    for index in 0..<keyCount { keys[Int(group) * keyCount + index] = .null }
    free.append(group)
  }

  // MARK: Rows

  /// Counts a row, whose values stand in `rows` at a place.
  mutating func add(_ place: Int, to group: Int32, of rows: borrowing GroupedRows) {
    rowCounts[Int(group)] += 1
    for index in arguments.indices {
      let value = rows.value(index, at: place)
      if value.isNull { continue }
      change(index, group, by: value, isAdded: true)
      if arguments[index].isOrdered { note(place, index, group, rows) }
    }
  }

  /// Counts a row no more, whose values still stand in `rows`.
  mutating func remove(_ place: Int, from group: Int32, of rows: borrowing GroupedRows) {
    rowCounts[Int(group)] -= 1
    for index in arguments.indices {
      let value = rows.value(index, at: place)
      if value.isNull { continue }
      change(index, group, by: value, isAdded: false)
      if arguments[index].isOrdered { forget(place, index, group, rows) }
    }
  }

  /// Takes a row out of the order of an argument, and looks the least and greatest value up that are left.
  private mutating func forget(_ place: Int, _ argument: Int, _ group: Int32, _ rows: borrowing GroupedRows) {
    tallies[argument].order?.remove(place, of: argument, in: rows)
    let isLeast = arguments[argument].hasLeast && tallies[argument].least[Int(group)] == Int32(place)
    let isGreatest = arguments[argument].hasGreatest && tallies[argument].greatest[Int(group)] == Int32(place)
    if isLeast || isGreatest { findExtremes(argument, group, rows) }
  }

  private mutating func findExtremes(_ argument: Int, _ group: Int32, _ rows: borrowing GroupedRows) {
    let order = tallies[argument].order
    if order == nil { lost.insert(group) }
    if arguments[argument].hasLeast {
      tallies[argument].least[Int(group)] = order?.first(of: group, in: rows) ?? -1
    }
    if arguments[argument].hasGreatest {
      tallies[argument].greatest[Int(group)] = order?.last(of: group, argument, in: rows) ?? -1
    }
  }

  private mutating func change(_ argument: Int, _ group: Int32, by value: Value, isAdded: Bool) {
    let group = Int(group)
    tallies[argument].counts[group] += isAdded ? 1 : -1
    switch arguments[argument].sum {
    case .general:
      if isAdded {
        tallies[argument].generalSums[group].add(value)
      } else {
        tallies[argument].generalSums[group].subtract(value)
      }
    case .binary:
      switch value {
      case .bool(let flag): change(argument, group, by: flag ? 1 : 0, isAdded: isAdded)
      case .int(let number): change(argument, group, by: number, isAdded: isAdded)
      case .double(let number):
        tallies[argument].doubles[group] += isAdded ? 1 : -1
        if isAdded {
          tallies[argument].sums.add(number, to: group)
        } else {
          tallies[argument].sums.subtract(number, from: group)
        }
      default: break
      }
    case nil: break
    }
  }

  private mutating func change(_ argument: Int, _ group: Int, by number: Int64, isAdded: Bool) {
    if isAdded {
      tallies[argument].sums.add(integer: number, to: group)
    } else {
      tallies[argument].sums.subtract(integer: number, from: group)
    }
  }

  /// Notes the value of a row where it is the least or the greatest.
  private mutating func note(_ place: Int, _ argument: Int, _ group: Int32, _ rows: borrowing GroupedRows) {
    tallies[argument].order?.insert(place, of: argument, in: rows)
    func precedes(_ known: Int, _ order: Int) -> Bool {
      order < 0 || order == 0 && rows.keys[place] < rows.keys[known]
    }
    if arguments[argument].hasLeast {
      let known = Int(tallies[argument].least[Int(group)])
      if known < 0 || precedes(known, rows.order(argument, place, known)) {
        tallies[argument].least[Int(group)] = Int32(clamping: place)
      }
    }
    if arguments[argument].hasGreatest {
      let known = Int(tallies[argument].greatest[Int(group)])
      if known < 0 || precedes(known, rows.order(argument, known, place)) {
        tallies[argument].greatest[Int(group)] = Int32(clamping: place)
      }
    }
  }

  /// Gives the order of values up, while so many rows change that making it again costs less than keeping it.
  mutating func dropOrder() {
    for index in tallies.indices { tallies[index].order = nil }
  }

  /// Makes the missing order of values if it is asked for, and looks up the extremes that were lost without it.
  mutating func orderRows(_ rows: borrowing GroupedRows) {
    for index in arguments.indices where arguments[index].isOrdered && tallies[index].order == nil {
      tallies[index].order = ValueOrder(of: index, in: rows, groups: end)
      for group in lost { findExtremes(index, group, rows) }
    }
    lost = []
  }

  // MARK: Terms

  /// The value of a term of a group.
  func value(_ term: GroupTerm, of group: Int32, in rows: borrowing GroupedRows) -> Value {
    switch term {
    case .rows: return .int(Int64(rowCounts[Int(group)]))
    case .count(let argument): return .int(Int64(tallies[argument].counts[Int(group)]))
    case .sum(let argument): return sum(argument, group)
    case .average(let argument):
      if arguments[argument].sum == .general { return tallies[argument].generalSums[Int(group)].average }
      return Summation.average(sum(argument, group), count: Int(tallies[argument].counts[Int(group)]))
    case .least(let argument): return extreme(tallies[argument].least[Int(group)], argument, rows)
    case .greatest(let argument): return extreme(tallies[argument].greatest[Int(group)], argument, rows)
    }
  }

  private func sum(_ argument: Int, _ group: Int32) -> Value {
    let group = Int(group)
    if arguments[argument].sum == .general { return tallies[argument].generalSums[group].total }
    if tallies[argument].doubles[group] == 0, let integer = tallies[argument].sums.integer(at: group) {
      return .int(integer)
    }
    let sum = tallies[argument].sums.double(at: group)
    return sum.isNaN ? .null : .double(sum)
  }

  private func extreme(_ place: Int32, _ argument: Int, _ rows: borrowing GroupedRows) -> Value {
    place < 0 ? .null : rows.value(argument, at: Int(place))
  }

  /// The bytes that the groups take, texts of keys left out.
  var bytesUsed: Int {
    let each = tallies.indices.reduce(4) { bytes, index in
      let argument = arguments[index]
      let sum = argument.sum == nil ? 0 : 4 + tallies[index].sums.bytesEach
      return bytes + 4 + sum + (argument.hasLeast ? 4 : 0) + (argument.hasGreatest ? 4 : 0)
    }
    return rowCounts.count * each + tallies.reduce(0) { $0 + ($1.order?.bytesUsed ?? 0) }
  }

  /// Compares the facts about each group with a pass over its rows.
  func checkInvariants(_ rows: borrowing GroupedRows) throws {
    for group in 0..<Int32(clamping: end) where rowCounts[Int(group)] > 0 {
      var fresh = GroupTable(keyCount: 0, arguments: arguments)
      _ = fresh.number(of: identities[Int(group)], [])
      for place in rows.groups.indices where rows.groups[place] == group { fresh.add(place, to: 0, of: rows) }
      for index in arguments.indices {
        var terms = [GroupTerm.rows, .count(index)]
        if arguments[index].sum != nil { terms += [.sum(index), .average(index)] }
        if arguments[index].hasLeast { terms.append(.least(index)) }
        if arguments[index].hasGreatest { terms.append(.greatest(index)) }
        for term in terms {
          let (kept, found) = (value(term, of: group, in: rows), fresh.value(term, of: 0, in: rows))
          try BrokenInvariant.unless(
            kept.order(found) == 0, "group \(group) keeps \(kept) as \(term), its rows have \(found)")
        }
      }
    }
    for index in arguments.indices { try tallies[index].order?.checkInvariants(of: index, in: rows) }
  }
}
