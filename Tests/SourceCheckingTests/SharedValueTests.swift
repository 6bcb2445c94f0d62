import SourceChecking
import SwiftReading
import Testing

/// A predicate that one file keeps under a name is about the objects that the requests of other files fetch with it.
@Suite struct SharedValueTests {
  private static let classes = """
    @Model final class Quake { var magnitude: Double = 0; var place: String = "" }
    @Model final class Report { var text: String = "" }
    """

  /// The findings of the first file, when the others use what it keeps.
  private func findings(_ text: String, _ others: String...) throws -> [String] {
    let checker = SourceChecker([SourceModel(try SwiftDataModel(swift: Self.classes).model, isSwiftData: false)])
    let sites = SourceSites(text)
    var uses = SharedUses(of: sites.shared)
    for file in [text] + others { uses.add(Array(file.utf8)) }
    let bytes = Array(text.utf8)
    return checker.check(text, sites.resolved(by: uses)).findings.map {
      "\($0.rule): \(String(decoding: bytes[$0.range], as: UTF8.self))"
    }
  }

  private func request(_ name: String, _ predicate: String) -> String {
    "func f\(name.count)() { let request = NSFetchRequest<\(name)>(entityName: \"\(name)\")\nrequest.predicate = \(predicate) }\n"
  }

  private static let kept = [
    ("enum Filters { static let strong = NSPredicate(format: \"magnitud > 6\") }", "Filters.strong"),
    ("enum Filters { static var strong: NSPredicate { NSPredicate(format: \"magnitud > 6\") } }", "Filters.strong"),
    (
      "struct Filters { static func strong(_ n: Int) -> NSPredicate { return NSPredicate(format: \"magnitud > 6\") } }",
      "Filters.strong(5)"
    ),
    ("extension NSPredicate { class var strong: NSPredicate { NSPredicate(format: \"magnitud > 6\") } }", ".strong"),
    (
      "extension NSPredicate { public static let strong = NSPredicate(format: \"magnitud > 6\") }", "NSPredicate.strong"
    ),
    (
      "let strong = NSPredicate(format: \"magnitud > 6\")",
      "NSCompoundPredicate(andPredicateWithSubpredicates: [strong])"
    ),
    ("func strong() -> NSPredicate { NSPredicate(format: \"magnitud > 6\") }", "strong()"),
  ]

  @Test(arguments: kept)
  func itsKeysAreThoseOfTheRequests(text: String, use: String) throws {
    #expect(try findings(text, request("Quake", use), "let other = 1") == ["unknown-key: magnitud"])
    #expect(try findings(text, request("Quake", use), request("Quake", use)) == ["unknown-key: magnitud"])
    #expect(try findings(text) == [])
  }

  @Test(arguments: kept)
  func ofRequestsForSeveralEntitiesNothingIsSaid(text: String, use: String) throws {
    #expect(try findings(text, request("Quake", use), request("Report", use)) == [])
  }

  @Test func besidesAUseThatIsNotKnownAKeyIsWrongIfItIsNearlyRight() throws {
    let near = "enum Filters { static let strong = NSPredicate(format: \"magnitud > 6\") }"
    let far = "enum Filters { static let strong = NSPredicate(format: \"colour == 6\") }"
    let use = request("Quake", "Filters.strong")
    #expect(try findings(near, use, "show(Filters.strong)") == ["unknown-key: magnitud"])
    #expect(try findings(far, use, "show(Filters.strong)") == [])
    #expect(try findings(far, use) == ["unknown-key: colour"])
  }

  @Test(arguments: [
    "Other.strong", "Filters.weak", "filters.strong", "Module.Filters.strong", "Filters.strong(5)",
  ])
  func anotherNameIsAnotherValue(use: String) throws {
    let text = "enum Filters { static let strong = NSPredicate(format: \"magnitud > 6\") }"
    #expect(try findings(text, request("Quake", use)) == [])
  }

  @Test(arguments: [
    "enum Filters { private static let strong = NSPredicate(format: \"magnitud > 6\") }",
    "class Filters { let strong = NSPredicate(format: \"magnitud > 6\") }",
    "enum Filters { func f() { let strong = NSPredicate(format: \"magnitud > 6\") } }",
  ])
  func whatOtherFilesDoNotKnowIsNotTheirs(text: String) throws {
    #expect(try findings(text, request("Quake", "Filters.strong")) == [])
  }

  @Test func aLocalOfTheSameNameIsAnotherValue() throws {
    let text = "let strong = NSPredicate(format: \"magnitud > 6\")"
    let use = "func f(strong: NSPredicate) { \(request("Report", "strong")) }\n" + request("Quake", "strong")
    #expect(try findings(text, use) == ["unknown-key: magnitud"])
  }

  @Test func aKeptOrderIsCheckedToo() throws {
    let text = "enum Orders { static let strongest = [NSSortDescriptor(key: \"magnitud\", ascending: false)] }"
    let use = "let request = NSFetchRequest<Quake>(entityName: \"Quake\")\nrequest.sortDescriptors = Orders.strongest"
    #expect(try findings(text, use) == ["unknown-key: magnitud"])
  }
}
