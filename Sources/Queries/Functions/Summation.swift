public import Modeling

public import struct Foundation.Decimal

/// A sum of numbers of any type, which is exact until it is read and does not depend on their order.
///
///     var summation = Summation()
///     for value in [Value.int(.max), .int(1), .int(-1)] { summation.add(value) }
///     summation.total                                                      // .int(.max)
///
/// A sum of integers is an integer, and a double only where it does not fit into 64 bits; with a double among them it is a
/// double, rounded once; with a decimal it is a decimal. Values that are no numbers are passed over. Storage's SQL
/// functions run it, too.
public struct Summation: Sendable {
  private var sums = ExactSums(count: 1)
  private var decimals = ExactDecimalSum()
  /// How many numbers of each type there are.
  private var counts = (integers: 0, doubles: 0, decimals: 0)

  /// Creates a sum of 0.
  public init() {}

  /// How many numbers there are.
  public var count: Int { counts.integers + counts.doubles + counts.decimals }

  /// Adds a number, so many times.
  public mutating func add(_ value: Value, times: Int = 1) {
    switch value {
    case .bool(let flag): add(.int(flag ? 1 : 0), times: times)
    case .int(let number):
      sums.add(integer: number, times: times, to: 0)
      counts.integers += times
    case .double(let number):
      sums.add(number, times: times, to: 0)
      counts.doubles += times
    case .decimal(let number):
      for _ in 0..<times { decimals.add(number) }
      counts.decimals += times
    default: break
    }
  }

  /// Adds the exact sum of numbers of one type, which was made elsewhere.
  public mutating func add(_ sum: PartialSum) {
    switch sum {
    case .integers(let count, let parts):
      for part in parts { sums.add(part, to: 0) }
      counts.integers += count
    case .doubles(let count, let parts):
      for part in parts { sums.add(part, to: 0) }
      counts.doubles += count
    case .decimals(let count, let sum):
      decimals.add(sum)
      counts.decimals += count
    }
  }

  /// Takes a number away that was added.
  public mutating func subtract(_ value: Value) {
    switch value {
    case .bool(let flag): subtract(.int(flag ? 1 : 0))
    case .int(let number):
      sums.subtract(integer: number, from: 0)
      counts.integers -= 1
    case .double(let number):
      sums.subtract(number, from: 0)
      counts.doubles -= 1
    case .decimal(let number):
      decimals.subtract(number)
      counts.decimals -= 1
    default: break
    }
  }

  /// The sum as integers, which `add(state:)` adds elsewhere.
  ///
  /// They are the numbers of integers, doubles and decimals, the numbers of infinite and other endless terms, the count of the
  /// integers of the decimals and these, then pairs of an integer and the power of two that it counts.
  public var state: [Int64] {
    let decimals = decimals.state
    var state = [counts.integers, counts.doubles, counts.decimals].map(Int64.init)
    state += sums.endlessCounts(of: 0).map(Int64.init)
    state += [Int64(decimals.count)] + decimals
    for part in sums.parts(of: 0) { state += [part.integer, Int64(part.exponent)] }
    return state
  }

  /// Adds a sum by its state.
  ///
  /// - Precondition: the integers are a state.
  public mutating func add(state: [Int64]) {
    counts.integers += Int(state[0])
    counts.doubles += Int(state[1])
    counts.decimals += Int(state[2])
    for (number, place) in [(Double.infinity, 3), (-.infinity, 4), (.nan, 5)] where state[place] > 0 {
      sums.add(number, times: Int(state[place]), to: 0)
    }
    let end = 7 + Int(state[6])
    decimals.add(state: state[7..<end])
    for place in stride(from: end, to: state.count, by: 2) {
      sums.add((state[place], Int(state[place + 1])), to: 0)
    }
  }

  /// Adds an integer.
  public mutating func add(integer number: Int64) {
    sums.add(integer: number, to: 0)
    counts.integers += 1
  }

  /// Adds a double.
  public mutating func add(_ number: Double) {
    sums.add(number, to: 0)
    counts.doubles += 1
  }

  /// The sum of the numbers; nil where it is no number, as infinity less infinity.
  public var total: Value { Self.total(binary, counts.decimals > 0 ? decimals : nil) }

  /// The average of the numbers: their sum, rounded, divided by their number. Nil without numbers.
  public var average: Value { Self.average(total, count: count) }

  private var binary: Value {
    if counts.doubles == 0, let integer = sums.integer(at: 0) { return .int(integer) }
    return ExpressionFunction.double(sums.double(at: 0))
  }

  /// The sum of a binary sum and one of decimals, if there are any.
  public static func total(_ binary: Value, _ decimals: ExactDecimalSum?) -> Value {
    guard let decimals else { return binary }
    return ExpressionFunction.add.arithmetic(ExpressionFunction.decimal(decimals.total), binary)
  }

  /// A sum divided by the number of its numbers: a double, of decimals a decimal.
  public static func average(_ total: Value, count: Int) -> Value {
    if count == 0 { return .null }
    if case .decimal = total { return ExpressionFunction.divide.arithmetic(total, .int(Int64(count))) }
    return total.doubleValue.map { ExpressionFunction.double($0 / Double(count)) } ?? .null
  }
}

/// The exact sum of some numbers of one type.
public enum PartialSum: Sendable {
  case integers(count: Int, [ExactSums.ScaledPart])
  case doubles(count: Int, [ExactSums.ScaledPart])
  case decimals(count: Int, Decimal)
}
