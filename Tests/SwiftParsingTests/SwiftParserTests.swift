import Modeling
import SwiftParsing
import Testing

/// Values and declarations of Swift are read with their shape alone, and mistakes leave the rest of a text readable.
@Suite struct SwiftParserTests {
  private func value(_ text: String) -> SwiftSyntax.Kind {
    var parser = SwiftParser(text)
    return parser.value().kind
  }

  @Test func operatorsBindAsInSwift() {
    guard case .infix("||", let terms) = value("a || b && c == 1 + 2 * 3"), terms.count == 2,
      case .infix("&&", let factors) = terms[1].kind, case .infix("==", let sides) = factors[1].kind,
      case .infix("+", let sum) = sides[1].kind, case .infix("*", _) = sum[1].kind
    else {
      Issue.record("another shape")
      return
    }
    #expect(terms[0].range == 0..<1 && sum[1].range == 19..<24)
  }

  @Test func chainsOfMembersAndCallsAreRead() {
    guard case .call(let callee, let generics, let arguments) = value("$0.reports.filter(where: x) { $0.isGood }"),
      case .member(let base?, "filter") = callee.kind, case .member(_, "reports") = base.kind
    else {
      Issue.record("another shape")
      return
    }
    #expect(generics.isEmpty && arguments.map(\.label) == ["where", nil])
    guard case .closure = arguments[1].value.kind else {
      Issue.record("the closure behind a call is its last argument")
      return
    }
  }

  @Test func statementsBehindAMistakeAreRead() {
    var parser = SwiftParser("let a = )\nlet b = 2\nreturn b")
    let statements = parser.parse()
    #expect(!parser.issues.found.isEmpty)
    guard case .returned? = statements.last?.kind else {
      Issue.record("the last statement is missing")
      return
    }
  }

  @Test(arguments: ["(", "[", "!", "{ ", "a ? ", "f("]) func deepSourceIsAMistake(piece: String) {
    var parser = SwiftParser(String(repeating: piece, count: 20_000))
    _ = parser.parse()
    #expect(parser.issues.found.contains { $0.fact == .tooDeep })
  }

  @Test func aFileIsKnownByItsBracketsAroundMistakes() throws {
    let file = SwiftSourceFile("extension Store.Item { func f() { g(]) } }\nlet end = Item.self")
    let call = try #require(file.tokens.firstIndex { $0.kind == .name("g") })
    #expect(file.owner(of: call) == "Item")
    #expect(file.blocks(around: call).count == 2)
    let end = try #require(file.declarations(of: "end", in: nil).first)
    #expect(file.blocks(around: end).isEmpty)
    guard case .member(_, "self")? = file.value(at: end + 2)?.kind else {
      Issue.record("no value")
      return
    }
  }

  @Test(arguments: [("a", "a"), ("in", "`in`")]) func keywordsAreWrittenInBackticks(name: String, written: String) {
    #expect(SwiftNames.identifier(name) == written)
    #expect(SwiftNames.isIdentifier(name) && !SwiftNames.isIdentifier("a b") && !SwiftNames.isIdentifier("_"))
  }

  @Test func typesAreCalledAsSwiftCallsThem() {
    #expect(SwiftType.list(.date).name() == "[Date]")
    for type in AttributeType.allCases where type.swiftName != "Any" {
      #expect(AttributeType(swiftName: type.swiftName)?.swiftName == type.swiftName)
    }
  }
}
