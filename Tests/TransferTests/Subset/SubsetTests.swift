import Foundation
import Modeling
import Queries
import SQLiteStorage
import StorageTestSupport
import Stores
import TestSupport
import Testing
import Transfer

@Suite struct SubsetTests {
  /// A school: classes need a teacher and at least two pupils, pupils may have a mentor, teachers a room.
  private func school() throws -> SQLiteStore {
    func toOne(_ name: String, _ destination: String, _ inverse: String?, isOptional: Bool) -> Property {
      var one = Relationship(toOne: name, destination, inverse: inverse)
      one.isOptional = isOptional
      return .relationship(one)
    }
    var pupils = Relationship(toMany: "pupils", "Pupil", inverse: "group")
    (pupils.isOptional, pupils.minimumCount) = (false, 2)
    let name = Property.attribute(Attribute("name", .string))
    let model = try Model([
      EntityDescription(
        "Group",
        properties: [name, toOne("teacher", "Teacher", "groups", isOptional: false), .relationship(pupils)]),
      EntityDescription(
        "Pupil",
        properties: [
          name, toOne("group", "Group", "pupils", isOptional: true),
          toOne("mentor", "Pupil", "charges", isOptional: true),
          .relationship(Relationship(toMany: "charges", "Pupil", inverse: "mentor")),
        ]),
      EntityDescription(
        "Teacher",
        properties: [
          name, .relationship(Relationship(toMany: "groups", "Group", inverse: "teacher")),
          toOne("room", "Room", nil, isOptional: true),
        ]),
      EntityDescription("Room", properties: [name]),
    ])
    var options = StoreOptions(path: ":memory:")
    (options.create, options.model) = (true, model)
    let store = try SQLiteStore(options)
    func insert(_ entity: String, _ name: String, _ references: [String: Int64] = [:]) throws -> Int64 {
      let entity = try #require(store.model.entity(named: entity))
      let layout = store.layout(of: entity)
      var values = [Value](repeating: .null, count: layout.columns.count)
      for (property, value) in references.mapValues(Value.int).merging(
        ["name": .string(name)], uniquingKeysWith: { $1 })
      {
        values[layout.properties[try #require(entity.index(of: property))].ownColumns[0]] = value
      }
      return try store.insert(entity, values)
    }
    for number in 1...3 {
      let room = try insert("Room", "room \(number)")
      let teacher = try insert("Teacher", "teacher \(number)", ["room": room])
      let group = try insert("Group", "group \(number)", ["teacher": teacher])
      var mentor: Int64?
      for pupil in 1...4 {
        mentor = try insert(
          "Pupil", "pupil \(number).\(pupil)", ["group": group].merging(mentor.map { ["mentor": $0] } ?? [:]) { $1 })
      }
    }
    return store
  }

  private func copy(_ source: SQLiteStore, _ options: SubsetOptions) throws -> (SQLiteStore, Subset) {
    var target = StoreOptions(path: ":memory:")
    (target.create, target.model) = (true, source.model)
    let part = try SQLiteStore(target)
    let subset = try Subset(of: source, options)
    _ = try StoreCopy(from: source, to: part, subset, masks: nil).run()
    #expect(try part.checkInvariants().isEmpty)
    #expect(try part.verify().isEmpty)
    return (part, subset)
  }

  private func options(_ from: String..., in store: SQLiteStore, follow: String...) throws -> SubsetOptions {
    var options = SubsetOptions()
    options.from = try from.map { try FetchRequest(subset: $0, in: store.model) }
    options.follow = follow
    return options
  }

  @Test func mandatoryToOnesAndAsManyMembersAsTheModelDemandsAreTaken() throws {
    let store = try school()
    let (part, subset) = try copy(store, try options("Group where name == 'group 2'", in: store))
    #expect(try part.values("name", of: "Group") == [.string("group 2")])
    #expect(try part.values("name", of: "Teacher") == [.string("teacher 2")])
    #expect(try part.values("name", of: "Pupil") == [.string("pupil 2.1"), .string("pupil 2.2")])
    #expect(try part.values("name", of: "Room").isEmpty)
    // A reference stays where its destination was taken for another reason.
    #expect(try part.keys("Pupil", "mentor.name == 'pupil 2.1'").count == 1)
    let shares = subset.shares.map { "\($0.count) \($0.entity) \($0.reason)" }
    #expect(
      shares == [
        "1 Group request(0)", "1 Teacher mandatory(\"Group.teacher\")", "2 Pupil minimum(\"Group.pupils\", 2)",
      ])
  }

  @Test func whatOneMoreRelationshipWouldAddIsCounted() throws {
    let store = try school()
    let subset = try Subset(of: store, try options("Group where name == 'group 2'", in: store))
    let found = Set(try subset.candidates().map { "\($0.relationship) \($0.entity) \($0.count)" })
    #expect(found == ["Group.pupils Pupil 2", "Teacher.room Room 1", "Pupil.charges Pupil 1"])
  }

  @Test func relationshipsAreFollowedAsAsked() throws {
    let store = try school()
    let (part, _) = try copy(
      store, try options("Pupil where name == 'pupil 1.1'", in: store, follow: "charges", "Teacher.room", "group"))
    #expect(try part.values("name", of: "Pupil").count == 4)
    #expect(try part.values("name", of: "Group") == [.string("group 1")])
    #expect(try part.values("name", of: "Room") == [.string("room 1")])
  }

  @Test func aSampleIsTheSameInEachRun() throws {
    let store = try school()
    var half = try options("Pupil", in: store)
    half.sample = 0.5
    let names = try (1...2).map { _ in try copy(store, half).0.values("name", of: "Pupil") }
    #expect(names[0] == names[1])
    #expect((1..<12).contains(names[0].count))
    var all = SubsetOptions()
    all.sample = 0.3
    _ = try copy(store, all)
  }

  @Test func wrongNamesAreErrorsWithTheNearestRightOne() throws {
    let store = try school()
    func error(_ change: (inout SubsetOptions) throws -> Void) throws -> CopyError? {
      var wrong = SubsetOptions()
      return #expect(throws: CopyError.self) {
        try change(&wrong)
        _ = try Subset(of: store, wrong)
      }
    }
    #expect(try error { $0.follow = ["pupil"] } == .unknownRelationship("pupil", nearest: "pupils"))
    #expect(try error { $0.sample = 0 } == .wrongSample(0))
    #expect(
      try error { $0.from = [try FetchRequest(subset: "Pupl", in: store.model)] }
        == .unknownEntity("Pupl", nearest: "Pupil"))
    #expect(
      try error { $0.from = [try FetchRequest(subset: "Pupil wo name", in: store.model)] }
        == .wrongRequest("Pupil wo name"))
    let app = try AppStore().open()
    var ambiguous = SubsetOptions()
    ambiguous.follow = ["recipes"]
    let names = ["Cuisine.recipes", "Ingredient.recipes"]
    #expect(throws: CopyError.ambiguousRelationship("recipes", names)) { try Subset(of: app, ambiguous) }
  }
}
