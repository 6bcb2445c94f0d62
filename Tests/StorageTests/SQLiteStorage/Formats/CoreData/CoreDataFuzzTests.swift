import Foundation
import Modeling
import ObjectGraph
import Queries
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

/// Random programs on Core Data stores, each save held against the format's rules and a plain reading of the file.
@Suite(.seeded) struct CoreDataFuzzTests {
  @Test(arguments: 0..<12) func everySaveKeepsTheRules(seed: Int) throws {
    let folder = try TemporaryFolder()
    let histories: [CoreDataFixture.History] = [.none, .plain, .strings]
    let fixture = CoreDataFixture(try CoreDataShapes.library(), history: histories[seed % 3])
    let program = try CoreDataProgram(try fixture.open(try fixture.make(in: folder)), seed: UInt64(seed))
    for step in 0..<25 {
      try program.step()
      let problems = try program.store.verify()
      #expect(problems.isEmpty, "seed \(seed), step \(step): \(problems.prefix(3))")
      if step % 8 == 7 {
        let read = try SQLiteStore(fixture.options(program.store.path, readOnly: true))
        #expect(try CoreDataPicture(read) == program.picture(), "seed \(seed), step \(step)")
      }
    }
  }

  @Test(.enabled(if: RealStore.areThere, "needs ../shared/stores"), arguments: [RealStore.books, .bookmarks5, .cars2])
  func realStoresKeepTheRules(of real: RealStore) throws {
    let folder = try TemporaryFolder()
    let program = try CoreDataProgram(try RealStore.open(try real.copy(into: folder)), seed: 7, most: 200)
    for step in 0..<12 {
      try program.step()
      let problems = try program.store.verify()
      #expect(problems.isEmpty, "step \(step): \(problems.prefix(3))")
    }
    let read = try RealStore.open(program.store.path, readOnly: true)
    #expect(try CoreDataPicture(read) == program.picture())
  }
}

/// Changes objects at random and saves.
private final class CoreDataProgram {
  let store: SQLiteStore
  private let context: ObjectContext
  private var random: SplitMix
  private let most: Int
  private var counter = 0

  init(_ store: SQLiteStore, seed: UInt64, most: Int = 40) throws {
    self.store = store
    self.most = most
    context = ObjectContext(store: store)
    random = SplitMix(seed: seed)
    counter = Int(seed) * 100_000
  }

  /// A few changes and a save, or something that writes by itself.
  func step() throws {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: try batch()
    case 1: try undo()
    default:
      for _ in 0..<Int.random(in: 1...8, using: &random) { try change() }
      do {
        try context.save()
      } catch is GraphError {
        // A mandatory value that the change took away.
        context.rollback()
      }
    }
  }

  func picture() throws -> CoreDataPicture { try CoreDataPicture(store) }

  private var concrete: [Entity] { store.model.entities.filter { !$0.isAbstract } }

  private func object(of entity: Entity) throws -> ManagedObject? {
    var request = FetchRequest(entity)
    request.fetchLimit = most
    let objects = try context.fetch(request)
    guard objects.count > 0 else { return nil }
    return try objects[Int.random(in: 0..<objects.count, using: &random)]
  }

  private func change() throws {
    guard let entity = concrete.randomElement(using: &random) else { return }
    let (existing, dice) = (try object(of: entity), Int.random(in: 0..<10, using: &random))
    guard let object = existing, dice > 2 else {
      let object = try context.insert(entity)
      for index in object.entity.properties.indices where object.entity.properties[index].attribute != nil {
        try setAttribute(object, index)
      }
      return
    }
    if dice == 3 { return try object.delete() }
    guard let index = object.entity.properties.indices.randomElement(using: &random) else { return }
    guard let relationship = object.entity.properties[index].relationship else {
      return try setAttribute(object, index)
    }
    let destination = object.entity.destination(at: index)
    if !relationship.isToMany {
      return try object.setRelated(at: index, to: Bool.random(using: &random) ? self.object(of: destination) : nil)
    }
    var members = try object.members(at: index)
    if Bool.random(using: &random), let other = try self.object(of: destination), !members.contains(other) {
      members.insert(other, at: Int.random(in: 0...members.count, using: &random))
    }
    if relationship.isOrdered { members.shuffle(using: &random) }
    if dice > 7, !members.isEmpty { members.removeLast() }
    try object.setMembers(at: index, members)
  }

  private func setAttribute(_ object: ManagedObject, _ index: Int) throws {
    guard let attribute = object.entity.properties[index].attribute, attribute.isWritable else { return }
    counter += 1
    let value: Value? =
      switch attribute.type {
      case .string: .string("text \(counter)")
      case .integer16, .integer32, .integer64: .int(Int64(counter % 100))
      case .boolean: .bool(counter % 2 == 0)
      case .double: .double(Double(counter) / 4)
      case .date: .date(Timestamp(Double(counter * 1000)))
      case .uuid: .uuid(UUID())
      case .decimal: .decimal(Decimal(counter % 1000) / 4)
      case .url: .url("https://example.com/\(counter)")
      case .data:
        .data([UInt8](repeating: UInt8(counter % 250), count: counter % 7 == 0 ? 150_000 : counter % 90))
      case .composite where attribute.elements.allSatisfy { $0.type == .double }:
        .json(.object(Dictionary(uniqueKeysWithValues: attribute.elements.map { ($0.name, .double(Double(counter))) })))
      case .transformable where attribute.valueTransformerName == nil: .json(.array([.int(Int64(counter))]))
      default: nil
      }
    if let value { try object.setAttribute(at: index, value) }
  }

  private func batch() throws {
    guard let entity = concrete.randomElement(using: &random) else { return }
    let isUnique = { (name: String) in entity.uniquenessConstraints.contains { $0.contains(name) } }
    for (index, property) in entity.properties.enumerated() {
      if let attribute = property.attribute, attribute.type == .string, !attribute.isTransient, attribute.isWritable,
        !isUnique(attribute.name)
      {
        counter += 1
        _ = try store.batchUpdate(FetchRequest(entity), [(index, .string("batch \(counter)"))])
        break
      }
    }
    context.refreshAllObjects()
  }

  private func undo() throws {
    do {
      _ = try store.reverseSave(.undo)
      if Bool.random(using: &random) { _ = try store.reverseSave(.redo) }
    } catch let error as StoreError {
      switch error.fact {
      case .nothingTo, .notUndoable, .changedSince: break
      default: throw error
      }
    }
    context.reset()
  }
}

/// Everything that a store's objects show, as text.
private struct CoreDataPicture: Equatable {
  private var lines: [String] = []

  init(_ store: SQLiteStore) throws {
    let context = ObjectContext(store: store)
    for entity in store.model.entities where entity.parent == nil {
      for object in try context.fetch(FetchRequest(entity)).objectList().sorted(by: {
        $0.objectID.key < $1.objectID.key
      }) {
        lines.append("\(object.entity.name)/\(object.objectID.key) \(try Self.properties(of: object))")
      }
    }
  }

  private static func properties(of object: ManagedObject) throws -> String {
    try object.entity.properties.enumerated().map { index, property in
      guard let relationship = property.relationship else {
        let value = try object.attribute(at: index)
        if case .data(let bytes) = value { return "\(property.name)=\(bytes.count) bytes \(bytes.first ?? 0)" }
        return "\(property.name)=\(value.debugText)"
      }
      if !relationship.isToMany { return "\(property.name)=\(try object.reference(at: index)?.key ?? 0)" }
      let keys = try object.members(at: index).map(\.objectID.key)
      return "\(property.name)=\(relationship.isOrdered ? keys : keys.sorted())"
    }.joined(separator: " ")
  }
}
