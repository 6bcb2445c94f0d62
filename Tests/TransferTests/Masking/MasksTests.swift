import Foundation
import Modeling
import Queries
import SQLiteStorage
import StorageTestSupport
import Stores
import TestSupport
import Testing
import Transfer

@Suite struct MasksTests {
  private static func people(_ path: String = ":memory:") throws -> SQLiteStore {
    var email = Attribute("email", .string)
    email.isUnique = true
    var code = Attribute("code", .string)
    (code.isUnique, code.isOptional, code.regularExpression) = (true, false, "[A-Z]{2}[0-9]{4}")
    var age = Attribute("age", .integer16)
    (age.minimum, age.maximum) = (.int(0), .int(120))
    let others: [(String, AttributeType)] = [
      ("name", .string), ("phone", .string), ("pay", .double), ("born", .date), ("token", .uuid), ("site", .url),
      ("extra", .transformable), ("number", .integer64), ("photo", .data), ("isActive", .boolean),
    ]
    let model = try Model([
      EntityDescription(
        "Person",
        properties: ([email, code, age] + others.map { Attribute($0.0, $0.1) }).map(Property.attribute)
          + [.relationship(Relationship(toOne: "friend", "Person"))]),
      EntityDescription(
        "Letter", properties: [.attribute(Attribute("email", .string)), .attribute(Attribute("text", .string))]),
    ])
    var options = StoreOptions(path: path)
    (options.create, options.model, options.history) = (true, model, true)
    return try SQLiteStore(options)
  }

  /// The text that stands in each text of a person.
  private static func secret(_ number: Int) -> String { "Quixote\(number)" }

  private static func fill(_ store: SQLiteStore, count: Int) throws {
    let person = try #require(store.model.entity(named: "Person"))
    let letter = try #require(store.model.entity(named: "Letter"))
    var last: Int64?
    try store.transaction {
      for number in 0..<count {
        let name = secret(number)
        let values: [String: Value] = [
          "email": .string("\(name)@quixote-mail.com"), "code": .string("QX\(String(10_000 + number).suffix(4))"),
          "age": .int(Int64(number % 100)), "name": .string("\(name) García O'Neil"),
          "phone": .string("0049 (30) 12\(10_000 + number)"), "pay": .double(1_000.25 + Double(number)),
          "born": .date(Timestamp(1_000_000 + Double(number) * 86_400)), "token": .uuid(UUID()),
          "site": .url("https://\(name).quixote.org/a"), "number": .int(Int64(100_000 + number)),
          "extra": .json(.object(["nick": .string(name), "n": .int(Int64(777_000 + number))])),
          "photo": .data(Array(name.utf8)), "friend": last.map(Value.int) ?? .null,
        ]
        let layout = store.layout(of: person)
        var row = [Value](repeating: .null, count: layout.columns.count)
        for (name, value) in values {
          row[layout.properties[try #require(person.index(of: name))].ownColumns[0]] = value
        }
        last = try store.insert(person, row)
        _ = try store.insert(letter, [values["email"]!, .string("Dear \(name), how are you?")])
      }
    }
  }

  private static let usual = [
    "Person.email": "email", "Letter.email": "email", "Person.code": "text", "Person.age": "number:20",
    "Person.name": "name", "Person.phone": "phone", "Person.pay": "number", "Person.born": "date:7",
    "Person.token": "uuid", "Person.site": "text", "Person.extra": "text", "Person.number": "text",
    "Person.photo": "hash", "*.text": "text",
  ]

  private func copy(
    _ source: SQLiteStore, _ masks: [String: String] = usual, secret: String = "s", to path: String = ":memory:"
  ) throws -> SQLiteStore {
    let target = try Self.people(path)
    let rules = try masks.map { MaskRule($0.key, try Mask($0.value)) }
    _ = try StoreCopy(
      from: source, to: target, nil, masks: try Masks(rules, try MaskSecret(secret), for: source)
    ).run()
    return target
  }

  private func texts(_ store: SQLiteStore, _ name: String, _ entity: String = "Person") throws -> [String] {
    try store.values(name, of: entity).map(\.displayText)
  }

  @Test func masksKeepKindLengthAndUniqueness() throws {
    let source = try Self.people()
    try Self.fill(source, count: 300)
    let masked = try copy(source)
    for name in ["email", "code", "name", "phone", "token", "site", "number"] {
      let (old, new) = (try texts(source, name), try texts(masked, name))
      #expect(zip(old, new).allSatisfy { $0 != $1 }, "\(name)")
      #expect(old.map(\.count) == new.map(\.count), "\(name)")
      #expect(Set(old).count == Set(new).count, "\(name)")
    }
    #expect(try texts(masked, "phone").allSatisfy { $0.wholeMatch(of: /00[0-9]{2} \([0-9]{2}\) [0-9]{7}/) != nil })
    #expect(try texts(masked, "email").allSatisfy { $0.hasSuffix("@example.com") || $0.hasSuffix("@a.test") })
    #expect(try texts(masked, "site").allSatisfy { $0.hasPrefix("https://") })
    #expect(try texts(masked, "isActive").allSatisfy { $0 == Value.null.displayText })
    for (old, new) in zip(try source.values("pay", of: "Person"), try masked.values("pay", of: "Person")) {
      guard case .double(let old) = old, case .double(let new) = new else { throw NothingThere() }
      #expect(old != new && abs(old - new) <= old * 0.1 + 0.01)
    }
    for (old, new) in zip(try source.values("born", of: "Person"), try masked.values("born", of: "Person")) {
      guard case .date(let old) = old, case .date(let new) = new else { throw NothingThere() }
      let days = (new.seconds - old.seconds) / 86_400
      #expect(days != 0 && abs(days) <= 7 && days == days.rounded())
    }
    #expect(try masked.keys("Person", "friend != nil").count == 299)
    #expect(try masked.checkInvariants().isEmpty)
  }

  @Test func theSameValueHasTheSameMaskAcrossEntitiesAndRuns() throws {
    let source = try Self.people()
    try Self.fill(source, count: 20)
    let masked = try copy(source)
    #expect(try texts(masked, "email") == texts(masked, "email", "Letter"))
    #expect(try texts(copy(source), "name") == texts(masked, "name"))
    #expect(try texts(copy(source, secret: "other"), "name") != texts(masked, "name"))
    // A name in a full name is masked as by itself.
    let surnames = Set(try texts(masked, "name").map { $0.split(separator: " ")[1] })
    #expect(surnames.count == 1 && surnames.first?.first?.isUppercase == true, "\(surnames)")
  }

  @Test func nothingOfTheOriginalsIsInTheFile() throws {
    let folder = try TemporaryFolder()
    let source = try Self.people()
    try Self.fill(source, count: 200)
    let target = try copy(source, to: folder.file("part.sqlite"))
    target.close()
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let bytes = try #require(FileManager.default.contents(atPath: folder.file(name)))
      for original in ["Quixote", "quixote", "García", "QX0", "QX1", "12100", "777000"] {
        #expect(bytes.range(of: Data(original.utf8)) == nil, "\(original) in \(name)")
      }
    }
  }

  @Test func masksKeepTheRulesOfTheModel() throws {
    let source = try Self.people()
    try Self.fill(source, count: 300)
    let masked = try copy(source)
    let person = try #require(masked.model.entity(named: "Person"))
    for name in ["code", "age"] {
      let index = try #require(person.index(of: name))
      let rules = try #require(person.rules[index])
      #expect(try masked.values(name, of: "Person").allSatisfy { rules.violations(of: $0).isEmpty })
    }
  }

  @Test func aMaskThatNoConditionOfTheModelAllowsIsAnErrorWithTheRule() throws {
    var title = Attribute("title", .string)
    title.validationPredicates = [ValidationPredicate("SELF BEGINSWITH 'Dr. '", warning: "a title is needed")]
    var options = StoreOptions(path: ":memory:")
    (options.create, options.model) = (
      true, try Model([EntityDescription("Doctor", properties: [.attribute(title)])])
    )
    let (source, target) = (try SQLiteStore(options), try SQLiteStore(options))
    _ = try source.insert(try #require(source.model.entity(named: "Doctor")), [.string("Dr. No")])
    func copy(_ mask: Mask) throws {
      let masks = try Masks([MaskRule("Doctor.title", mask)], .random(), for: source)
      _ = try StoreCopy(from: source, to: target, nil, masks: masks).run()
    }
    for mask in [Mask.hash, .function { _, _ in .string("Mr. No") }] {
      let error = #expect(throws: CopyError.self) { try copy(mask) }
      guard case .maskBreaksRule("Doctor.title", _, _, let rule)? = error else { throw NothingThere() }
      #expect(rule.text == "a title is needed")
    }
    #expect(try texts(target, "title", "Doctor").isEmpty)
    try copy(.function { _, _ in .string("Dr. Who") })
    #expect(try texts(target, "title", "Doctor") == ["Dr. Who"])
  }

  @Test func wrongMasksAreRefusedBeforeTheFirstRow() throws {
    let source = try Self.people()
    func error(_ path: String, _ mask: String) throws -> CopyError? {
      #expect(throws: CopyError.self) {
        try Masks([MaskRule(path, try Mask(mask))], .random(), for: source)
      }
    }
    #expect(try error("Person.emial", "email") == .unknownMaskedAttribute("Person.emial", nearest: "Person.email"))
    #expect(try error("Person.friend", "nil").map(caseName) == "unknownMaskedAttribute")
    #expect(try error("*.nothing", "nil").map(caseName) == "unknownMaskedAttribute")
    #expect(try error("Person.email", "emial") == .unknownMask("emial", nearest: "email"))
    #expect(try error("Person.pay", "number:0").map(caseName) == "unknownMask")
    #expect(try error("Person.pay", "email").map(caseName) == "unfitMask")
    #expect(try error("Person.code", "nil") == .mandatoryIsMasked("Person.code"))
    #expect(throws: CopyError.emptySecret) { try MaskSecret("\n") }
    let app = try AppStore().open()
    #expect(throws: CopyError.self) {
      try Masks([MaskRule("Ingredient.name", try Mask("number"))], .random(), for: app)
    }
  }

  @Test func attributesWithoutAMaskAreListed() throws {
    let source = try Self.people()
    #expect(Masks.unmasked(nil, in: source).contains("Person.name"))
    #expect(!Masks.unmasked(nil, in: source).contains("Person.pay"))
    let rules = try Self.usual.map { MaskRule($0.key, try Mask($0.value)) }
    #expect(Masks.unmasked(try Masks(rules, .random(), for: source), in: source).isEmpty)
  }
}
