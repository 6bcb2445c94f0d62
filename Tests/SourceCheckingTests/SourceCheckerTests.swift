import Modeling
import SourceChecking
import SwiftReading
import TestSupport
import Testing

/// Mistakes in what Swift source says about a model are found where they stand, and nothing else is.
@Suite(.seeded) struct SourceCheckerTests {
  private static let classes = """
    @Model final class Quake {
      var code: String = ""
      var magnitude: Double = 0
      var depth: Double?
      var place: String = ""
      var time: Date = Date()
      var status: Int = 0
      @Relationship(inverse: \\Report.quake) var reports: [Report] = []
    }
    @Model final class Report { var text: String?; var quake: Quake? }
    """

  private static func checker(isSwiftData: Bool = false) throws -> SourceChecker {
    SourceChecker([SourceModel(try SwiftDataModel(swift: classes).model, isSwiftData: isSwiftData)])
  }

  /// The findings of a text: their rule and the part of the text that they mark.
  private func findings(_ text: String, isSwiftData: Bool = false) throws -> [String] {
    let bytes = Array(text.utf8)
    return try Self.checker(isSwiftData: isSwiftData).check(text).findings.map { finding in
      "\(finding.rule): \(String(decoding: bytes[finding.range], as: UTF8.self))"
    }
  }

  /// A request for Quake whose predicate is an expression.
  private func request(_ predicate: String) -> String {
    "let request = NSFetchRequest<Quake>(entityName: \"Quake\")\nrequest.predicate = \(predicate)\n"
  }

  // MARK: Expressions

  @Test func expressionsNameWhatIsStored() throws {
    #expect(try findings("let e = #Expression<Quake, Double> { $0.magnitude * 2 + factor }", isSwiftData: true) == [])
    #expect(
      try findings("let e = #Expression<Quake, Int> { quake in quake.reprts.count }", isSwiftData: true)
        == ["predicate-macro: reprts"])
    #expect(
      try findings("let e = #Expression<Quake, Int, Double> { $0.magnitud * Double($1) }", isSwiftData: true)
        == ["predicate-macro: magnitud"])
  }

  @Test func anExpressionHasTheTypeThatItDeclares() throws {
    #expect(
      try findings("let e = #Expression<Quake, String> { $0.magnitude * 2 }", isSwiftData: true)
        == ["predicate-macro: { $0.magnitude * 2 }"])
    for type in ["Double", "Double?", "Strength"] {
      #expect(try findings("let e = #Expression<Quake, \(type)> { $0.magnitude * 2 }", isSwiftData: true) == [])
    }
  }

  // MARK: Formats

  @Test func aMistakeInAFormatIsMarkedWithinItsString() throws {
    #expect(try findings(request(#"NSPredicate(format: "magnitud > 6")"#)) == ["unknown-key: magnitud"])
    #expect(try findings(#"let p = NSPredicate(format: "code HASPREFIX %@", name)"#) == ["syntax: HASPREFIX"])
    #expect(try findings(request(#"NSPredicate(format: "magnitude > 'x'")"#)).map { $0.prefix(10) } == ["wrong-type"])
  }

  @Test func placesHoldBehindEscapesAndInEveryKindOfString() throws {
    let texts = [
      #"NSPredicate(format: "place == \"\u{E9}\" AND magnitud > 6")"#,
      ##"NSPredicate(format: #"place == "x" AND magnitud > 6"#)"##,
      "NSPredicate(format: \"\"\"\n    place == \"é😀\" AND\n    magnitud > 6\n    \"\"\")",
      #"NSPredicate(format: "place == 'x' AND " + "magnitud > 6")"#,
    ]
    for text in texts { #expect(try findings(request(text)) == ["unknown-key: magnitud"], "\(text)") }
  }

  @Test func aFormatThatIsAConstantIsMarkedWhereTheConstantStands() throws {
    let text =
      "enum Formats { static let strong = \"magnitud > 6\" }\n" + request("NSPredicate(format: Formats.strong)")
    #expect(try findings(text) == ["unknown-key: magnitud"])
  }

  @Test func placeholdersFitTheirArguments() throws {
    #expect(try findings(request(#"NSPredicate(format: "magnitude > %@", 6)"#)) == ["placeholder: %@"])
    #expect(try findings(request(#"NSPredicate(format: "place == %d", "x")"#)) == ["placeholder: %d"])
    #expect(
      try findings(request(#"NSPredicate(format: "magnitude > %@ AND status == %ld", 6 as NSNumber, count)"#)).isEmpty)
    #expect(
      try findings("func f(least: Int) { _ = NSPredicate(format: \"status > %@\", least) }") == ["placeholder: %@"])
    for type in ["Set<Int>", "[Int]", "[String: Int]"] {
      #expect(
        try findings("func f(all: \(type)) { _ = NSPredicate(format: \"status IN %d\", all) }") == ["placeholder: %d"])
    }
    // In a list of objects a number is an object.
    #expect(try findings(request(#"NSPredicate(format: "status > %@", argumentArray: [6])"#)).isEmpty)
  }

  @Test func thereAreAsManyArgumentsAsPlaceholders() throws {
    #expect(try findings(request(#"NSPredicate(format: "place == %@ AND code == %@", a)"#)) == ["argument-count: %@"])
    #expect(try findings(request(#"NSPredicate(format: "place == %@", a, b)"#)) == ["argument-count: b"])
    #expect(try findings(request(#"NSPredicate(format: "place == %@", argumentArray: list)"#)).isEmpty)
    #expect(try findings(request(#"NSPredicate(format: "place == '%'")"#)).isEmpty)
  }

  @Test func keysThatAreArgumentsAreChecked() throws {
    #expect(try findings(request(#"NSPredicate(format: "%K > 6", "magnitud")"#)) == ["unknown-key: %K"])
    #expect(try findings(request(#"NSPredicate(format: "%K > 6", key)"#)).isEmpty)
  }

  /// `@NSManaged @objc(category) var _category`
  @Test func keysThatTheCompilerChecksMayHaveAnotherNameInTheModel() throws {
    #expect(try findings(request(#"NSPredicate(format: "%K > 6", #keyPath(Quake._magnitude))"#)).isEmpty)
    #expect(
      try findings("request.sortDescriptors = [NSSortDescriptor(keyPath: \\Quake._time, ascending: true)]").isEmpty)
  }

  // MARK: Text

  @Test func valuesAndKeysThatArePutIntoTheTextAreFound() throws {
    let rule = "predicate-from-text: "
    #expect(try findings(#"_ = NSPredicate(format: "place == '\(name)'")"#) == [rule + #"\(name)"#])
    #expect(try findings(#"_ = NSPredicate(format: "place == '" + name + "'")"#) == [rule + "name"])
    #expect(try findings(#"_ = NSPredicate(format: "\(key) == %@", name)"#) == [rule + #"\(key)"#])
    // The rest of the predicate is checked.
    #expect(
      try findings(request(#"NSPredicate(format: "plac == '\(name)'")"#)) == ["unknown-key: plac", rule + #"\(name)"#])
  }

  @Test func whatIsNoValueOfTheTextIsNot() throws {
    let texts = [
      #"let key = "place"; _ = NSPredicate(format: "\(key) == %@", name)"#,
      #"_ = NSPredicate(format: "status == \(Status.open.rawValue)")"#,
      #"_ = NSPredicate(format: "status == \(String(Status.open.rawValue))")"#,
      #"_ = NSPredicate(format: "status == \(0)")"#,
      #"_ = NSPredicate(format: "SUBQUERY(reports, $r, \(inner.predicateFormat)).@count == 0")"#,
      #"_ = NSPredicate(format: "place CONTAINS[\(options)] %@", name)"#,
      #"_ = NSPredicate(format: "place CONTAINS\(options) %@", name)"#,
      #"_ = NSPredicate(format: "\(prefix)place == %@", name)"#,
      #"_ = NSPredicate(format: "(\(clause)) AND status == 1")"#,
      #"_ = NSPredicate(format: "\(#keyPath(Quake.place)) == %@", name)"#,
      #"_ = NSPredicate(format: format, name)"#, #"_ = NSPredicate(block: { _, _ in true })"#,
    ]
    for text in texts { #expect(try findings(text).isEmpty, "\(text)") }
  }

  // MARK: Entities

  static let requests = [
    "let request: NSFetchRequest<Quake> = Quake.fetchRequest()\nrequest.predicate = §",
    "let request = Quake.fetchRequest() as! NSFetchRequest<Quake>\nrequest.predicate = §",
    "let request = NSFetchRequest<NSFetchRequestResult>(entityName: \"Quake\")\nrequest.predicate = §",
    // The name is that of a property of controllers, too.
    "let fetchRequest = NSFetchRequest<Quake>(entityName: \"Quake\")\nfetchRequest.predicate = §",
    "func f(c: NSFetchedResultsController<Quake>) { c.fetchRequest.predicate = § }",
    "let name = \"Quake\"\nlet request = NSFetchRequest<NSFetchRequestResult>(entityName: name)\nrequest.predicate = §",
    "let request = NSFetchRequest<NSFetchRequestResult>()\nrequest.entity = Quake.entity()\nrequest.predicate = §",
    "func f() { let entity = NSEntityDescription.entity(forEntityName: \"Quake\", in: c)!\n  let r = NSFetchRequest<NSFetchRequestResult>()\n  r.entity = entity\n  while more { r.predicate = § } }",
    "let update = NSBatchUpdateRequest(entityName: \"Quake\")\nupdate.predicate = §",
    "class C { func all(_ n: Int) -> NSFetchRequest<Quake> { make() }\n  func f() { let r = all(5)\n r.predicate = § } }",
    "class C { func f() { try fetch(matching: §) }\n  func fetch(matching predicate: NSPredicate?) { let r = NSFetchRequest<Quake>(entityName: \"Quake\")\n r.predicate = predicate } }",
    "class C { func f() { fetch(§) }\n  func fetch(_ p: NSPredicate) { count(where: p) }\n  func count(where p: NSPredicate) { let r = Quake.fetchRequest() as NSFetchRequest<Quake>\n r.predicate = p } }",
    "class C { private func own(n: Int? = nil) -> NSPredicate { if a { return § }\n return x }\n  func f(r: NSFetchRequest<Quake>) { r.predicate = own() } }",
    "class C { private static var own: NSPredicate { § }\n  func f(r: NSFetchRequest<Quake>) { r.predicate = Self.own } }",
    "extension Quake { static func all() throws -> NSFetchRequest<Quake> { make() } }\nlet r = try Quake.all()\nr.predicate = §",
    "let update = NSBatchUpdateRequest(entity: Quake.entity())\nupdate.predicate = §",
    "@FetchRequest(sortDescriptors: [], predicate: §) private var quakes: FetchedResults<Quake>",
    "@FetchRequest(entity: Quake.entity(), sortDescriptors: [], predicate: §) var quakes",
    "@SectionedFetchRequest(sectionIdentifier: \\Quake.place, sortDescriptors: [], predicate: §) var quakes",
    "struct V { @FetchRequest(sortDescriptors: []) var quakes: FetchedResults<Quake>\n  func f() { quakes.nsPredicate = § } }",
    "struct V { @FetchRequest var quakes: FetchedResults<Quake>\n  init() { _quakes = FetchRequest(sortDescriptors: [], predicate: §) } }",
    "func f(request: NSFetchRequest<Quake>) { let p = §\n  request.predicate = p }",
    "func f() { var all = [§]\n  all.append(¶)\n  let r = NSFetchRequest<Quake>(entityName: \"Quake\")\n  r.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: all) }",
    "extension Quake { static func f() { let request = fetchRequest()\n  request.predicate = flag ? § : nil } }",
    "class C { lazy var c: NSFetchedResultsController<Quake> = {\n  let r = NSFetchRequest<Quake>(entityName: \"Quake\")\n  r.predicate = §\n  return make(r) }() }",
  ]

  @Test(arguments: requests) func theEntityIsThatOfTheRequest(_ source: String) throws {
    let predicate = #"NSPredicate(format: "magnitud > 6")"#
    let text = source.replacing("¶", with: #"NSPredicate(format: "place == 'x'")"#).replacing("§", with: predicate)
    #expect(try findings(text) == ["unknown-key: magnitud"], "\(text)")
  }

  /// Nothing is said of a key where the predicate may be of another entity.
  @Test func anEntityThatIsNotCertainIsNotKnown() throws {
    let texts = [
      "let p = NSPredicate(format: \"magnitud > 6\")", "filter(NSPredicate(format: \"magnitud > 6\"))",
      // Other files may use it for others, or it is the result of a closure.
      "class C { func own() -> NSPredicate { NSPredicate(format: \"magnitud > 6\") }\n func f(r: NSFetchRequest<Quake>) { r.predicate = own() } }",
      "class C { private func own() -> NSPredicate { let a = b.map { return NSPredicate(format: \"magnitud > 6\") }\n return x }\n func f(r: NSFetchRequest<Quake>) { r.predicate = own() } }",
      "class C { private func own() -> NSPredicate { NSPredicate(format: \"magnitud > 6\") }\n func f(r: NSFetchRequest<Quake>, s: NSFetchRequest<Report>) { r.predicate = own()\n s.predicate = own() } }",
      "class C { func f() { fetch(NSPredicate(format: \"magnitud > 6\")) }\n func fetch(_ p: NSPredicate) { let r = NSFetchRequest<Quake>(entityName: \"Quake\")\n r.predicate = p }\n func fetch(_ p: NSPredicate, x: Int) { let r = NSFetchRequest<Report>(entityName: \"Report\")\n r.predicate = p } }",
      "class C { func all() -> NSFetchRequest<Quake> { a() }\n func all() -> NSFetchRequest<Report> { b() }\n func f() { let r = all()\n r.predicate = NSPredicate(format: \"magnitud > 6\") } }",
      "extension Quake { static func all() -> NSFetchRequest<Quake> { make() } }\nlet r = Report.all()\nr.predicate = NSPredicate(format: \"magnitud > 6\")",
      "let r = NSFetchRequest<NSFetchRequestResult>()\nr.entity = Quake.entity()\nr.entity = other\nr.predicate = NSPredicate(format: \"magnitud > 6\")",
      "func f() { let p = NSPredicate(format: \"tex == 1\")\n  let a = NSFetchRequest<Quake>(entityName: \"Quake\")\n  let b = NSFetchRequest<Report>(entityName: \"Report\")\n  a.predicate = p\n  b.predicate = p }",
      "func a() { let r = NSFetchRequest<Quake>(entityName: \"Quake\") }\nfunc b(r: NSFetchRequest<Other>) { r.predicate = NSPredicate(format: \"magnitud > 6\") }",
    ]
    for text in texts {
      let result = try Self.checker().check(text)
      #expect(result.findings.isEmpty, "\(text)")
      #expect(result.withoutEntity == 1, "\(text)")
    }
  }

  static let calls = [
    "let all = Quake.all(where: §, in: context)", "extension Quake { static func f() { Self.deleteAll(matching: §) } }",
    "let n = context.purge(of: Quake.self, matching: §)", "fetch(\"Quake\", predicate: §)",
    "context.objects(forEntityName: \"Quake\", with: §)", "let p = §\nlet q = try? Quake.first(where: p)",
  ]

  /// What the function does is not known: a key that the entity has nearly is misspelt, another may be one of another entity.
  @Test(arguments: calls) func aCallMayNameTheEntity(_ source: String) throws {
    func check(_ format: String) throws -> [String] {
      try findings(source.replacing("§", with: "NSPredicate(format: \"\(format)\")"))
    }
    #expect(try check("magnitud > 6") == ["unknown-key: magnitud"])
    #expect(try check("magnitude > 'x'").map { $0.prefix(10) } == ["wrong-type"])
    #expect(try check("magnitude > 6") == [])
    #expect(try check("magnitud > 6 AND latitude > 1") == [])
    #expect(try check("tims > 1") == [])
    #expect(
      try Self.checker().check(source.replacing("§", with: "NSPredicate(format: \"tims > 6\")")).withoutEntity == 0)
  }

  @Test func aCallThatNamesSeveralEntitiesNamesNone() throws {
    #expect(try findings("join(Quake.self, Report.self, where: NSPredicate(format: \"magnitud > 6\"))") == [])
    #expect(try findings("func f<T>() { fetch(T.self, where: NSPredicate(format: \"magnitud > 6\")) }") == [])
    #expect(try findings("log(\"Quake\", level: 3)\nlog(NSPredicate(format: \"magnitud > 6\"))") == [])
  }

  @Test func theEntitysNameIsOneOfTheModel() throws {
    #expect(try findings("NSFetchRequest<NSManagedObject>(entityName: \"Quak\")") == ["unknown-entity: Quak"])
    #expect(try findings("NSBatchUpdateRequest(entityName: \"Quak\")") == ["unknown-entity: Quak"])
    #expect(try findings("NSFetchRequest<NSManagedObject>(entityName: \"Elsewhere\")").isEmpty)
  }

  // MARK: Keys

  @Test func keysOfOrdersColumnsAndObjectsAreChecked() throws {
    let start = "let r = NSFetchRequest<Quake>(entityName: \"Quake\")\n"
    #expect(
      try findings(start + "r.sortDescriptors = [NSSortDescriptor(key: \"tim\", ascending: true)]") == [
        "unknown-key: tim"
      ])
    #expect(
      try findings(
        start
          + "let d = NSExpressionDescription()\nd.expression = NSExpression(forFunction: \"max:\", arguments: [NSExpression(forKeyPath: \"magnitud\")])\nr.propertiesToFetch = [d]"
      )
        == ["unknown-key: magnitud"])
    #expect(
      try findings(
        "let q = NSEntityDescription.insertNewObject(forEntityName: \"Quake\", into: c)\nq.setValue(5, forKey: \"magnitud\")"
      )
        == ["unknown-key: magnitud"])
    #expect(try findings("object.value(forKey: \"magnitud\")").isEmpty)
    let order = "Quake.all(sortedBy: [NSSortDescriptor(key: \"§\", ascending: true)])"
    #expect(try findings(order.replacing("§", with: "tim")) == [])
    #expect(try findings(order.replacing("§", with: "statu")) == ["unknown-key: statu"])
    #expect(try findings(order.replacing("§", with: "latitude")).isEmpty)
  }

  // MARK: Apple's stores

  @Test func whatApplesStoreRefusesIsFound() throws {
    #expect(
      try findings(request(#"NSPredicate(format: "ALL reports.text == 'x'")"#)).map { $0.prefix { $0 != ":" } }
        == ["all-over-to-many"])
  }

  /// Apple's documents allow one quantifier; apps ship requests with several.
  @Test func whatAppsShipIsNotFound() throws {
    #expect(
      try findings(request(#"NSPredicate(format: "ANY reports.text == 'x' AND ANY reports.text == 'y'")"#)).isEmpty)
  }

  @Test func aComputedPropertyInAMacroIsFound() throws {
    #expect(
      try findings("FetchDescriptor<Quake>(predicate: #Predicate { $0.isStrong })", isSwiftData: true)
        == ["predicate-macro: isStrong"])
    #expect(
      try findings("@Query(sort: \\.isStrong) var quakes: [Quake]", isSwiftData: true) == ["unknown-key: \\.isStrong"])
    #expect(
      try findings("#Predicate<Quake> { $0.magnitude > least && $0.place.contains(name) }", isSwiftData: true).isEmpty)
  }

  @Test func aConditionThatLeavesOutNilIsANote() throws {
    let result = try Self.checker().check(request(#"NSPredicate(format: "depth != 5")"#))
    #expect(result.findings.map(\.rule) == ["not-equal-and-nil"])
    #expect(result.findings.map(\.severity) == [.note])
  }

  // MARK: Silence

  @Test func aCommentWithAReasonSilencesItsLine() throws {
    let predicate = #"NSPredicate(format: "magnitud > 6")"#
    let line = "request.predicate = \(predicate)"
    let start = "let request = NSFetchRequest<Quake>(entityName: \"Quake\")\n"
    #expect(try findings(start + line + " // perilune: ignore kept for old stores").isEmpty)
    #expect(try findings(start + "// perilune: ignore kept for old stores\n" + line).isEmpty)
    #expect(try findings(start + line + " // perilune: ignore") == ["ignore-without-reason: // perilune: ignore"])
    #expect(try findings(start + "let s = \"// perilune: ignore x\"; " + line) == ["unknown-key: magnitud"])
  }

  // MARK: Any text

  /// Texts that are cut anywhere, and whose pieces are exchanged, end in findings or in none.
  @Test func noTextEndsTheCheck() throws {
    var random = SplitMix(seed: 46)
    let checker = try Self.checker(isSwiftData: true)
    let sources =
      Self.requests.map { $0.replacing("§", with: #"NSPredicate(format: "a\u{E9} == '\(x)' AND b > %@", 5)"#) } + [
        Self.classes
      ]
    for source in sources {
      let bytes = Array(source.utf8)
      for _ in 0..<40 {
        var cut = Array(bytes[..<Int.random(in: 0...bytes.count, using: &random)])
        for _ in 0..<3 where !cut.isEmpty {
          cut[Int.random(in: 0..<cut.count, using: &random)] = bytes.randomElement(using: &random) ?? 0
        }
        let text = String(decoding: cut, as: UTF8.self)
        for finding in checker.check(text).findings {
          #expect(finding.range.lowerBound >= 0 && finding.range.upperBound <= text.utf8.count, "\(text)")
        }
      }
    }
  }
}
