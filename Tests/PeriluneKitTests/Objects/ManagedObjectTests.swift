import Foundation
import PeriluneKit
import TestSupport
import Testing

@Suite struct ManagedObjectTests {
  /// A store in memory.
  private let container: PersistentContainer
  private var context: ManagedObjectContext { container.viewContext }

  init() throws { container = try PersistentContainer(":memory:", for: EverythingSchema.self) }

  @Test func everyAttributeTypeComesBackAsItWasSet() throws {
    let folder = try TemporaryFolder()
    let key = UUID()
    let day = Date(timeIntervalSince1970: 1_700_000_000.25)
    let place = Place(
      inner: Inner(code: Decimal(string: "1.10"), tag: key), label: "x\"y", latitude: -1.5, since: day)
    func write() throws {
      let thing = try Thing(
        context: PersistentContainer(folder.file("a.store"), for: EverythingSchema.self).viewContext)
      (thing.id, thing.small, thing.middle, thing.large) = (7, .min, .max, .max)
      (thing.price, thing.ratio, thing.share) = (Decimal(string: "12.30"), 0.1, 0.1)
      (thing.name, thing.flag, thing.maybe, thing.day, thing.key) = ("ñ", true, nil, day, key)
      (thing.link, thing.bytes) = (URL(string: "https://example.org/a?b=c"), Data([0, 255]))
      thing.extra = .json(.object(["a": .array([.int(1), .null])]))
      (thing.place, thing.origin) = (place, Origin(elementsValue: "e", latitude: 2))
      (thing.class, thing.initValue, thing.strange_name, thing.objectIDValue, thing.selfValue) = ("a", "b", "c", "d", 5)
      try thing.managedObjectContext.save()
    }
    try write()
    let other = try PersistentContainer(folder.file("a.store"), for: EverythingSchema.self)
    let thing = try #require(try other.viewContext.fetch(Thing.self).first)
    #expect(thing.id == 7 && thing.small == .min && thing.middle == .max && thing.large == .max)
    #expect(thing.price == Decimal(string: "12.30") && thing.ratio == 0.1 && thing.share == 0.1)
    #expect(thing.name == "ñ" && thing.flag && thing.maybe == nil && thing.day == day && thing.key == key)
    #expect(thing.link == URL(string: "https://example.org/a?b=c") && thing.bytes == Data([0, 255]))
    #expect(thing.extra == .json(.object(["a": .array([.int(1), .null])])))
    #expect(thing.place == place && thing.origin == Origin(elementsValue: "e", latitude: 2))
    #expect(thing.class == "a" && thing.initValue == "b" && thing.strange_name == "c" && thing.objectIDValue == "d")
    #expect(thing.selfValue == 5 && thing.loud == "Ñ" || thing.loud == "ñ")
  }

  @Test func mandatoryAttributesWithoutAValueReadAsPlaceholders() throws {
    let thing = Thing(context: context)
    #expect(thing.small == 0 && thing.name == "" && !thing.flag && thing.ratio == 0 && thing.bytes.isEmpty)
    #expect(thing.key == UUID(uuidString: "00000000-0000-0000-0000-000000000000") && thing.place.latitude == 0)
    #expect(thing.id == nil && thing.day == nil && thing.origin == nil && thing.changedValues.isEmpty)
    #expect(throws: (any Error).self) { try context.save() }
  }

  /// A class without an entity in the store.
  final class Stranger: ManagedObject {
    var name: String? {
      get { self["name"] }
      set { self["name"] = newValue }
    }
  }

  @Test func anObjectThatCannotBeInsertedIsDeletedAndSaveSaysWhy() throws {
    for object in [Being(context: context), Stranger(context: context)] {
      #expect(object.isDeleted && !object.isInserted && !object.hasChanges && !context.hasChanges)
      (object as? Being)?.name = "Ann"
      (object as? Stranger)?.name = "Ann"
      #expect((object as? Being)?.name == nil && (object as? Stranger)?.name == nil)
    }
    let thing = Thing(context: context)
    #expect(throws: (any Error).self) { try save(thing) }
    try save(thing)
    #expect(try context.count(Thing.self) == 1)
  }

  @Test func aClassKnowsItsEntity() {
    #expect(Thing.entity().name == "Thing" && DateEntity.entity().name == "Date")
    #expect(DateEntity.entity().managedObjectClassName == "DateEntity")
  }

  @Test func anElementOfACompositeIsSetByItself() throws {
    let thing = Thing(context: context)
    thing.place.latitude = 4
    thing.place.inner = Inner(code: 2)
    thing.place.inner?.tag = UUID()
    #expect(thing.place.latitude == 4 && thing.place.inner?.code == 2 && thing.place.inner?.tag != nil)
  }

  @Test func relationshipsKeepBothSides() throws {
    let thing = Thing(context: context)
    let person = Person(context: context)
    thing.owner = person
    #expect(person.things == [thing] && thing.owner === person)
    let parts = (1...3).map { _ in Part(context: context) }
    thing.parts = parts
    thing.parts.swapAt(0, 2)
    #expect(thing.parts == [parts[2], parts[1], parts[0]] && parts[0].whole === thing)
    try thing.remove(parts[1], from: \.parts)
    try thing.add(Part(context: context), to: \.parts)
    #expect(try thing.count(of: \.parts) == 3 && parts[1].whole == nil)
    person.things.removeAll()
    #expect(thing.owner == nil)
  }

  @Test func anObjectHasOneInstanceOfItsOwnClass() throws {
    let gadget = Gadget(context: context)
    gadget.name = "g"
    try save(gadget)
    let found = try context.fetch(Thing.self)
    #expect(found.count == 1 && found[0] === gadget && (found[0] as? Gadget)?.watts == nil)
    // As a fault it is known by its ancestor alone.
    let (gadgetID, other) = (gadget.objectID, container.newContext())
    #expect(try other.fetch(Thing.self).map { $0 is Gadget } == [true])
    #expect(try container.newContext().existingObject(with: gadgetID) is Gadget)
    let being = Person(context: context)
    #expect(try context.fetch(Being.self).first === being)
    let namesake = Thing(context: context)
    namesake.name = "g"
    try save(namesake)
    #expect(Set(gadget.namesakes) == [gadget, namesake])
  }

  @Test func instancesEndWithTheirLastReference() throws {
    weak var gone: Thing?
    try {
      let thing = Thing(context: context)
      thing.name = "kept"
      try save(thing)
      gone = thing
    }()
    #expect(gone == nil)
    #expect(try context.fetch(Thing.self).first?.name == "kept")
  }

  @Test func whatIsWrongWithAValueIsThrownBySave() throws {
    let thing = Thing(context: context)
    try save(thing)
    thing.large = 5
    thing["small"] = 70_000
    #expect(throws: (any Error).self) { try context.save() }
    #expect(thing.small == 0 && thing.hasChanges)
    // It is reported once, and the valid changes can still be saved.
    try context.save()
    #expect(!thing.hasChanges && thing.large == 5)
    thing["nam"] = "x"
    let error = #expect(throws: PeriluneError.self) { try context.save() }
    #expect(error?.fact == .unknownProperty("nam", entity: "Thing", nearest: "name"))
    try context.delete(thing)
    thing.name = "too late"
    #expect(throws: (any Error).self) { try context.save() }
  }

  @Test func whatCannotBeReadIsToldAndReadsAsThePlaceholder() throws {
    var told: [String] = []
    context.onError = { told.append("\($0)") }
    let thing = Thing(context: context)
    thing.name = "text"
    let number: Int = thing["name"]
    #expect(number == 0 && told.count == 1 && told[0].contains("unreadable"))
    let missing: Thing? = thing["nam"]
    #expect(missing == nil && told.count == 2 && told[1].contains("name"))
  }

  @Test func aRowThatOthersTakeAwayIsAnErrorToReadAndNoTrap() throws {
    let folder = try TemporaryFolder()
    let mine = try PersistentContainer(folder.file("a.store"), for: EverythingSchema.self).viewContext
    let part = Part(context: mine)
    part.number = 3
    try mine.save()
    let other = try PersistentContainer(folder.file("a.store"), for: EverythingSchema.self).viewContext
    try other.delete(try #require(try other.fetch(Part.self).first))
    try other.save()
    var count = 0
    mine.onError = { _ in count += 1 }
    try mine.refresh(part, mergeChanges: false)
    #expect(part.number == nil && count == 1)
  }

  @Test func objectsShowWhatOthersWroteAfterTheTurn() throws {
    let thing = Thing(context: context)
    thing.name = "mine"
    try save(thing)
    let other = container.newContext()
    try #require(try other.fetch(Thing.self).first).name = "theirs"
    try other.save()
    try context.processPendingChanges()
    #expect(thing.name == "theirs" && !thing.hasChanges)
  }

  @Test func objectsOutliveNothingTheyNeed() throws {
    func thing() throws -> Thing {
      let thing = try Thing(context: PersistentContainer(":memory:", for: EverythingSchema.self).viewContext)
      thing.name = "alone"
      return thing
    }
    #expect(try thing().name == "alone")
  }

  private func save(_ thing: Thing) throws {
    thing.place = Place(latitude: 1)
    (thing.key, thing.bytes) = (UUID(), Data())
    (thing.small, thing.large, thing.ratio, thing.name, thing.flag) = (0, 0, 0, thing.name + "", false)
    try context.save()
  }
}
