import Modeling
import Queries
import SwiftReading
import Testing

/// The pieces that printed source is made of, and what people make of them.
@Suite struct PrintedSourceTests {
  @Test(

    arguments: [
      (#"let id = UUID(uuidString: "01020304-0506-0708-090A-0B0C0D0E0F01")!"#, Value.uuid(ProofObject.uuid(1))),
      (#"let id = Decimal(string: "-25.10")!"#, .decimal(-25.1)), ("let id: Decimal = 25", .int(25)),
      (#"let id = URL(string: "https://example.org/1")!"#, .url("https://example.org/1")),
      ("let id = Data([1, 255])", .data([1, 255])), ("let id = Data([])", .data([])),
      ("let id = Date(timeIntervalSinceReferenceDate: 725760000.5)  // 2024", .date(Timestamp(1_704_067_200.5))),
      ("let id = Double.infinity", .double(.infinity)), ("let id = -Double.infinity", .double(-.infinity)),
      ("let id: Double = .infinity", .double(.infinity)), ("let id = Int.max", .int(.max)),
      ("let id: Int16 = -5", .int(-5)), ("let id: Float = 3", .int(3)), ("let id = Int16.min", .int(-32768)),
      (##"let id = #"a "b" \c"#"##, .string(#"a "b" \c"#)), ("let id = true", .bool(true)),
      ("let id: [Int] = [1, -5]", .list([.int(1), .int(-5)])), ("let id: [Any] = []", .list([])),
      (#"let id: [Double?] = [0.5, nil]"#, .list([.double(0.5), .null])),
      (
        #"let id: [UUID] = [UUID(uuidString: "01020304-0506-0708-090A-0B0C0D0E0F01")!]"#,
        .list([.uuid(ProofObject.uuid(1))])
      ),
    ])
  func aConstantBeforeAPredicateHasTheValueThatItsInitialiserMakes(declaration: String, value: Value) throws {
    let predicate = try Predicate(swift: declaration + "\nNSPredicate(format: \"SELF == %@\", id)")
    guard case .comparison(let comparison) = predicate, case .argument(value, name: "id") = comparison.right else {
      Issue.record("\(predicate)")
      return
    }
  }

  @Test(

    arguments: [
      ("$0.depth != nil && $0.depth! >= 5", "depth != nil AND depth >= 5"),
      ("$0.station != nil && $0.station!.name == \"x\"", #"station != nil AND station.name == "x""#),
      (#"$0.code.contains(#/\A(?:us[0-9])\z/#)"#, #"code MATCHES "us[0-9]""#),
      (#"$0.code.contains(#/\A(?:(a|b))\z/#)"#, #"code MATCHES "(a|b)""#),
      (#"$0.code.contains(#/\A(?:a|b)\z/#)"#, #"code MATCHES "a|b""#),
      (#"$0.place?.contains(##/\A(?:a/#b)\z/##) == true"#, ##"place MATCHES "a/#b""##),
      (#"$0.code.caseInsensitiveCompare("x") == same"#, #"code ==[c] "x""#),
      (#"same == $0.code.caseInsensitiveCompare("x")"#, #"code ==[c] "x""#),
      (#"!($0.place?.caseInsensitiveCompare("x") == same)"#, #"NOT place ==[c] "x""#),
      ("first.evaluate($0) && second.evaluate($0)", "magnitude > 5 AND (count == 1 OR felt == 2)"),
      ("!first.evaluate($0) || $0.confirmed", "NOT magnitude > 5 OR confirmed == YES"),
      ("$0.`in` /2 > 3 && $0.count / 2 > 0", "#in / 2 > 3 AND count / 2 > 0"),
      ("$0.`in` == `in`", "#in == 7"), ("`in` == $0.`in` ? $0.confirmed : false", "7 == #in AND confirmed == YES"),
    ])
  func aPrintedConditionIsReadAsItsClause(body: String, format: String) throws {
    let source = """
      let same = ComparisonResult.orderedSame
      let `in` = 7
      let first = #Predicate<Quake> { $0.magnitude > 5 }
      let second = #Predicate<Quake> { quake in quake.count == 1 || quake.felt == 2 }
      #Predicate<Quake> { \(body) }
      """
    #expect(RoundTrip.read(source)?.format == format)
  }

  @Test func aNameInBackticksIsANameWhereverANameStands() throws {
    let source = """
      let `is` = 5, `as`: Int = 3
      func `func`(`if`: Int) -> Predicate<Quake> {
          return #Predicate<Quake> { `let` in `let`.count > `is` && `as` < `let`.felt! && `if` == `let`.`in` }
      }
      """
    #expect(SwiftOpening(of: source) == .predicate)
    #expect(RoundTrip.read(source)?.format == "count > 5 AND 3 < felt AND $if == #in")
  }

  @Test func aRequestIsFoundUnderTheNameOfTheTypeAndThePropertyItIsDeclaredWith() throws {
    let request = try FetchRequest(
      swift: """
        private static let quakesRequest: NSFetchRequest<Quake> = {
            let request = NSFetchRequest<Quake>(entityName: "Quake")
            request.sortDescriptors = [NSSortDescriptor(key: "time", ascending: false)]
            request.fetchLimit = 10
            return request
        }()

        @FetchRequest(fetchRequest: Self.quakesRequest)
        private var quakes: FetchedResults<Quake>
        """, in: ProofModel.model)
    #expect(request.fetchLimit == 10)
    #expect(request.sortDescriptors == [SortDescriptor("-time")])
  }
}
