import Modeling
import Queries
import Testing

import struct Foundation.Decimal
import struct Foundation.UUID

/// Every operator on every pair of values of every type and nil, against a reference written plainly.
@Suite struct ComparisonMatrixTests {
  private static let id = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

  private static let values: [Value] = [
    .null, .bool(true), .bool(false), .int(0), .int(1), .int(-5), .int(.max), .int(.min), .int(9_007_199_254_740_993),
    .double(0), .double(1), .double(-0.0), .double(0.5), .double(0.1), .double(9_007_199_254_740_992), .double(1e300),
    .double(-.infinity), .double(0x1p63), .decimal(1), .decimal(Decimal(string: "0.1") ?? 0), .decimal(0.5),
    .string(""), .string("a"), .string("A"), .string("b"), .string("é"), .string("e\u{301}"), .string("abc"),
    .string("a*"), .string("01020304-0506-0708-090a-0b0c0d0e0f10"), .url("a"), .uuid(id), .date(Timestamp(0)),
    .date(Timestamp(1)), .data([]), .data([97]), .data([97, 98]),
  ]

  // MARK: The reference

  private static func number(_ value: Value) -> Decimal? {
    switch value {
    case .bool(let flag): flag ? 1 : 0
    case .int(let number): Decimal(number)
    case .double(let number): number.isFinite ? Decimal(string: numberText(number)) : nil
    case .decimal(let number): number
    default: nil
    }
  }

  /// Whole doubles to the last digit, others as they are written.
  private static func numberText(_ number: Double) -> String {
    Int64(exactly: number).map { String($0) } ?? UInt64(exactly: number).map { String($0) } ?? "\(number)"
  }

  private static func order(_ left: Value, _ right: Value, folding: Bool = false) -> Int? {
    func bytes(_ text: String) -> [UInt8] {
      Array((folding ? text.lowercased() : text).utf8)
    }
    func sign(_ left: [UInt8], _ right: [UInt8]) -> Int {
      left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
    }
    switch (left, right) {
    case (.string(let a), .string(let b)), (.url(let a), .string(let b)), (.string(let a), .url(let b)),
      (.url(let a), .url(let b)):
      return sign(bytes(a), bytes(b))
    case (.uuid(let a), .uuid(let b)): return sign(Array(a.uuidString.utf8), Array(b.uuidString.utf8))
    case (.uuid(let a), .string(let b)): return sign(Array(a.uuidString.utf8), Array(b.uppercased().utf8))
    case (.string(let a), .uuid(let b)): return sign(Array(a.uppercased().utf8), Array(b.uuidString.utf8))
    case (.date(let a), .date(let b)): return a < b ? -1 : a == b ? 0 : 1
    case (.data(let a), .data(let b)): return sign(a, b)
    default: break
    }
    let kinds = [left, right].map { value -> Bool in
      switch value {
      case .bool, .int, .double, .decimal: true
      default: false
      }
    }
    guard kinds == [true, true] else { return nil }
    if left == .double(-.infinity) { return right == left ? 0 : -1 }
    if right == .double(-.infinity) { return 1 }
    // A Decimal holds 1e300 not.
    if left == .double(1e300) { return right == left ? 0 : 1 }
    if right == .double(1e300) { return -1 }
    guard let one = number(left), let other = number(right) else { return nil }
    return one < other ? -1 : one == other ? 0 : 1
  }

  private static func text(_ value: Value) -> String? {
    switch value {
    case .string(let text), .url(let text): text
    case .uuid(let uuid): uuid.uuidString
    default: nil
    }
  }

  /// The order of SQLite's storage classes, for a column without a declared type.
  private static func orderOfAny(_ left: Value, _ right: Value) -> Int? {
    if let order = order(left, right) { return order }
    func rank(_ value: Value) -> Int {
      switch value {
      case .null: 0
      case .bool, .int, .double, .decimal, .date: 1
      case .string, .url, .uuid: 2
      default: 3
      }
    }
    if left == .null || right == .null { return nil }
    if rank(left) != rank(right) { return rank(left) - rank(right) }
    func stored(_ value: Value) -> Value {
      switch value {
      case .date(let date): .double(date.seconds)
      case .uuid(let uuid): .string(uuid.uuidString)
      default: value
      }
    }
    return order(stored(left), stored(right))
  }

  private static func reference(
    _ left: Value, _ comparator: Comparator, _ right: Value, isWritten: Bool, isOpen: Bool = true
  ) -> Bool? {
    let order = isOpen ? orderOfAny(left, right) : order(left, right)
    switch comparator {
    case .equal, .notEqual:
      if isWritten, right == .null { return (left == .null) == (comparator == .equal) }
      return order.map { ($0 == 0) == (comparator == .equal) }
    case .less: return order.map { $0 < 0 }
    case .lessOrEqual: return order.map { $0 <= 0 }
    case .greater: return order.map { $0 > 0 }
    case .greaterOrEqual: return order.map { $0 >= 0 }
    default: break
    }
    guard let one = text(left).map({ Array($0.utf8) }), let other = text(right).map({ Array($0.utf8) }) else {
      return nil
    }
    switch comparator {
    case .beginsWith: return !other.isEmpty && one.starts(with: other)
    case .endsWith: return !other.isEmpty && one.reversed().starts(with: other.reversed())
    case .contains:
      return !other.isEmpty && (0...one.count).contains { one[$0...].starts(with: other) }
    case .in:
      return !one.isEmpty && (0...other.count).contains { other[$0...].starts(with: one) }
    default: return nil
    }
  }

  @Test(arguments: [
    Comparator.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .beginsWith, .endsWith, .contains, .in,
  ])
  func agreesWithTheReference(_ comparator: Comparator) throws {
    let object = SampleObject(Sample.quake)
    let anything = Expression.path(PropertyPath(["anything"]))
    // The right side as an attribute: `x == y`, not `x == nil`.
    let other = Expression.path(PropertyPath(["info", "x"]))
    for left in Self.values {
      object.values["anything"] = left
      for right in Self.values {
        let written = Predicate.comparison(Comparison(anything, comparator, .constant(right)))
        // Only what the check lets through: `IN` and text operators want text on the right.
        if comparator.isStringOperator || comparator == .in, Self.text(right) == nil { continue }
        if case .uuid = right, comparator.isStringOperator || comparator == .in { continue }
        let expected = Self.reference(left, comparator, right, isWritten: true)
        let answer = try written.evaluate(object)
        #expect(answer == expected, "\(left) \(comparator.rawValue) \(right)")
        let memory = try written.evaluate(object, semantics: .memory)
        let plain = Self.reference(left, comparator, right, isWritten: true, isOpen: false)
        let inMemory = plain ?? (comparator == .notEqual)
        #expect(memory == inMemory, "\(left) \(comparator.rawValue) \(right) in memory")
        guard let json = Self.json(right) else { continue }
        object.values["info"] = .json(.object(["x": json]))
        let read = try Predicate.comparison(Comparison(anything, comparator, other)).evaluate(object)
        #expect(
          read == Self.reference(left, comparator, right, isWritten: false),
          "\(left) \(comparator.rawValue) read \(right)")
      }
    }
  }

  /// A column of text that holds a number, as a foreign file may: the number is not compared.
  @Test func whatDoesNotFitTheDeclaredTypeIsNeither() throws {
    let object = SampleObject(Sample.quake)
    let place = Expression.path(PropertyPath(["place"]))
    for left in Self.values {
      object.values["place"] = left
      for comparator: Comparator in [.equal, .notEqual, .less, .greaterOrEqual] {
        let predicate = Predicate.comparison(Comparison(place, comparator, .constant(.string("abc"))))
        let expected = Self.reference(left, comparator, .string("abc"), isWritten: true, isOpen: false)
        #expect(try predicate.evaluate(object) == expected, "\(left) \(comparator.rawValue) abc")
      }
    }
  }

  private static func json(_ value: Value) -> JSON? {
    switch value {
    case .null: .null
    case .bool(let flag): .bool(flag)
    case .int(let number): .int(number)
    case .double(let number): .double(number)
    case .string(let text): .string(text)
    default: nil
    }
  }

  @Test func equalValuesHaveEqualPlacesInLists() throws {
    // Long lists are looked up by hash, short ones by comparing: both find the same.
    let object = SampleObject(Sample.quake)
    let padding = (100..<120).map { Value.int($0) }
    for wanted in Self.values {
      object.values["anything"] = wanted
      for candidate in Self.values {
        let anything = Expression.path(PropertyPath(["anything"]))
        func isMember(_ list: [Value]) throws -> Bool? {
          try Predicate.comparison(Comparison(anything, .in, .constant(.list(list)))).evaluate(object)
        }
        #expect(try isMember([candidate]) == isMember([candidate] + padding), "\(wanted) IN \(candidate)")
      }
    }
  }

  @Test func sortingIsATotalOrder() {
    for one in Self.values {
      #expect(one.order(one) == 0)
      for other in Self.values {
        #expect(one.order(other).signum() == -other.order(one).signum(), "\(one) \(other)")
        for third in Self.values where one.order(other) <= 0 && other.order(third) <= 0 {
          #expect(one.order(third) <= 0, "\(one) \(other) \(third)")
        }
      }
    }
  }
}
