import Modeling

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

/// Declarations for tests of migrations, in few words.
enum Declare {
  static func attribute(_ name: String, _ type: AttributeType, _ change: (inout Attribute) -> Void = { _ in })
    -> Property
  {
    var attribute = Attribute(name, type)
    change(&attribute)
    return .attribute(attribute)
  }

  static func toOne(_ name: String, _ destination: String, _ change: (inout Relationship) -> Void = { _ in })
    -> Property
  {
    var relationship = Relationship(toOne: name, destination)
    change(&relationship)
    return .relationship(relationship)
  }

  static func toMany(_ name: String, _ destination: String, _ change: (inout Relationship) -> Void = { _ in })
    -> Property
  {
    var relationship = Relationship(toMany: name, destination)
    change(&relationship)
    return .relationship(relationship)
  }

  static func entity(
    _ name: String, parent: String? = nil, _ properties: [Property] = [],
    _ change: (inout EntityDescription) -> Void = { _ in }
  ) -> EntityDescription {
    var entity = EntityDescription(name, parent: parent, properties: properties)
    change(&entity)
    return entity
  }
}
