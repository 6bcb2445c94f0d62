import Foundation
import PeriluneKit
import TestSupport
import Testing

/// Conditions in all three forms select what Swift selects in memory.
@Suite struct FetchPredicateTests {
  private let context: ManagedObjectContext

  init() throws {
    context = try PersistentContainer(":memory:", for: EverythingSchema.self).viewContext
    let people = ["Ann", "Bob"].map { name in
      let person = Person(context: context)
      person.name = name
      return person
    }
    for number in 0..<24 {
      let thing = Thing(context: context)
      (thing.small, thing.large, thing.ratio) = (Int16(number), number * 1000, Double(number) / 4)
      thing.name = ["alpha", "beta", "Gamma", "100% %@"][number % 4]
      (thing.flag, thing.key, thing.bytes) = (number % 3 == 0, UUID(), Data())
      thing.middle = number % 5 == 0 ? nil : Int32(number % 7)
      thing.day = number % 4 == 1 ? nil : Date(timeIntervalSince1970: Double(number) * 86_400)
      thing.place = Place(label: number % 2 == 0 ? "even" : nil, latitude: Double(number))
      thing.origin = number % 3 == 1 ? nil : Origin(latitude: Double(-number))
      thing.owner = number % 3 == 2 ? nil : people[number % 2]
      thing.parts = (0..<number % 4).map { place in
        let part = Part(context: context)
        part.number = place
        return part
      }
    }
    try context.save()
  }

  private func expect(
    _ predicate: FetchPredicate<Thing>, as isSelected: (Thing) -> Bool, at location: SourceLocation = #_sourceLocation
  ) throws {
    let found = try context.fetch(Thing.self, where: predicate, sortedBy: [SortDescriptor(\.small)])
    let expected = try context.fetch(Thing.self, sortedBy: [SortDescriptor(\.small)]).filter(isSelected)
    #expect(found.map(\.small) == expected.map(\.small), sourceLocation: location)
    #expect(!expected.isEmpty && expected.count < 24, "it should select some and not all", sourceLocation: location)
  }

  @Test func whatOnlyASubclassHasIsAskedFor() throws {
    for number in 0..<4 {
      let gadget = Gadget(context: context)
      (gadget.small, gadget.watts) = (Int16(100 + number), number == 3 ? nil : number)
      (gadget.name, gadget.key, gadget.bytes, gadget.flag) = ("gadget", UUID(), Data(), false)
      (gadget.large, gadget.ratio, gadget.place) = (0, 0, Place(latitude: 0))
    }
    try context.save()
    try expect(FetchPredicate(#Predicate { ($0 as? Gadget)?.watts == 2 })) { ($0 as? Gadget)?.watts == 2 }
    try expect(FetchPredicate(#Predicate { ($0 as? Gadget)?.name == "gadget" })) { $0 is Gadget }
    try expect(
      FetchPredicate(
        #Predicate { ($0 as? Gadget).flatMap { $0.watts.flatMap { $0 > 0 } ?? false } ?? false || $0.small == 3 })
    ) { (($0 as? Gadget)?.watts ?? 0) > 0 || $0.small == 3 }
    #expect(throws: PeriluneError.self) {
      try context.fetch(Thing.self, where: FetchPredicate(#Predicate { ($0 as? Gadget) == nil }))
    }
  }

  @Test func keyPathsAreCompared() throws {
    try expect(\.small > 5) { $0.small > 5 }
    try expect(\.ratio >= 2) { $0.ratio >= 2 }
    try expect(\.large < 4000) { $0.large < 4000 }
    try expect(\.name <= "alpha") { $0.name <= "alpha" }
    try expect(\.name == "beta") { $0.name == "beta" }
    try expect(\.name != "beta") { $0.name != "beta" }
    try expect(\.middle == nil) { $0.middle == nil }
    try expect(\.middle != nil) { $0.middle != nil }
    try expect(\.middle == 3) { $0.middle == 3 }
    try expect(\.middle > 3) { ($0.middle ?? 0) > 3 }
    try expect(\.flag == true) { $0.flag }
    try expect(FetchPredicate(\.flag)) { $0.flag }
    try expect(\.place.latitude > 7) { $0.place.latitude > 7 }
    try expect(\.origin?.latitude < -7) { ($0.origin?.latitude ?? 0) < -7 }
    let ann = try #require(try context.fetch(Person.self, where: \.name == "Ann").first)
    try expect(\.owner == ann) { $0.owner === ann }
    try expect(\.owner == nil) { $0.owner == nil }
    try expect(\.small > 5 && !(\.name == "beta") || \.flag == true) { $0.small > 5 && $0.name != "beta" || $0.flag }
  }

  @Test func valuesInATextAreArguments() throws {
    let text = "100% %@"
    try expect("name == \(text)") { $0.name == text }
    try expect("name CONTAINS[c] \("GAMMA") AND small < \(9)") { $0.name == "Gamma" && $0.small < 9 }
    try expect("\(\Thing.place.latitude) > \(7.5)") { $0.place.latitude > 7.5 }
    try expect("name IN \(["alpha", "beta"])") { $0.name == "alpha" || $0.name == "beta" }
    try expect(FetchPredicate("small BETWEEN %@ AND flag == %@", [3, 9], true)) { 3...9 ~= $0.small && $0.flag }
    try expect("owner.name == \("Ann") AND parts.@count > \(1)") { $0.owner?.name == "Ann" && $0.parts.count > 1 }
    let day = Date(timeIntervalSince1970: 10 * 86_400)
    try expect("day > \(day)") { thing in thing.day.map { $0 > day } ?? false }
  }

  @Test func macrosSelectWhatTheySelectInMemory() throws {
    func expect(_ predicate: Predicate<Thing>, at location: SourceLocation = #_sourceLocation) throws {
      try self.expect(FetchPredicate(predicate), as: { (try? predicate.evaluate($0)) == true }, at: location)
    }
    let (limit, name, names, range) = (Int16(9), "al", ["alpha", "Gamma"], Int16(3)...7)
    let ann = try #require(try context.fetch(Person.self, where: \.name == "Ann").first)
    try expect(#Predicate { $0.small > limit && $0.name != "beta" })
    try expect(#Predicate { $0.small <= 3 || $0.flag })
    try expect(#Predicate { $0.flag })
    try expect(#Predicate { !$0.flag })
    try expect(#Predicate { $0.name.contains("am") })
    try expect(#Predicate { $0.name.starts(with: name) })
    try expect(#Predicate { $0.name.count == 5 && !$0.name.isEmpty })
    try expect(#Predicate { names.contains($0.name) })
    try expect(#Predicate { range.contains($0.small) })
    try expect(#Predicate { (3..<7).contains($0.small) })
    try expect(#Predicate { $0.middle == nil })
    try expect(#Predicate { ($0.middle ?? 9) > 5 })
    try expect(#Predicate { $0.middle.flatMap { $0 > 3 } ?? false })
    try expect(#Predicate { !($0.middle.flatMap { $0 > 3 } ?? true) })
    try expect(#Predicate { $0.owner?.name == "Ann" })
    try expect(#Predicate { $0.owner?.name?.contains("nn") == true })
    try expect(#Predicate { if let owner = $0.owner { owner.name == "Bob" } else { false } })
    try expect(#Predicate { $0.place.latitude > 5 && $0.place.label == "even" })
    try expect(#Predicate { $0.parts.count > 1 })
    try expect(#Predicate { !$0.parts.isEmpty })
    try expect(#Predicate { $0.parts.contains { $0.number == 2 } })
    try expect(#Predicate { $0.parts.allSatisfy { $0.number == 0 } })
    try expect(#Predicate { $0.parts.filter { $0.number != 0 }.count == 1 })
    try expect(#Predicate { $0.ratio * 2 + 1 > 5 && -$0.ratio > -4 })
    try expect(#Predicate { $0.flag ? $0.small > 10 : $0.small < 4 })
    _ = ann
  }

  /// No property of the model, though it reads one.
  @Test func whatIsNoPropertyIsAnErrorNotAnotherQuestion() throws {
    func fact(_ predicate: FetchPredicate<Thing>) -> PeriluneError.Fact? {
      do {
        _ = try context.fetch(Thing.self, where: predicate)
        return nil
      } catch { return (error as? PeriluneError)?.fact }
    }
    guard case .notAProperty? = fact(\.double > 3) else { Issue.record("a computed property was taken"); return }
    guard case .notAProperty? = fact(FetchPredicate(#Predicate { $0.double > 3 })) else {
      Issue.record("a computed property was taken")
      return
    }
    guard case .notAProperty? = fact(\.owner?.name == "Ann") else { Issue.record("a chain was taken"); return }
    guard case .untranslatable? = fact(FetchPredicate(#Predicate { $0 is Gadget })) else {
      Issue.record("a test of the type was taken")
      return
    }
    #expect(throws: PeriluneError.self) { try context.fetch(Thing.self, sortedBy: [SortDescriptor(\.double)]) }
    #expect(throws: (any Error).self) { try context.fetch(Thing.self, where: "nam == 'x'") }
    #expect(throws: (any Error).self) { try context.fetch(Thing.self, where: "small > %@") }
  }

  @Test func anOrderIsThatOfItsDescriptors() throws {
    let found = try context.fetch(
      Thing.self,
      sortedBy: [SortDescriptor(\.name), SortDescriptor(\.middle, order: .reverse), SortDescriptor(\.small)])
    let expected = try context.fetch(Thing.self).sorted { left, right in
      if left.name != right.name { return left.name < right.name }
      if left.middle != right.middle { return (left.middle ?? .min) > (right.middle ?? .min) }
      return left.small < right.small
    }
    #expect(found.map(\.small) == expected.map(\.small))
    var descriptor = FetchDescriptor<Thing>(predicate: \.small > 3)
    (descriptor.fetchLimit, descriptor.fetchOffset) = (2, 1)
    descriptor.nsSortDescriptors = [.init(key: "owner.name", ascending: false), .init(key: "small", ascending: true)]
    #expect(try context.fetch(descriptor).map(\.owner?.name) == ["Bob", "Bob"])
    #expect(try context.fetchCount(FetchDescriptor<Thing>(predicate: #Predicate { $0.small > 3 })) == 20)
  }
}

extension Thing {
  fileprivate var double: Int { Int(small) * 2 }
}
