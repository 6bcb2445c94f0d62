import Foundation
import PeriluneKit
import TestSupport
import Testing

@Suite struct PersistentContainerTests {
  @Test func aStoreThatLacksWhatTheClassesNeedIsRefusedWithAllOfIt() throws {
    let folder = try TemporaryFolder()
    _ = try PersistentContainer(folder.file("a.store"), for: EverythingSchema.self)
    let error = #expect(throws: PeriluneError.self) {
      try PersistentContainer(folder.file("a.store"), for: OtherSchema.self)
    }
    #expect(
      error?.fact
        == .unfit([
          .unknownProperty("hole", entity: "Part", nearest: "whole"),
          .otherType(property: "number", entity: "Part", declared: "String", model: "Integer64"),
          .otherType(property: "whole", entity: "Part", declared: "Array<Thing>", model: "to-one Thing"),
          .unknownEntity("Parson", nearest: "Person"),
        ]))
  }

  @Test func optionsSayWhatMayBeDone() throws {
    let folder = try TemporaryFolder()
    var options = PersistentContainer.Options()
    options.createsStore = false
    #expect(throws: (any Error).self) {
      try PersistentContainer(folder.file("a.store"), for: EverythingSchema.self, options: options)
    }
    _ = try PersistentContainer(folder.file("a.store"), for: EverythingSchema.self)
    options.isReadOnly = true
    let context = try PersistentContainer(
      url: URL(filePath: folder.file("a.store")), for: EverythingSchema.self, options: options
    ).viewContext
    let part = Part(context: context)
    part.number = 3
    #expect(part.isDeleted && !part.isInserted && part.number == nil && !context.hasChanges)
    #expect(throws: (any Error).self) { try context.save() }
    try context.save()
    #expect(try context.count(Part.self) == 0)
  }

  @Test func anOlderStoreIsMigratedWhereThatIsAskedFor() throws {
    let folder = try TemporaryFolder()
    _ = try PersistentContainer(folder.file("a.store"), for: SmallSchema.self)
    #expect(throws: PeriluneError.self) { try PersistentContainer(folder.file("a.store"), for: EverythingSchema.self) }
    var options = PersistentContainer.Options()
    options.migratesStore = true
    let container = try PersistentContainer(folder.file("a.store"), for: EverythingSchema.self, options: options)
    #expect(try container.viewContext.count(Thing.self) == 0)
  }

  @Test func aSaveIsAllOrNothingAndUndone() throws {
    let context = try PersistentContainer(":memory:", for: EverythingSchema.self).viewContext
    let part = Part(context: context)
    try context.save()
    #expect(throws: CancellationError.self) {
      try context.transaction {
        part.number = 4
        throw CancellationError()
      }
    }
    #expect(part.number == nil && !context.hasChanges)
    try context.transaction { part.number = 5 }
    #expect(part.number == 5 && !context.hasChanges && context.canUndo)
    #expect(try context.undo())
    #expect(part.number == nil && context.updatedObjects == [part])
    #expect(try context.redo())
    try context.rollback()
    #expect(!context.hasChanges && part.number == 5)
    #expect(try context.existingObject(with: part.objectID) === part)
  }
}

/// Classes that the store does not have.
private enum OtherSchema: ModelSchema {
  final class Part: ManagedObject {
    var number: String { self["number"] }
    var whole: [Thing] { self["whole"] }
    var hole: Int { self["hole"] }
    override class var entityName: String { "Part" }
    override class var propertyNames: PropertyNames { names }
    private static let names = PropertyNames {
      $0.add("number", \Part.number)
      $0.add("whole", \Part.whole)
      $0.add("hole", \Part.hole)
    }
  }
  final class Parson: ManagedObject {}
  static let classes: [ManagedObject.Type] = [Part.self, Parson.self]
  static let model = EverythingSchema.model
}

/// An earlier model.
private enum SmallSchema: ModelSchema {
  static let classes: [ManagedObject.Type] = []
  static let model = #"{"entities":[{"name":"Part","properties":[{"name":"number","type":"Integer64"}]}],"version":1}"#
}
