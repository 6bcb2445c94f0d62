import Foundation
import Testing

/// Numbers that come from scripts, files and models may be any: what is computed with them must not end the process.
struct OutsideNumberTests {
  /// A line that computes with such a number in a way that traps.
  struct Finding: CustomStringConvertible {
    var file: String
    var line: Int
    var text: String
    var description: String { "\(file):\(line): \(text)" }
  }

  /// Expressions that bring a number from outside; an answer, `.integer(…)`, gives one out.
  private static let sources = #"(?:[\w?)]\.integer\(|integerArgument\(|optionalInt\(|\.integer\(at:|historyNumber\()"#
  /// Properties that hold one, of any type.
  private static let properties = ["fetchLimit", "fetchOffset", "fetchBatchSize"]
  /// Where a bound was looked at just before; the words are of the line.
  private static let allowed: Set<String> = [
    // A key of a table that is followed by its values; compared with the count before.
    "number >= 1, number <= length",
    "if last < .max { try read(last + 1...Int64.max, &reading) }",
  ]

  @Test func whatComesFromOutsideIsNotAddedSubtractedOrMadeARangeUnchecked() throws {
    let findings = try Self.lines(in: Self.files()).filter { !Self.allowed.contains($0.text) }
    #expect(findings.isEmpty, "use +|, -|, *|, element(numbered:), ClosedRange(from:through:) or exactly:\n\(findings)")
  }

  @Test func aCountIsGivenToCClamped() throws {
    let rule = SourceRule([".count)"], #/\bU?Int(8|16|32)\([\w.$]+\.count\)/#)
    let findings = try rule.findings(in: "Sources")
    #expect(findings.isEmpty, "say clamping: \(findings)")
  }

  /// The lint must find what it is there for.
  @Test(arguments: [
    "    let place = try call.integer(1)\n    return list[place - 1]",
    "    guard let number = stack.integer(at: 2) else { return }\n    use(1...number)",
    "    let first = statement.integer(0)\n    for row in first..<9 {}",
    "    let limit = request.fetchOffset + count", "    group.range = statement.integer(6)...statement.integer(7)",
    "    let x = try options.integer(\"a\")\n    f(Int32(x))", "    let start = try historyNumber(sql) + 1",
    "    request.fetchOffset += skipped",
  ])
  func theRuleFindsWhatTraps(_ text: String) throws {
    #expect(try !Self.lines(in: [("Sample.swift", "  func f() {\n\(text)\n  }")]).isEmpty)
  }

  @Test(arguments: [
    "    let place = try call.integer(1)\n    return list.element(numbered: place)",
    "    let limit = request.fetchOffset +| count",
    "    let key = statement.integer(0)\n    use(key)\n  }\n  func g() {\n    let key = 1\n    use(key + 1)",
  ])
  func theRuleLeavesTheRestAlone(_ text: String) throws {
    #expect(try Self.lines(in: [("Sample.swift", "  func f() {\n\(text)\n  }")]).isEmpty)
  }

  private static func files() throws -> [(String, String)] {
    try SourceText.all(in: "Sources").map { ($0.path, $0.text) }
  }

  /// Follows names line by line: one that is bound to a number from outside is such a number to the end of its function.
  private static func lines(in files: [(String, String)]) throws -> [Finding] {
    try files.flatMap { file, text in
      var names: Set<String> = []
      var findings: [Finding] = []
      for (number, whole) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        let line = whole.trimmingCharacters(in: .whitespaces)
        if line.hasPrefix("//") { continue }
        // A member of a type ends where one begins.
        if whole.hasPrefix("  }") || whole.hasPrefix("}") || line.contains("func ") || line.contains("init(") {
          names = []
        }
        guard isSource(line) || names.union(properties).contains(where: line.contains) else { continue }
        let code = line.replacing(#/"(\\.|[^"\\])*"/#, with: "\"\"")
        if try isTrapping(code, names) { findings.append(Finding(file: file, line: number + 1, text: line)) }
        if isSource(code), !code.contains("func "), try code.contains(Regex(sources)),
          let bound = code.firstMatch(of: #/(?:let|var)\s+(\w+)\s*=/#)
        {
          names.insert(String(bound.1))
        }
      }
      return findings
    }
  }

  private static func isSource(_ code: String) -> Bool {
    ["nteger", "optionalInt", "historyNumber"].contains { code.contains($0) }
  }

  private static func isTrapping(_ code: String, _ names: Set<String>) throws -> Bool {
    let direct = #"\#(sources)[^()]*(?:\([^()]*\)[^()]*)*\)\s*(?:[-+*]\s|\.\.\.|\.\.<)"#
    if isSource(code), try code.contains(Regex(direct)) { return true }
    // Expressions are costly to make: only for lines that may be meant.
    for name in names.union(properties) where code.contains(name) {
      let value = #"(?:\w+[?!]?\.)*\#(name)\b"#
      let operation = #"(?:^|[^\w".])\#(value)\s*(?:[-+*]=?\s|\.\.\.|\.\.<)|(?:\s[-+*]\s|\.\.\.|\.\.<)\#(value)(?!\()"#
      let conversion = #"\bU?Int(?:8|16|32)\(\#(value)\)"#
      if try code.contains(Regex(operation)) || code.contains(Regex(conversion)) { return true }
    }
    return false
  }
}
