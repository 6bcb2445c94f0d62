import Modeling
import Queries
import Testing

/// NSPredicate in Swift and Objective-C.
@Suite struct FormatReadingTests {
  @Test(arguments: [
    (
      #"NSPredicate(format: "magnitude > %@ AND place CONTAINS[cd] %@", 5 as NSNumber, "chile")"#,
      #"magnitude > 5 AND place CONTAINS[cd] "chile""#
    ),
    (#"NSPredicate(format: "%K == %@", argumentArray: ["place", "x"])"#, #"place == "x""#),
    (#"NSPredicate(format: "%K >= %d", #keyPath(Quake.felt), 3)"#, "felt >= 3"),
    (#"NSPredicate(format: "station.%K == nil", #keyPath(Station.name))"#, "station.name == nil"),
    (#"NSPredicate(format: "felt IN %@", [1, 2] as [NSNumber])"#, "felt IN {1, 2}"),
    (#"NSPredicate(format: "felt IN %@", Set([1, 2]))"#, "felt IN {1, 2}"),
    (#"NSPredicate(format: "magnitude > %f", minimum)"#, "magnitude > $minimum"),
    (
      #"NSPredicate(format: "time > %@", Date(timeIntervalSinceReferenceDate: 60) as NSDate)"#,
      #"time > CAST(60.0, "NSDate")"#
    ),
    (#"NSPredicate(format: "place == %@", NSNull())"#, "place == nil"),
    (#"NSPredicate(format: "isReviewed == %@", NSNumber(value: true))"#, "isReviewed == YES"),
    (
      #"NSPredicate(format: "uuid == %@", UUID(uuidString: "6F9619FF-8B86-D011-B42D-00C04FC964FF")! as CVarArg)"#,
      #"uuid == CAST("6F9619FF-8B86-D011-B42D-00C04FC964FF", "NSUUID")"#
    ),
    ("NSPredicate(value: true)", "TRUEPREDICATE"), ("NSPredicate(value: false)", "FALSEPREDICATE"),
    (
      #"NSCompoundPredicate(andPredicateWithSubpredicates: [NSPredicate(format: "a == 1"), NSPredicate(format: "b == 2 OR c == 3")])"#,
      "a == 1 AND (b == 2 OR c == 3)"
    ),
    (
      #"NSCompoundPredicate(orPredicateWithSubpredicates: [NSPredicate(format: "a == 1"), NSPredicate(format: "b == 2")])"#,
      "a == 1 OR b == 2"
    ),
    (#"NSCompoundPredicate(notPredicateWithSubpredicate: NSPredicate(format: "a == 1"))"#, "NOT a == 1"),
    (
      #"NSCompoundPredicate(type: .or, subpredicates: [NSPredicate(format: "a == 1"), NSPredicate(value: false)])"#,
      "a == 1 OR FALSEPREDICATE"
    ),
    (
      #"[NSPredicate predicateWithFormat:@"magnitude > %@ AND place == %@", @5, @"x"]"#,
      #"magnitude > 5 AND place == "x""#
    ),
    (#"[NSPredicate predicateWithFormat:@"felt IN %@", @[@1, @2]];"#, "felt IN {1, 2}"),
    (#"[NSPredicate predicateWithFormat:@"isReviewed == %@", @YES]"#, "isReviewed == YES"),
    (
      "let a = NSPredicate(format: \"a == 1\")\nlet b = NSPredicate(format: \"b == %@\", name)\nNSCompoundPredicate(andPredicateWithSubpredicates: [a, b])",
      "a == 1 AND b == $name"
    ),
    (
      "func p(minimum: Double) -> NSPredicate {\n  NSPredicate(format: \"magnitude > %@\", minimum as NSNumber)\n}",
      "magnitude > $minimum"
    ),
  ])
  func aPredicateIsRead(_ text: String, _ format: String) {
    #expect(ReadingSample.format(text) == format)
  }

  @Test func mistakesInTheFormatPointIntoIt() {
    let mistakes = ReadingSample.mistakes(ofPredicate: #"NSPredicate(format: "a HASPREFIX 'x' AND b ==")"#)
    #expect(mistakes.count == 2)
    #expect(mistakes.first?.contains("unknownOperator(\"HASPREFIX\"") == true)
    #expect(mistakes.first?.hasSuffix("at <HASPREFIX>") == true)
  }

  @Test(arguments: [
    (#"NSPredicate(format: "\(a) == 5")"#, #"notAConstant("a") at <\(a)>"#),
    (#"NSPredicate(format: "a LIKE '*\(b)*'")"#, #"notAConstant("b") at <\(b)>"#),
    (
      "NSPredicate(block: { _, _ in true })",
      #"unknownArgument("block", of: "NSPredicate", nearest: nil) at <{ _, _ in true }>"#
    ),
    ("NSPredicate(format: text)", #"notAConstant("text") at <text>"#),
    ("let x = 5", "noPredicate at <let x = 5>"),
    (
      "@Query var a: [Quake]\n@Query var b: [Quake]",
      #"severalRequests(["a", "b"]) at <@Query var a: [Quake]>"#
    ),
  ])
  func whatCannotBeKnownIsRefused(_ text: String, _ fact: String) {
    #expect(ReadingSample.mistakes(ofPredicate: text) == [fact])
  }

  @Test func namesDoNotMakeAShortTextGrowWithoutEnd() {
    var lines = ["let p0 = NSPredicate(format: \"a == 1\")", "let v0 = [1]"]
    for number in 1...60 {
      let last = number - 1
      lines.append("let p\(number) = NSCompoundPredicate(andPredicateWithSubpredicates: [p\(last), p\(last)])")
      lines.append("let v\(number) = [v\(last), v\(last)]")
      lines.append(
        "let m\(number) = #Predicate<Quake> { \(number == 1 ? "true" : "m\(last).evaluate($0) || m\(last).evaluate($0)") }"
      )
    }
    #expect(ReadingSample.mistakes(ofPredicate: lines.joined(separator: "\n")).contains { $0.hasPrefix("tooDeep") })
  }
}
