import Foundation
import Modeling
import Queries
import SwiftParsing
import SwiftReading
import TestSupport
import Testing

/// A `#Predicate` is read where Swift's compiler takes it, and refused with the compiler's reason where it does not.
@Suite struct CompilerAgreementTests {
  private static let classes = """
    class Tag { var label: String = ""; var note: String? = nil; var rank: Int = 0 }
    class Folder { var name: String = ""; var parent: Folder? = nil; var note: String? = nil; var rank: Int = 0 }
    class Note {
      var title: String = ""; var body: String? = nil; var pinned: Bool = false; var done: Bool? = nil
      var rank: Int = 0; var small: Int16 = 0; var score: Double = 0; var weight: Double? = nil; var count: Int? = nil
      var created: Date = Date(timeIntervalSince1970: 0); var edited: Date? = nil; var price: Decimal = 0
      var tags: [Tag] = []; var folder: Folder? = nil; var home: Folder? = nil
    }
    """

  private static let constants = """
    let text = "x", whole = 3, real = 2.5, strings = ["a"], numbers = [1, 2], flag = true
    let day = Date(timeIntervalSince1970: 0)
    let wide: Double = 3

    """

  /// What compiles.
  private static let taken = [
    #"$0.tags.first?.label == "a""#, #"$0.body == "a""#, #"$0.body?.contains("a") ?? false"#,
    #"$0.body?.contains("a") == true"#, #"$0.body!.contains("a")"#, "($0.weight ?? 0) > 2.5", "$0.score > 2",
    "$0.score > wide", "$0.small == 3", "$0.count == whole", "$0.body?.isEmpty ?? true", #"$0.folder?.name == "a""#,
    #"$0.folder?.parent?.name == "a""#, #"($0.body ?? "").isEmpty"#, #"($0.body ?? "").contains("a")"#, "$0.pinned",
    "$0.done == true", "$0.done ?? false", "!($0.done ?? false)", "$0.created > day", "($0.edited ?? day) > day",
    "$0.edited != nil && $0.edited! > day", "if $0.pinned, $0.rank > 1 { true } else { false }",
    "$0.pinned ? $0.rank > 1 : true", "$0.rank + whole > 2", "$0.rank % 2 == 0", "$0.score * 2 > 1", "$0.price > 2.5",
    #"strings.contains($0.body ?? "")"#, "numbers.contains($0.rank)", "(1...3).contains($0.rank)",
    "[1, 2].contains($0.score)", "$0.tags.filter { $0.rank > 1 }.count > 1", "($0.body?.count ?? 0) > 1",
    "text.isEmpty || $0.title.contains(text)", #"$0.folder.flatMap { $0.name == "a" } ?? false"#,
    #"$0.folder?.name.contains("a") ?? false"#, "$0.body?.isEmpty == false", #"$0.body == "a" || $0.body == nil"#,
    "$0.tags.contains { $0.note?.isEmpty ?? true }", "whole > $0.rank", "$0.weight == 2",
  ]

  /// What does not compile, and why.
  private static let refused = [
    (#"$0.body.contains("a")"#, "needsUnwrapping"), (#"$0.body?.contains("a")"#, "needsUnwrapping"),
    (#"$0.body > "a""#, "needsUnwrapping"), ("$0.weight > 2.5", "needsUnwrapping"), ("$0.rank > 2.5", "mixedTypes"),
    ("$0.rank > real", "mixedTypes"), ("$0.score > whole", "mixedTypes"), ("$0.score > $0.rank", "mixedTypes"),
    ("$0.rank == $0.small", "mixedTypes"), ("$0.count > whole", "needsUnwrapping"),
    ("$0.body.isEmpty", "needsUnwrapping"), ("$0.body?.isEmpty", "needsUnwrapping"),
    ("$0.title.isEmpty ?? true", "notOptional"), (#"$0.folder.name == "a""#, "needsUnwrapping"),
    (#"$0.folder?.parent.name == "a""#, "needsUnwrapping"), ("$0.title?.isEmpty ?? false", "notOptional"),
    (#"($0.title ?? "") == "a""#, "notOptional"), ("$0.done", "needsUnwrapping"), ("$0.pinned == 1", "mixedTypes"),
    ("$0.pinned && $0.done", "needsUnwrapping"), ("$0.edited > day", "needsUnwrapping"),
    (#"if let body = $0.body, body.contains("a") { true } else { false }"#, "bindingWithConditions"),
    (#"if let b = $0.body { b.contains("a") && $0.pinned } else { false }"#, "unnamedInBinding"),
    ("$0.rank + 1.5 > 2", "mixedTypes"), ("$0.rank + real > 3", "mixedTypes"), ("$0.score % 2 == 0", "swiftOperator"),
    ("strings.contains($0.body)", "needsUnwrapping"), ("[1.5].contains($0.rank)", "mixedTypes"),
    ("(...3).contains($0.rank)", "oneSidedRange"), ("(1...).contains($0.rank)", "oneSidedRange"),
    ("$0.tags.count > real", "mixedTypes"), ("$0.body?.count > 1", "needsUnwrapping"),
    (#"$0.title.caseInsensitiveCompare("a") == .orderedSame"#, "memberWithoutType"), ("$0.title == nil", "neverNil"),
    ("$0.rank == nil", "neverNil"), ("$0.folder?.rank > 1", "needsUnwrapping"), ("$0.pinned != 0", "mixedTypes"),
    ("$0.pinned ? $0.done : false", "needsUnwrapping"), ("$0.tags.contains { $0.note.isEmpty }", "needsUnwrapping"),
    ("-$0.weight > 1", "needsUnwrapping"),
  ]

  private static func model() throws -> Model {
    let source = classes.replacingOccurrences(of: "class ", with: "@Model class ")
    return try SwiftDataModel(swift: source).model
  }

  @Test func whatCompilesIsRead() throws {
    let model = try Self.model()
    for body in Self.taken {
      do {
        _ = try Predicate(swift: Self.constants + "#Predicate<Note> { \(body) }", in: model)
      } catch {
        Issue.record("\(body): \(ReadingSample.mistakes(error))")
      }
    }
  }

  @Test func whatDoesNotCompileIsRefusedWithTheReason() throws {
    let model = try Self.model()
    for (body, fact) in Self.refused {
      do {
        let read = try Predicate(swift: Self.constants + "#Predicate<Note> { \(body) }", in: model)
        Issue.record("\(body) is read as \(read)")
      } catch {
        let facts = error.issues.map { "\($0.fact)" }
        #expect(facts.count == 1 && facts[0].hasPrefix(fact), "\(body): \(facts)")
      }
    }
  }

  /// What optional a class has is only known where the model was read from it.
  @Test func whereTheClassesAreNotKnownOptionalsAreNotRefused() throws {
    for body in [#"$0.place.contains("x")"#, "$0.felt > 3", "$0.place == nil", "$0.station.name == 'x'"] {
      let text = "#Predicate<Quake> { \(body.replacingOccurrences(of: "'", with: "\"")) }"
      _ = try Predicate(swift: text, in: ReadingSample.model)
    }
    #expect(throws: SwiftReadingError.self) {
      try Predicate(swift: #"#Predicate<Quake> { $0.place?.contains("x") }"#, in: ReadingSample.model)
    }
  }

  /// PERILUNE_LONG_TESTS=1 asks the compiler.
  @Test(.enabled(if: Effort.isLong, "asks the compiler"))
  func theCompilerSaysTheSame() throws {
    let folder = try TemporaryFolder()
    let classes = Self.classes.replacingOccurrences(of: "class ", with: "final class ")
      .replacingOccurrences(of: "{ var", with: "{ init() {}; var").replacingOccurrences(
        of: "Note {", with: "Note { init() {}")
    for (body, compiles) in Self.taken.map({ ($0, true) }) + Self.refused.map({ ($0.0, false) }) {
      // What the standard library of Linux lacks has no answer here.
      guard !body.contains("caseInsensitiveCompare") else { continue }
      let source = "import Foundation\n\(classes)\n\(Self.constants)func p() -> Any { #Predicate<Note> { \(body) } }\n"
      let path = folder.file("main.swift")
      try Data(source.utf8).write(to: URL(fileURLWithPath: path))
      let isTaken = try OutsideCommand.run(["swiftc", "-typecheck", path]).status == 0
      #expect(isTaken == compiles, "\(body)")
    }
  }
}
