import Foundation
import Modeling
import TestSupport

/// The copy of its model that the framework keeps in a store.
extension CoreDataFixture {
  /// The statements that make the copy.
  func modelCache() -> [String] {
    let hex = Self.deflated(archivedModel()).map { String(format: "%02X", $0) }.joined()
    return ["CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);", "INSERT INTO Z_MODELCACHE VALUES (X'\(hex)');"]
  }

  private func archivedModel() -> [UInt8] {
    let archive = ArchiveBuilder()
    let entities = Dictionary(uniqueKeysWithValues: model.entities.map { ($0.name, archive.reserve()) })
    for entity in model.entities {
      let properties = own(entity).map { index, property in
        (property.name, archived(property, inverse: entity.inverse(at: index), of: entity, index, archive))
      }
      var fields: [String: ArchiveBuilder.Field] = [
        "NSEntityName": .object(archive.string(entity.name)), "NSProperties": .object(archive.dictionary(properties)),
        "NSIsAbstract": .bool(entity.isAbstract),
      ]
      if let parent = entity.parent.flatMap({ entities[$0.name] }) { fields["NSSuperentity"] = .object(parent) }
      if let reference = entities[entity.name] { archive.fill(reference, "NSEntityDescription", fields) }
    }
    let members = entities.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    return archive.archive(
      root: archive.object("NSManagedObjectModel", ["NSEntities": .object(archive.dictionary(members))]))
  }

  private func archived(
    _ property: Property, inverse: Int?, of entity: Entity, _ index: Int, _ archive: ArchiveBuilder
  ) -> ArchiveBuilder.Reference {
    switch property {
    case .attribute(let attribute): return archived(attribute, archive)
    case .relationship(let relationship):
      var fields: [String: ArchiveBuilder.Field] = [
        "NSPropertyName": .object(archive.string(relationship.name)), "NSIsOptional": .bool(relationship.isOptional),
        "NSIsOrdered": .bool(relationship.isOrdered), "NSIsTransient": .bool(relationship.isTransient),
        "NSMaxCount": .int(relationship.isToMany ? 0 : 1), "NSDeleteRule": .int(1),
        "_NSDestinationEntityName": .object(archive.string(relationship.destination)),
      ]
      if let inverse {
        let name = entity.destination(at: index).properties[inverse].name
        fields["_NSInverseRelationshipName"] = .object(archive.string(name))
      }
      return archive.object("NSRelationshipDescription", fields)
    }
  }

  private func archived(_ attribute: Attribute, _ archive: ArchiveBuilder) -> ArchiveBuilder.Reference {
    let codes: [AttributeType: Int] = [
      .integer16: 100, .integer32: 200, .integer64: 300, .decimal: 400, .double: 500, .float: 600, .string: 700,
      .boolean: 800, .date: 900, .data: 1000, .uuid: 1100, .url: 1200, .transformable: 1800, .composite: 2100,
    ]
    var fields: [String: ArchiveBuilder.Field] = [
      "NSPropertyName": .object(archive.string(attribute.name)), "NSAttributeType": .int(codes[attribute.type] ?? 0),
      "NSIsOptional": .bool(attribute.isOptional), "NSIsTransient": .bool(attribute.isTransient),
      "NSFlagsKey": .int(attribute.allowsExternalBinaryDataStorage ? 4 : 0),
    ]
    guard attribute.type == .composite else { return archive.object("NSAttributeDescription", fields) }
    fields["NSElements"] = .object(archive.list(attribute.elements.map { archived($0, archive) }))
    return archive.object("NSCompositeAttributeDescription", fields)
  }

  /// Bytes as a raw DEFLATE stream that does not compress.
  private static func deflated(_ bytes: [UInt8]) -> [UInt8] {
    stride(from: 0, to: bytes.count, by: 0xFFFF).flatMap { start -> [UInt8] in
      let block = bytes[start..<min(start + 0xFFFF, bytes.count)]
      let (low, high) = (UInt8(block.count & 0xFF), UInt8(block.count >> 8))
      return [start + block.count == bytes.count ? 1 : 0, low, high, ~low, ~high] + block
    }
  }
}
