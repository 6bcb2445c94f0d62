import Modeling
import Queries
import Testing

import struct Foundation.Decimal

/// What functions return, for every kind of number and for nil.
@Suite struct ExpressionFunctionTests {
  @Test func whatIsWrittenBetweenItsOperandsIsNotCalledByName() {
    let names = ExpressionFunction.callableNames
    for function in ExpressionFunction.allCases {
      #expect(names.contains(function.rawValue) == (!function.isInfix && function != .negate), "\(function)")
    }
  }

  @Test func eachKindOfOperatorBindsTighterThanTheOneBefore() {
    let order: [[ExpressionFunction]] = [
      [.bitwiseOr], [.bitwiseXor], [.bitwiseAnd], [.add, .subtract], [.multiply, .divide], [.power],
    ]
    for (place, functions) in order.enumerated() {
      for function in functions { #expect(function.precedence == place + 1) }
    }
  }

  private func value(_ text: String) throws -> Value { try Expression.parse(text).evaluate(Sample.fullQuake()) }

  @Test(arguments: [
    ("1 + 2", Value.int(3)), ("1 + 2.5", .double(3.5)), ("7 / 2", .int(3)), ("-7 / 2", .int(-3)),
    ("7 / 2.0", .double(3.5)),
    ("9223372036854775807 + 1", .double(9_223_372_036_854_775_808)), ("-9223372036854775808 / -1", .double(0x1p63)),
    ("9223372036854775807 * 2", .double(0x1p64)), ("modulus:by:(-7, 2)", .int(-1)),
    ("modulus:by:(7.5, 2)", .double(1.5)),
    ("modulus:by:(-9223372036854775808, -1)", .int(0)), ("2 ** 10", .double(1024)), ("2 ** 3 ** 2", .double(64)),
    ("-2 ** 2", .double(4)), ("2 + 3 * 4 - 5", .int(9)), ("10 - 4 - 3", .int(3)), ("YES + YES", .int(2)),
    ("leftshift:by:(1, 4)", .int(16)), ("rightshift:by:(-16, 2)", .int(-4)), ("onescomplement:(5)", .int(-6)),
    ("abs(-5)", .int(5)), ("abs(-2.5)", .double(2.5)), ("-(5)", .int(-5)), ("floor(-2.5)", .double(-3)),
    ("ceiling(2.1)", .double(3)), ("round(2.5)", .double(3)), ("round(-2.5)", .double(-3)),
    ("trunc(-2.7)", .double(-2)),
    ("round(5)", .int(5)), ("sqrt(2.25)", .double(1.5)), ("ln(1)", .double(0)), ("log(1000)", .double(3)),
    ("exp(0)", .double(1)), ("lowercase('ÄB')", .string("äb")), ("uppercase('äß')", .string("ÄSS")),
    ("canonical('Ōsaka ÅNGSTRÖM ﬁ Straße')", .string("osaka angstrom fi strasse")), ("length('e\u{301}')", .int(2)),
    ("trim('\u{A0} a b\n')", .string("a b")), ("trim('  ')", .string("")),
    ("sum({1, 2, nil})", .int(3)), ("sum({1, 2.5})", .double(3.5)), ("average({1, 2, nil})", .double(1.5)),
    ("min({3, 1, nil})", .int(1)), ("max('a', 'b')", .string("b")), ("count({1, nil})", .int(2)), ("sum({})", .int(0)),
    ("max({})", .null), ("median({4, 1, 3})", .double(3)), ("median({4, 1})", .double(2.5)),
    ("mode({2, 3, 3, 2, 1})", .int(2)),
    ("stddev({2, 4, 4, 4, 5, 5, 7, 9})", .double(2)), ("CAST(5, 'NSString')", .string("5")),
    ("CAST('x', 'NSNumber')", .null), ("CAST(2.9, 'Integer')", .int(2)), ("CAST('yes', 'Bool')", .bool(true)),
    ("CAST(60, 'NSDate')", .date(Timestamp(978_307_260))),
    ("CAST(time, 'NSNumber')", .double(1_705_940_772.25 - 978_307_200)),
    ("CAST('2024-01-22', 'NSDate')", .date(Timestamp(1_705_881_600))),
    ("reports.score", .list([.int(3), .int(8), .null])),
    ("station", .object(ObjectID(entity: Sample.station, key: 9))), ("TERNARY(nil > 1, 1, 2)", .int(2)),
  ])
  func gives(_ text: String, _ expected: Value) throws {
    #expect(try value(text) == expected)
  }

  @Test func decimalsAreExact() throws {
    #expect(
      try value("CAST('0.1', 'NSDecimalNumber') + CAST('0.2', 'NSDecimalNumber')")
        == .decimal(Decimal(string: "0.3") ?? 0))
    #expect(try value("CAST('1.10', 'NSDecimalNumber') * 3") == .decimal(Decimal(string: "3.3") ?? 0))
    #expect(try value("CAST('1', 'NSDecimalNumber') / 8") == .decimal(Decimal(string: "0.125") ?? 0))
    #expect(try value("modulus:by:(CAST('7.5', 'NSDecimalNumber'), 2)") == .decimal(Decimal(string: "1.5") ?? 0))
    #expect(try value("floor(CAST('-1.5', 'NSDecimalNumber'))") == .decimal(-2))
    #expect(
      try value("average(CAST('1', 'NSDecimalNumber'), CAST('2', 'NSDecimalNumber'))")
        == .decimal(Decimal(string: "1.5") ?? 0))
  }

  @Test func nothingGivesNothing() {
    for function in ExpressionFunction.allCases where function != .now && !function.isAggregate {
      let count = function.isInfix || [.modulus, .leftShift, .rightShift].contains(function) ? 2 : 1
      #expect(function.evaluate(Array(repeating: .null, count: count)) == .null, "\(function)")
      #expect(function.evaluate([]) == .null, "\(function)")
      for odd: Value in [
        .string("x"), .data([1]), .json(.array([])), .list([]), .double(.infinity), .date(Timestamp(1e300)),
      ] {
        _ = function.evaluate(Array(repeating: odd, count: count))
      }
    }
  }

  @Test func datesOutsideTheCalendarHaveNoParts() {
    #expect(ExpressionFunction.year.evaluate([.date(Timestamp(1e15))]) == .null)
    #expect(ExpressionFunction.second.evaluate([.date(Timestamp(59.999_999_9))]) == .int(59))
    #expect(ExpressionFunction.day.evaluate([.date(Timestamp(-0.5))]) == .string("1969-12-31"))
  }

  @Test func everySpellingIsFound() {
    for function in ExpressionFunction.allCases {
      for name in [function.rawValue] + function.aliases {
        #expect(ExpressionFunction(named: name) == function)
        #expect(ExpressionFunction(named: name.uppercased()) == function)
      }
    }
    #expect(ExpressionFunction(named: "lowercase:") == .lowercase)
    #expect(ExpressionFunction(named: "raise:toPower:") == .power)
    #expect(ExpressionFunction(named: "nothing") == nil)
  }
}
