import Modeling
import SQLiteStorage
import Stores
import Testing

@testable import ObjectGraph

/// Relationships that no store keeps.
@Suite struct TransientRelationshipTests {
  private let context: ObjectContext

  init() throws {
    func transient(_ relationship: Relationship) -> Property {
      var relationship = relationship
      relationship.isTransient = true
      return .relationship(relationship)
    }
    var options = StoreOptions(path: ":memory:")
    options.create = true
    options.model = try Model([
      EntityDescription(
        "Seat",
        properties: [
          .attribute(Attribute("name", .string)), transient(Relationship(toOne: "guest", "Guest", inverse: "seat")),
          transient(Relationship(toMany: "waiting", "Guest", inverse: "choices")),
        ]),
      EntityDescription(
        "Guest",
        properties: [
          .attribute(Attribute("name", .string)), transient(Relationship(toOne: "seat", "Seat", inverse: "guest")),
          transient(Relationship(toMany: "choices", "Seat", inverse: "waiting")),
        ]),
    ])
    context = ObjectContext(store: try SQLiteStore(options))
  }

  private func make(_ name: String) throws -> ManagedObject {
    try context.insert(try #require(context.store.model.entity(named: name)))
  }

  @Test func aPartnerHasOnePartner() throws {
    let seats = try (0..<2).map { _ in try make("Seat") }
    let guests = try (0..<2).map { _ in try make("Guest") }
    try seats[0].setOne("guest", guests[0])
    #expect(try guests[0].one("seat") == seats[0])
    try seats[1].setOne("guest", guests[0])
    #expect(try seats[0].one("guest") == nil)
    #expect(try guests[0].one("seat") == seats[1])
    try seats[1].setOne("guest", guests[1])
    #expect(try guests[0].one("seat") == nil)
    #expect(try guests[1].one("seat") == seats[1])
  }

  @Test func bothSidesHaveTheirMembers() throws {
    let seats = try (0..<2).map { _ in try make("Seat") }
    let guests = try (0..<2).map { _ in try make("Guest") }
    try seats[0].setMembers(at: seats[0].index("waiting"), guests)
    try guests[0].add("choices", seats[1])
    #expect(try guests[0].many("choices") == seats)
    try seats[0].remove("waiting", guests[0])
    #expect(try guests[0].many("choices") == [seats[1]])
    #expect(try seats[0].many("waiting") == [guests[1]])
  }

  @Test func whatIsDeletedIsNoTarget() throws {
    let (seat, guest) = (try make("Seat"), try make("Guest"))
    try context.save()
    try seat.setOne("guest", guest)
    try guest.add("choices", seat)
    try guest.delete()
    #expect(try seat.one("guest") == nil)
    #expect(try seat.many("waiting") == [])
    try context.save()
    #expect(try seat.one("guest") == nil)
  }
}
