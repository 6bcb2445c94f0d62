import Modeling
import Queries
import SwiftParsing
import SwiftReading
import TestSupport
import Testing

import class Foundation.ProcessInfo

/// Rubbish is refused with places inside of the text, and never crashes or hangs the reader.
@Suite(.seeded) struct ReadingFuzzTests {
  private static let rounds = Effort.isLong ? 50 : 1

  private static let pieces = [
    "#Predicate<Quake> {", "#Predicate {", "}", "{", "(", ")", "[", "]", "<", ">", ",", ":", ";", ".", "?.", "!.", "??",
    "?", "!", "&&", "||", "==", "!=", "<=", "...", "..<", "+", "-", "*", "/", "%", "=", "->", "\\.", "\\Quake.", "$0",
    "$0.magnitude", "$0.reports", ".contains", ".contains {", ".filter {", ".allSatisfy {", ".count", ".isEmpty",
    ".flatMap {", " in ", "if ", "if let x = ", "else ", "return ", "let a = ", "var b: Int = ", "func f() -> ", "as? ",
    "is ", "true", "nil", "5", "0x", "1_0.5e3", "\"x\"", "\"", "\"\"\"", "\\(", "#\"", "/re/", "/", "/*", "*/", "//",
    "\n",
    "NSPredicate(format: \"a == %@\"", "NSCompoundPredicate(andPredicateWithSubpredicates: [",
    "[NSPredicate predicateWithFormat:@\"a == 1\"", "@Query(", "@FetchRequest", "FetchDescriptor<Quake>(",
    "predicate: ",
    "sortBy: [", "SortDescriptor(", "order: .reverse", "Date()", "person.name", "é", "😀", "\u{A0}", "\u{0}", "`in`",
    "@", "#",
    "struct S {", "init(", "switch ", "$", "_", " ", "  ", "@State var x = ", "@Namespace var n",
    "@Observable class P {",
    "List {", "ForEach(quakes) { q in ", "Section(header: Text(s.id)) {", "Table(quakes) {",
    "TableColumn(\"A\", value: \\.a)",
    "Text(\"\\(q.time, format: .dateTime)\")", "Button(\"Go\") {", ".onChange(of: x) {", "withAnimation(.none) {",
    "do {", "} catch {",
    "guard let a = b else {", "for a in b {", "$quakes.nsPredicate.wrappedValue = ", "var body: some View {",
    "quake.x += ",
  ]

  private static let seeds: [String] =
    MacroReadingTests.bodies.map { "#Predicate<Quake> { \($0.0) }" }
    + ReadingRefusalTests.bodies.map { "#Predicate<Quake> { \($0.0) }" } + [
      "@Query(filter: #Predicate<Quake> { $0.magnitude > 5 }, sort: \\Quake.time, order: .reverse) var quakes: [Quake]",
      "let m = 5\nvar d = FetchDescriptor<Quake>(predicate: #Predicate { $0.felt > m })\nd.fetchLimit = 10",
      "NSCompoundPredicate(orPredicateWithSubpredicates: [NSPredicate(format: \"a == %@\", [1, 2]), NSPredicate(value: true)])",
      "List {\n ForEach(quakes) { s in\n Section(header: Text(s.id)) { ForEach(s) { q in Text(\"a \\(q.time, style: .time) b\") } }\n }\n}",
      "Button(\"Go\") { do { for q in quakes { guard let a = q.a else { return }\n q.b += a ? 1 : 2 } ; try c.save() } catch { print(error) } }",
      "@State var x = \"\"\nTextField(\"F\", text: $x)\n.onChange(of: x) { v in $quakes.nsPredicate.wrappedValue = v.isEmpty ? nil : .init(format: \"a == %@\", v) }",
      "struct L: View {\n @FetchRequest private var q: FetchedResults<Quake>\n init() { _q = FetchRequest(sortDescriptors: []) }\n}",
    ]

  private func check(_ text: String) {
    func verify(_ error: SwiftReadingError) {
      #expect(!error.issues.isEmpty && error.issues.count <= 25, "\(text)")
      for issue in error.issues {
        guard let origin = issue.origin else {
          Issue.record("no place for \(issue.fact) in \(text)")
          continue
        }
        #expect(origin.range.upperBound <= origin.text.utf8.count, "\(text)")
      }
    }
    do {
      let predicate = try Predicate(swift: text, in: ReadingSample.model)
      #expect(!predicate.format.isEmpty)
    } catch {
      verify(error)
    }
    do { _ = try FetchRequest(swift: text, in: ReadingSample.model) } catch { verify(error) }
    _ = SwiftOpening(of: text)
    _ = SwiftOpening.isComplete(text)
    _ = SwiftInput.isSwift(text) { .invalid }
    _ = SwiftScript(text, in: SwiftScriptTests.scope)
  }

  @Test func randomPiecesAreSurvived() {
    var random = SplitMix(seed: 7)
    for _ in 0..<500 * Self.rounds {
      let count = random.below(18) + 1
      check((0..<count).map { _ in random.pick(Self.pieces) }.joined())
    }
  }

  @Test func changedSourcesAreSurvived() {
    var random = SplitMix(seed: 8)
    for _ in 0..<500 * Self.rounds {
      var text = Array(random.pick(Self.seeds).unicodeScalars)
      for _ in 0...random.below(4) where !text.isEmpty {
        let place = random.below(text.count)
        switch random.below(4) {
        case 0: text.remove(at: place)
        case 1: text.insert(contentsOf: Array(random.pick(Self.pieces).unicodeScalars), at: place)
        case 2: text.removeSubrange(place..<min(text.count, place + random.below(12)))
        default: text.swapAt(place, random.below(text.count))
        }
      }
      check(String(String.UnicodeScalarView(text)))
    }
  }

  @Test func randomBytesAreSurvived() {
    var random = SplitMix(seed: 9)
    for _ in 0..<300 * Self.rounds {
      let bytes = (0..<random.below(40)).map { _ in UInt8(random.below(256)) }
      check("#Predicate<Quake> {" + String(decoding: bytes, as: UTF8.self))
    }
  }

  @Test(arguments: [
    "(", "[", "{", "!", "-", "$0.a + ", "$0.a.", "a ?? ", "a ? ", "a ? b : ", "f(", "if a {", "$0.r.contains { ",
    "try ",
    "...", "\\.a", "a!", "a[0]", "#Predicate {", "Array<", "if let a = b, ", "x in ", "return ", "let a = ", "@Query(",
    "NSCompoundPredicate(notPredicateWithSubpredicate: ", "struct A {", "/*", "\"\\(", "if a { b } else ", "a.b { ",
  ])
  func nestingHasALimit(_ opening: String) {
    for prefix in ["", "#Predicate<Quake> { "] {
      check(prefix + String(repeating: opening, count: 800))
    }
  }

  @Test func manyTermsAreNotDeep() throws {
    let text = (0..<3000).map { "$0.felt == \($0)" }.joined(separator: " || ")
    guard case .or(let terms) = try Predicate(swift: "#Predicate<Quake> { \(text) }", in: ReadingSample.model) else {
      Issue.record("not a disjunction")
      return
    }
    #expect(terms.count == 3000)
  }
}
