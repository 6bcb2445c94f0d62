import Foundation
import PeriluneKit
import Testing

/// What the library adds to Foundation's NSPredicate and NSSortDescriptor.
@Suite struct FoundationClassesTests {
  private let context: ManagedObjectContext
  private let people: [Person]

  init() throws {
    let context = try PersistentContainer(":memory:", for: EverythingSchema.self).viewContext
    self.context = context
    people = ["Ann", "Bob", "Cid"].map { name in
      let person = Person(context: context)
      person.name = name
      return person
    }
    for (number, name) in [("b", people[0]), ("a", people[1])] {
      let thing = Thing(context: context)
      (thing.small, thing.large, thing.ratio, thing.flag) = (1, 1, 1, true)
      (thing.name, thing.owner, thing.key, thing.bytes) = (number, name, UUID(), Data([1]))
      (thing.day, thing.place) = (Date(timeIntervalSince1970: number == "a" ? 0 : 86_400), Place(latitude: 1))
    }
    try context.save()
  }

  private func names(_ predicate: NSPredicate) throws -> [String?] {
    let request = NSFetchRequest<Person>()
    request.predicate = predicate
    request.sortDescriptors = [.init(key: "name", ascending: true)]
    return try context.fetch(request).map(\.name)
  }

  @Test func formatsTakeArgumentsOfEveryType() throws {
    #expect(try names(NSPredicate(format: "name == %@", "Bob")) == ["Bob"])
    #expect(try names(NSPredicate(format: "name IN %@", ["Ann", "Cid"])) == ["Ann", "Cid"])
    #expect(try names(NSPredicate(format: "name == %@ AND 3 > %d", "Bob" as NSString, 2)) == ["Bob"])
    #expect(try names(NSPredicate(format: "%K == %@", argumentArray: ["name", "Ann"])) == ["Ann"])
    #expect(try names(NSPredicate(format: "self == %@", people[2])) == ["Cid"])
    let day = Date(timeIntervalSince1970: 0)
    #expect(try names(NSPredicate(format: "ANY things.day == %@", day as any CVarArg)) == ["Bob"])
    #expect(try names(NSPredicate(format: "ANY things.day == %@", argumentArray: [day as NSDate])) == ["Bob"])
    #expect(try names(NSPredicate(format: "ANY things.bytes == %@", Data([1]) as any CVarArg)) == ["Ann", "Bob"])
    let flags = NSPredicate(
      format: "%@ == %@ AND things.@count == %@", argumentArray: [NSNumber(value: true), true, 1])
    #expect(try names(NSPredicate(format: "things.@count < %f", CGFloat(0.5))) == ["Cid"])
    #expect(try names(NSPredicate(format: "things.@count < %d", UInt8(1))) == ["Cid"])
    let list = NSArray(array: ["Ann", NSNull()])
    #expect(try names(NSPredicate(format: "name IN %@", argumentArray: [list])) == ["Ann"])
    let bytes = NSData(data: Data([1]))
    #expect(try names(NSPredicate(format: "ANY things.bytes == %@", argumentArray: [bytes])) == ["Ann", "Bob"])
    #expect(try names(flags) == ["Ann", "Bob"])
    #expect(String(format: "%@", Date(timeIntervalSince1970: 0) as any CVarArg).hasPrefix("1970-01-01"))
  }

  @Test func constantsAndCompoundsAreTranslated() throws {
    let (ann, bob) = (NSPredicate(format: "name == 'Ann'"), NSPredicate(format: "name == 'Bob'"))
    #expect(try names(NSPredicate(value: true)).count == 3)
    #expect(try names(NSPredicate(value: false)).isEmpty)
    #expect(try names(NSCompoundPredicate(orPredicateWithSubpredicates: [ann, bob])) == ["Ann", "Bob"])
    #expect(try names(NSCompoundPredicate(andPredicateWithSubpredicates: [ann, bob])).isEmpty)
    #expect(try names(NSCompoundPredicate(notPredicateWithSubpredicate: ann)) == ["Bob", "Cid"])
    #expect(try names(NSPredicate(FetchPredicate<Person>("name > %@", "Ann"))) == ["Bob", "Cid"])
    #expect(try names(NSPredicate(#Predicate<Person> { $0.name == "Cid" })) == ["Cid"])
  }

  @Test func whatHasNoMeaningIsAnErrorOfTheFetch() {
    let block = #expect(throws: PeriluneError.self) { try names(NSPredicate { _, _ in true }) }
    #expect(block?.fact == .blockPredicate)
    #expect(throws: (any Error).self) { try names(NSPredicate(format: "name ==")) }
    #expect(throws: (any Error).self) { try names(NSPredicate(format: "nam == 'Ann'")) }
    #expect(throws: (any Error).self) { try names(NSPredicate(format: "name == %@")) }
    let argument = #expect(throws: PeriluneError.self) {
      try names(NSPredicate(format: "name == %@", argumentArray: [Calendar(identifier: .iso8601)]))
    }
    #expect(argument?.fact == .wrongArgument("Calendar"))
  }

  @Test func aPredicateIsEvaluatedInMemory() {
    let predicate = NSPredicate(format: "name BEGINSWITH %@", "B")
    #expect(people.map { predicate.evaluate(with: $0) } == [false, true, false])
    people[0].name = "Bea"
    #expect(predicate.evaluate(with: people[0]) && !predicate.evaluate(with: "Bea"))
    #expect(!NSPredicate(format: "nam == 'Bea'").evaluate(with: people[0]))
    let both = NSCompoundPredicate(andPredicateWithSubpredicates: [
      predicate, NSPredicate(format: "things.@count == 1"),
    ])
    #expect(people.map { both.evaluate(with: $0) } == [true, true, false])
  }

  @Test func aSortDescriptorHasANameOrAnOptionalProperty() throws {
    let byName = NSSortDescriptor(key: "name", ascending: false)
    #expect(byName.key == "name" && NSSortDescriptor(keyPath: \Person.name, ascending: true).key == nil)
    #expect(byName.compare(people[0], to: people[1]) == .orderedDescending)
    #expect(
      NSSortDescriptor(keyPath: \Person.name, ascending: true).compare(people[0], to: people[1]) == .orderedAscending)
    people[0].name = nil
    #expect(
      NSSortDescriptor(keyPath: \Person.name, ascending: true).compare(people[0], to: people[1]) == .orderedAscending)
    let request = NSFetchRequest<Thing>()
    request.sortDescriptors = [.init(key: "owner.name", ascending: false)]
    #expect(try context.fetch(request).map(\.name) == ["a", "b"])
    var descriptor = FetchDescriptor<Thing>(sortBy: [SortDescriptor(\.name)])
    #expect(try context.fetch(descriptor).map(\.name) == ["a", "b"])
    descriptor.nsSortDescriptors = [.init(key: "owner.name", ascending: true)]
    #expect(try context.fetch(descriptor).map(\.name) == ["b", "a"])
  }
}
