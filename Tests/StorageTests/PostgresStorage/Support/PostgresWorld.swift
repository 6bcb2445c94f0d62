import Modeling
import Postgres
import PostgresStorage
import Queries
import TestSupport

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

/// The objects of a world in memory, and the same in PostgreSQL.
struct PostgresWorld {
  let twins: Twins
  let store: PostgresStore

  init(seed: UInt64, count: Int = 14) throws {
    let world = try AgreementWorld(seed: seed, count: count)
    twins = world.twins
    let server = try PostgresServer.shared.get()
    var options = PostgresOptions(try PostgresAddress(server.address(of: try server.makeDatabase(for: "agreement"))))
    (options.model, options.create) = (try AgreementWorld.model(), true)
    store = try PostgresStore(options)
    let names = ["Mark", "Thing", "Gadget", "Part"]
    try store.transaction {
      for name in names { for object in twins.objects[name] ?? [] { try insert(object) } }
      for name in names { for object in twins.objects[name] ?? [] { try addMembers(of: object) } }
    }
  }

  func entity(_ name: String) -> Entity { store.model.entity(named: name)! }

  private func insert(_ object: MemoryObject) throws {
    let entity = entity(object.entity.name)
    let layout = store.layout(of: entity)
    var row = [Value](repeating: .null, count: layout.columns.count)
    for (index, property) in entity.properties.enumerated() {
      guard let column = layout.properties[index].ownColumns.first else { continue }
      if let target = object.toOnes[property.name] {
        row[column] = .int(target.key)
      } else {
        row[column] = object.values[property.name] ?? .null
      }
    }
    try store.insert(entity, row, key: object.key)
  }

  private func addMembers(of object: MemoryObject) throws {
    let entity = entity(object.entity.name)
    for (name, members) in object.toManys {
      guard let index = entity.index(of: name) else { continue }
      let keys = members.map(\.key)
      if name == "marks" {
        for key in keys { try store.link(index, in: entity, owner: object.key, member: key, order: nil) }
      }
      if entity.properties[index].relationship?.isOrdered == true {
        try store.setOrder(index, in: entity, owner: object.key, members: keys)
      }
    }
  }

  func stored(_ name: String, _ predicate: Queries.Predicate) throws -> (yes: [Int64], no: [Int64]) {
    var request = FetchRequest(entity(name))
    request.predicate = predicate
    let yes = try store.keys(request).sorted()
    request.predicate = .not(predicate)
    return (yes, try store.keys(request).sorted())
  }

  /// In what the two differ; nil where they agree, and for what the check refuses.
  func difference(_ predicate: Queries.Predicate, _ name: String = "Thing") -> String? {
    do { try predicate.check(in: twins.sample.entity(name), for: .evaluation) } catch { return nil }
    do {
      let (memory, stored) = (try twins.memory(name, predicate), try stored(name, predicate))
      if memory.yes != stored.yes { return "\(predicate): memory \(memory.yes), PostgreSQL \(stored.yes)" }
      if memory.no != stored.no { return "NOT \(predicate): memory \(memory.no), PostgreSQL \(stored.no)" }
      return nil
    } catch { return "\(predicate): \(error)" }
  }
}
