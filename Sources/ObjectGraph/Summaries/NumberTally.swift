internal import Modeling

/// Counts numbers: how many, how often each, their mean, quartiles and ranges.
///
/// Whole numbers are exact up to 64 bits; beside a fraction they are compared as doubles.
struct NumberTally {
  private(set) var count = 0
  private var integers: DistinctTable<Int64>
  private var reals: DistinctTable<Double>
  private var (leastInteger, greatestInteger) = (Int64.max, Int64.min)
  private var (leastReal, greatestReal) = (Double.infinity, -Double.infinity)
  private var integerSum: Int128 = 0
  /// The sum of the doubles in two parts, so that it hardly depends on their order.
  private var (sum, compensation) = (0.0, 0.0)

  /// Numbers that are counted together soon: searches in large tables then overlap.
  private var waitingIntegers: [Int64] = []
  private var waitingReals: [Double] = []

  /// How many numbers are counted together.
  private static let block = 512
  /// The most ranges of a histogram.
  private static let buckets = 8
  /// The most frequent values that are listed.
  static let mostTop = 5

  init(limit: Int) {
    integers = DistinctTable(limit: limit)
    reals = DistinctTable(limit: limit)
  }

  mutating func add(_ number: Int64) {
    waitingIntegers.append(number)
    if waitingIntegers.count == Self.block { countIntegers() }
  }

  /// Counts a double, which is no NaN.
  mutating func add(_ number: Double) {
    // -0 is 0.
    waitingReals.append(number + 0)
    if waitingReals.count == Self.block { countReals() }
  }

  /// Counts what waits. To be called before anything is asked.
  mutating func complete() {
    countIntegers()
    countReals()
  }

  private mutating func countIntegers() {
    let numbers = waitingIntegers
    waitingIntegers.removeAll(keepingCapacity: true)
    count += numbers.count
    numbers.withUnsafeBufferPointer { numbers in
      for number in numbers {
        integerSum += Int128(number)
        leastInteger = min(leastInteger, number)
        greatestInteger = max(greatestInteger, number)
      }
      withUnsafeTemporaryAllocation(of: UInt64.self, capacity: Self.block) {
        integers.add(contentsOf: numbers, hashes: $0)
      }
    }
  }

  private mutating func countReals() {
    let numbers = waitingReals
    waitingReals.removeAll(keepingCapacity: true)
    count += numbers.count
    numbers.withUnsafeBufferPointer { numbers in
      for number in numbers {
        let next = sum + number
        compensation += abs(sum) >= abs(number) ? (sum - next) + number : (number - next) + sum
        sum = next
        leastReal = min(leastReal, number)
        greatestReal = max(greatestReal, number)
      }
      withUnsafeTemporaryAllocation(of: UInt64.self, capacity: Self.block) {
        reals.add(contentsOf: numbers, hashes: $0)
      }
    }
  }

  var isEstimated: Bool { integers.isEstimated || reals.isEstimated }

  private var isWhole: Bool { leastReal > greatestReal }
  private var hasBoth: Bool { !isWhole && leastInteger <= greatestInteger }

  /// How many different numbers there are; 5 and 5.0 are one.
  var distinct: Int {
    guard hasBoth else { return integers.distinct + reals.distinct }
    if isEstimated { return integers.distinct + reals.distinct }
    var known: Set<Int64> = []
    integers.forEach { number, _ in known.insert(number) }
    var count = integers.distinct
    reals.forEach { number, _ in
      if Int64(exactly: number).map({ !known.contains($0) }) ?? true { count += 1 }
    }
    return count
  }

  var least: Value {
    guard count > 0 else { return .null }
    guard !isWhole else { return .int(leastInteger) }
    return leastInteger <= greatestInteger && Double(leastInteger) <= leastReal
      ? .int(leastInteger) : .double(leastReal)
  }

  var greatest: Value {
    guard count > 0 else { return .null }
    guard !isWhole else { return .int(greatestInteger) }
    return leastInteger <= greatestInteger && Double(greatestInteger) >= greatestReal
      ? .int(greatestInteger) : .double(greatestReal)
  }

  var mean: Double? {
    guard count > 0 else { return nil }
    let real = sum.isFinite ? sum + compensation : sum
    return isWhole ? Double(integerSum) / Double(count) : (Double(integerSum) + real) / Double(count)
  }

  // MARK: Frequencies

  /// The most frequent numbers; equally frequent ones ascend.
  var top: [(value: Value, count: Int)] {
    var top = TopValues()
    if hasBoth {
      var counts: [Double: Int] = [:]
      integers.forEach { counts[Double($0), default: 0] += $1 }
      reals.forEach { counts[$0, default: 0] += $1 }
      for (number, count) in counts { top.add(.double(number), count) }
    } else {
      integers.forEach { top.add(.int($0), $1) }
      reals.forEach { top.add(.double($0), $1) }
    }
    return top.values
  }

  // MARK: Quartiles and ranges

  /// The measures; `value` makes what people see of a number.
  func measures(_ value: (Value) -> Value) -> PropertySummary.Measures {
    var measures = PropertySummary.Measures()
    guard let mean else { return measures }
    (measures.least, measures.greatest) = (value(least), value(greatest))
    measures.mean = value(.double(mean))
    let ranks = ranks()
    measures.quartiles = [1, 2, 3].map { value(quantile($0, ranks)) }
    measures.histogram = histogram(value)
    return measures
  }

  /// The kept numbers as bits that are in the order of the numbers, with their counts.
  private func ranks() -> [(bits: UInt64, count: Int)] {
    var ranks: [(bits: UInt64, count: Int)] = []
    ranks.reserveCapacity(integers.used + reals.used)
    let areReal = !isWhole
    integers.forEach { number, count in
      ranks.append((areReal ? Self.bits(Double(number)) : UInt64(bitPattern: number) ^ (1 << 63), count))
    }
    reals.forEach { ranks.append((Self.bits($0), $1)) }
    return ranks
  }

  private static func bits(_ number: Double) -> UInt64 {
    let bits = number.bitPattern
    return bits >> 63 == 1 ? ~bits : bits | (1 << 63)
  }

  private func number(ofBits bits: UInt64) -> Value {
    if isWhole { return .int(Int64(bitPattern: bits ^ (1 << 63))) }
    return .double(Double(bitPattern: bits >> 63 == 1 ? bits & ~(1 << 63) : ~bits))
  }

  /// The number at `quarter` quarters: found by the first 16 bits, then the next, without sorting.
  private func quantile(_ quarter: Int, _ ranks: [(bits: UInt64, count: Int)]) -> Value {
    let total = ranks.reduce(0) { $0 + $1.count }
    guard total > 0 else { return .null }
    var rest = max((total * quarter + 3) / 4, 1)
    var candidates = ranks
    for shift in [48, 32, 16, 0] as [UInt64] {
      if candidates.count == 1 { break }
      var counts = [Int](repeating: 0, count: 1 << 16)
      for candidate in candidates { counts[Int(candidate.bits >> shift & 0xFFFF)] += candidate.count }
      var digit = 0
      while counts[digit] < rest {
        rest -= counts[digit]
        digit += 1
      }
      candidates.removeAll { Int($0.bits >> shift & 0xFFFF) != digit }
    }
    return number(ofBits: candidates[0].bits)
  }

  private func histogram(_ value: (Value) -> Value) -> [PropertySummary.Bucket] {
    if isWhole { return wholeHistogram(value) }
    let low = hasBoth ? min(leastReal, Double(leastInteger)) : leastReal
    let high = hasBoth ? max(greatestReal, Double(greatestInteger)) : greatestReal
    guard low.isFinite, high.isFinite else { return [] }
    guard high > low else {
      return [PropertySummary.Bucket(least: value(.double(low)), greatest: value(.double(high)), count: count)]
    }
    let buckets = Self.buckets
    // Divided first: the difference of great numbers would be infinite.
    let step = high / Double(buckets) - low / Double(buckets)
    var counts = [Int](repeating: 0, count: buckets)
    func add(_ number: Double, _ count: Int) {
      let place = step > 0 ? number / step - low / step : 0
      counts[place >= Double(buckets) ? buckets - 1 : max(Int(place), 0)] += count
    }
    integers.forEach { add(Double($0), $1) }
    reals.forEach(add)
    return counts.enumerated().map { place, count in
      let end = place == buckets - 1 ? high : low + step * Double(place + 1)
      return PropertySummary.Bucket(
        least: value(.double(low + step * Double(place))), greatest: value(.double(end)), count: scaled(count))
    }
  }

  private func wholeHistogram(_ value: (Value) -> Value) -> [PropertySummary.Bucket] {
    guard leastInteger <= greatestInteger else { return [] }
    let width = Int128(greatestInteger) - Int128(leastInteger) + 1
    let step = (width + Int128(Self.buckets) - 1) / Int128(Self.buckets)
    var counts = [Int](repeating: 0, count: Int((width + step - 1) / step))
    let least = leastInteger
    if width <= Int128(UInt64.max), let narrow = UInt64(exactly: step) {
      integers.forEach { number, count in
        counts[Int(UInt64(bitPattern: number &- least) / narrow)] += count
      }
    } else {
      integers.forEach { number, count in counts[Int((Int128(number) - Int128(leastInteger)) / step)] += count }
    }
    return counts.enumerated().map { place, count in
      let start = Int128(leastInteger) + Int128(place) * step
      let end = min(start + step - 1, Int128(greatestInteger))
      return PropertySummary.Bucket(
        least: value(.int(Int64(start))), greatest: value(.int(Int64(end))), count: scaled(count))
    }
  }

  /// The number of values that some counted ones stand for.
  private func scaled(_ kept: Int) -> Int { kept << max(integers.level, reals.level) }
}
