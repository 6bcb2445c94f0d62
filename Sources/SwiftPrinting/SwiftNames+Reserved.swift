internal import SwiftParsing

// Names that classes of a model cannot have, as something else has them.
extension SwiftNames {
  /// Types that the printed classes use or that Swift has everywhere: a class of the name would stand in for them.
  static let types: Set<String> = [
    "Any", "AnyObject", "Array", "Attribute", "Bool", "Character", "Codable", "Data", "Date", "Decimal", "Dictionary",
    "Double", "Error", "Float", "Foundation", "Hashable", "Identifiable", "Index", "Int", "Int16", "Int32", "Int64",
    "Model", "NSDecimalNumber", "NSFetchRequest", "NSIndexSet", "NSManagedObject", "NSNumber", "NSObject",
    "NSOrderedSet", "NSSet", "Never", "Optional", "PersistentModel", "Protocol", "Relationship", "Schema", "Self",
    "Set", "String", "Swift", "SwiftData", "Transient", "Type", "UInt", "URL", "UUID", "Unique", "Void",
  ]

  /// Members that a class with `@Model` has, and names that key paths to its properties cannot hold.
  static let modelMembers: Set<String> = [
    "Protocol", "Type", "debugDescription", "description", "hasChanges", "hash", "hashValue", "isDeleted",
    "modelContext", "persistentBackingData", "persistentModelID", "schemaMetadata", "self",
  ]

  /// Types of PeriluneKit that the printed classes use.
  static let kitTypes: Set<String> = types.union([
    "AnyValue", "CompositeElements", "CompositeValue", "ManagedObject", "ModelSchema", "PeriluneKit", "PropertyNames",
  ])

  /// Members of PeriluneKit's ManagedObject, and names that key paths to its properties cannot hold.
  static let typedObjectMembers: Set<String> = [
    "Protocol", "Type", "changedValues", "hasChanges", "hash", "hashValue", "init", "isDeleted", "isFault",
    "isInserted", "isUpdated", "managedObjectContext", "objectID", "predicateValue", "self",
  ]

  /// Members of CompositeValue, and names that key paths to its properties cannot hold.
  static let compositeMembers: Set<String> = [
    "Protocol", "Type", "attributeValue", "elements", "hash", "hashValue", "init", "predicateValue", "self",
  ]

  /// Members of NSManagedObject and its superclasses, which Core Data accepts as no property's name.
  static let managedObjectMembers: Set<String> = [
    "class", "copy", "dealloc", "debugDescription", "description", "entity", "faultingState", "finalize",
    "hasChanges", "hasPersistentChangedValues", "hash", "hashValue", "init", "isDeleted", "isFault", "isInserted",
    "isProxy", "isUpdated", "managedObjectContext", "mutableCopy", "objectID", "observationInfo", "release", "retain",
    "retainCount", "self", "superclass", "zone",
  ]
}
