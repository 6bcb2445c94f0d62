import Modeling
import Queries
import TestSupport
import Testing

/// What is printed is read back as the same tree.
@Suite(.seeded) struct RoundTripTests {
  @Test func randomTreesComeBack() throws {
    var trees = RandomTrees(seed: 1)
    for _ in 0..<Effort.rounds(1500) {
      let predicate = trees.predicate(3)
      for text in [predicate.format, predicate.description] {
        do {
          let again = try Predicate.parse(text)
          guard again == predicate else {
            Issue.record("\(text)\nbecame\n\(again.format)")
            return
          }
        } catch {
          Issue.record("\(text)\nwas refused: \(error)")
          return
        }
      }
    }
  }

  @Test func textsOfApplicationsComeBack() throws {
    #expect(PredicateCorpus.texts.count >= 200)
    for text in PredicateCorpus.texts {
      do {
        let predicate = try Predicate.parse(text)
        for printed in [predicate.format, predicate.description] {
          #expect(try Predicate.parse(printed) == predicate, "\(text)\nbecame\n\(printed)")
        }
        #expect(try Predicate.parse(predicate.format).format == predicate.format, "\(text)")
      } catch {
        Issue.record("\(text)\nwas refused: \(error)")
      }
    }
  }

  @Test func noPairOfParenthesesCanBeLeftOut() throws {
    var trees = RandomTrees(seed: 6)
    let texts = PredicateCorpus.texts + (0..<Effort.rounds(300)).map { _ in trees.predicate(3).format }
    for text in texts {
      let predicate = try Predicate.parse(text)
      for shorter in Self.withoutOnePair(predicate.format) {
        #expect((try? Predicate.parse(shorter)) != predicate, "\(predicate.format)\ncould be\n\(shorter)")
      }
    }
  }

  /// The texts that a text becomes by the loss of one pair of parentheses; those in strings, and those of negative numbers,
  /// which are there for the reader, stay.
  private static func withoutOnePair(_ text: String) -> [String] {
    let bytes = Array(text.utf8)
    let isOfNumber = { (byte: UInt8) in "0123456789.e+-".utf8.contains(byte) }
    var open: [Int] = []
    var result: [String] = []
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""):
        index += 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
          index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
      case UInt8(ascii: "("): open.append(index)
      case UInt8(ascii: ")"):
        guard let start = open.popLast() else { break }
        if bytes[start + 1] == UInt8(ascii: "-"), bytes[(start + 2)..<index].allSatisfy(isOfNumber) { break }
        var shorter = bytes
        // A space each, so that words do not grow together.
        (shorter[start], shorter[index]) = (UInt8(ascii: " "), UInt8(ascii: " "))
        result.append(String(decoding: shorter, as: UTF8.self))
      default: break
      }
      index += 1
    }
    return result
  }

  @Test(arguments: [
    (Value.null, "nil"), (.bool(true), "YES"), (.int(.min), "-9223372036854775808"), (.double(5), "5.0"),
    (.double(1e300), "1e+300"), (.double(.infinity), "CAST(\"inf\", \"NSNumber\")"),
    (.decimal(1.1), "CAST(\"1.1\", \"NSDecimalNumber\")"), (.string("a\"\\\n\u{1}"), #""a\"\\\n\u0001""#),
    (.date(Timestamp(978_307_260)), "CAST(60.0, \"NSDate\")"),
    (.date(Timestamp(0.1)), "CAST(\"1970-01-01T00:00:00.1Z\", \"NSDate\")"),
    (.url("http://x"), "CAST(\"http://x\", \"NSURL\")"), (.data([1, 255]), "CAST(\"01ff\", \"NSData\")"),
    (.json(.object(["a": .array([.int(1), .null])])), "CAST(\"{\\\"a\\\":[1,null]}\", \"JSON\")"),
    (.list([.int(1), .list([])]), "{1, {}}"),
  ])
  func constantsHaveAForm(_ value: Value, _ text: String) throws {
    let expression = Expression.constant(value)
    #expect(expression.format == text)
    #expect(try Expression.parse(text) == expression)
  }

  @Test func datesAreReadableInDescriptions() throws {
    let predicate = try Predicate.parse("time > %@", arguments: [.value(.date(Timestamp(1_705_940_772)))])
    #expect(predicate.format == "time > CAST(727633572.0, \"NSDate\")")
    #expect(predicate.description == "time > CAST(\"2024-01-22T16:26:12Z\", \"NSDate\")")
    #expect(try Predicate.parse(predicate.description) == predicate)
  }

  @Test func aBareExpressionIsPrintedAsAComparison() {
    #expect(Predicate.expression(.path(PropertyPath(["felt"]))).format == "felt == YES")
  }
}
