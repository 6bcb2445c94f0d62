import Modeling
import Queries
import TestSupport
import Testing

@testable import SwiftPrinting

@Suite(.seeded)
struct FormatSourcePrinterTests {
  private func source(
    _ format: String, _ arguments: [Value] = [], entity: Entity? = ProofModel.quake
  ) throws -> String {
    let predicate = try Queries.Predicate.parse(format, arguments: arguments.map { .value($0) })
    return try SwiftPrinter(entity: entity).source(of: predicate, as: .nspredicate)
  }

  @Test func constantsStayInTheTextArgumentsBesideIt() throws {
    #expect(try source("magnitude > 5") == #"NSPredicate(format: "magnitude > 5")"#)
    #expect(try source("magnitude > %@", [.int(5)]) == #"NSPredicate(format: "magnitude > %@", 5 as NSNumber)"#)
    #expect(
      try source("place == %@ AND code IN %@", [.string("chile"), .list([.string("a"), .string("b")])], entity: nil)
        == #"NSPredicate(format: "place == %@ AND code IN %@", "chile", ["a", "b"])"#)
  }

  @Test func whatHasNoLiteralInApplesLanguageIsAnArgument() throws {
    #expect(try source("place CONTAINS '50%'") == #"NSPredicate(format: "place CONTAINS %@", "50%")"#)
    #expect(
      try source("time > CAST('2024-01-01T00:00:00Z', 'NSDate')")
        == #"NSPredicate(format: "time > %@", Date(timeIntervalSinceReferenceDate: 725760000) as NSDate)"#)
  }

  @Test func aYearIsWrittenAsARangeOfDates() throws {
    #expect(try source("year(time) == 2024").contains(#""time >= %@ AND time < %@""#))
    #expect(try source("year(time) != 2024").contains(#""NOT (time >= %@ AND time < %@)""#))
  }

  @Test func whatIsWrittenWithoutArgumentsReadsBackAsTheSamePredicate() throws {
    var generator = ProofGenerator(seed: 3)
    var compared = 0
    for _ in 0..<400 {
      let sample = try generator.next(depth: 2)
      guard sample.variables.isEmpty else { continue }
      var printer = FormatSourcePrinter(entity: ProofModel.quake, isCapturing: false)
      // Apple's language has no words for a cast to a subentity.
      if sample.predicate.paths.contains(where: \.hasCasts) { continue }
      let text = SwiftLayout().flat(try printer.source(of: sample.predicate))
      guard printer.arguments.isEmpty, case .call(_, let parts) = try printer.source(of: sample.predicate),
        case .text(let format)? = parts.first, !format.contains("\\"), format.hasPrefix("format: \"")
      else { continue }
      compared += 1
      let read = try Queries.Predicate.parse(String(format.dropFirst(9).dropLast()))
      #expect(read == sample.predicate.withDateRanges, "\(text)")
    }
    #expect(compared > 50)
  }

  @Test func functionsThatAppleDoesNotHaveAreRefused() {
    #expect(caseName(#expect(throws: SwiftPrintingError.self) { try source("hour(time) == 3") }?.fact) == "notInFormat")
    #expect(
      caseName(#expect(throws: SwiftPrintingError.self) { try source("trim(code) == 'x'") }?.fact) == "notInFormat")
    #expect(
      caseName(#expect(throws: SwiftPrintingError.self) { try source("time > $since", entity: nil) }?.fact)
        == "unknownType")
  }
}
