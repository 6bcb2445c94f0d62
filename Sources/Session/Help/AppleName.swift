/// A name of SwiftUI, Core Data or SwiftData that has another one here, for help.
///
///     AppleName.named("NSFetchedResultsController")?.ours       // ["live", "SectionedFetchRequest"]
///
/// To add one, add it to `all`. Names that are the same here are in the catalog.
package struct AppleName {
  /// The names that mean it, the first one as the title.
  package let names: [String]
  /// Its counterpart here.
  package let text: String
  /// The entries of the catalog, by name or by title, that help goes on with.
  package let ours: [String]

  private init(_ names: String, _ text: String, _ ours: String...) {
    self.names = names.split(separator: " ").map(String.init)
    self.text = text
    self.ours = ours
  }

  /// The entry for a name as Swift writes it, with or without `@` and `$`; capitals do not matter where there is no other.
  package static func named(_ name: String) -> AppleName? {
    let word = String(name.drop { $0 == "@" || $0 == "$" })
    let lowered = word.lowercased()
    return all.first { $0.names.contains(word) }
      ?? all.first { $0.names.contains { $0.lowercased() == lowered } }
  }

  /// All of them.
  package static let all = values + observation + results + requests + contexts + models

  private static let values = [
    AppleName(
      "wrappedValue", "The value of a property wrapper. A state, a binding and a stored value have it as .value.",
      "State", "Binding.value"),
    AppleName(
      "projectedValue", "What $name is in Swift. Here a method makes the binding: state:binding(), results:binding().",
      "State:binding", "FetchedResults:binding"),
  ]

  private static let observation = [
    AppleName(
      "ObservableObject StateObject ObservedObject EnvironmentObject Published objectWillChange",
      "An object whose properties are observed. Here a table becomes one, each of its fields is observed by itself, and effects and onChange run again when what they read changes.",
      "Observable", "Bindable", "onChange"),
    AppleName(
      "onReceive sink assign AnyCancellable Publisher",
      "A subscription. Here onChange gives a token, and token:cancel() ends it.", "onChange", "ObservationToken.cancel"),
    AppleName(
      "EnvironmentValues environment EnvironmentKey", "Values for the code that runs within a function.",
      "Environment.with", "Environment.define"),
    AppleName("UserDefaults", "Values that last from run to run.", "AppStorage", "SceneStorage"),
    AppleName("PreferenceKey", "Values that code within a function hands to what called it.", "Preference"),
  ]

  private static let results = [
    AppleName(
      "NSFetchedResultsController NSFetchedResultsControllerDelegate controllerDidChangeContent",
      "Results that follow the store. Here a request becomes live, and onChange gets what was inserted, deleted, updated and moved.",
      "Request:live", "FetchedResults:onChange"),
    AppleName(
      "sectionNameKeyPath NSFetchedResultsSectionInfo SectionedFetchResults sectionBy",
      "Sections of results, by a key path or an expression.", "SectionedFetchRequest"),
    AppleName(
      "NSPersistentHistoryChangeRequest NSPersistentHistoryToken NSPersistentHistoryTransaction fetchHistory",
      "What was changed, by whom and when.", "Store:history"),
    AppleName(
      "NSPersistentStoreRemoteChange", "Changes of other programs and connections.", "Store:on"),
    AppleName(
      "NSManagedObjectContextDidSave NSManagedObjectContextObjectsDidChange NotificationCenter",
      "Events of a context.", "Context:on"),
  ]

  private static let requests = [
    AppleName(
      "NSFetchRequest FetchDescriptor", "A request, in one table or chained: Quake:where(...):sorted(...):limit(...).",
      "FetchRequest", "Entity:where"),
    AppleName(
      "NSPredicate NSCompoundPredicate NSComparisonPredicate",
      "A condition in the same format language; & | ~ join conditions. #Predicate is read, too.", "Predicate"),
    AppleName("NSExpression NSExpressionDescription", "A value of each object, or of groups.", "Expression"),
    AppleName(
      "NSSortDescriptor", "A key that results are sorted by; \"-time\" is short for the reverse.", "SortDescriptor"),
    AppleName(
      "NSBatchInsertRequest", "Rows written at once, past contexts.", "Entity:batchInsert"),
    AppleName("NSBatchUpdateRequest", "Rows changed at once, past contexts.", "Entity:batchUpdate"),
    AppleName("NSBatchDeleteRequest", "Rows deleted at once, with delete rules.", "Entity:batchDelete"),
    AppleName(
      "NSAsynchronousFetchRequest", "Nothing runs in the background here; each() reads a request row by row.",
      "Request:each"),
  ]

  private static let contexts = [
    AppleName(
      "NSManagedObjectContext ModelContext viewContext mainContext",
      "The context with the objects in memory; context is that of the store of the globals.", "Context", "newContext"),
    AppleName(
      "NSPersistentContainer NSPersistentCloudKitContainer ModelContainer NSPersistentStoreCoordinator loadPersistentStores",
      "The store; open gives it, with its main context.", "open"),
    AppleName(
      "performBackgroundTask newBackgroundContext ModelActor", "Another context of the same store, in the same thread.",
      "Store:newContext", "edit"),
    AppleName(
      "UndoManager NSUndoManager undoManager", "Undo is the context's own; saves are undone by the store.",
      "Context:undo", "Store:undoSave"),
    AppleName(
      "existingObject registeredModel model(for:)", "An object by its ID or by its key; nil without a row.",
      "Entity:find"),
    AppleName("mergePolicy NSMergePolicy", "What a save does where others have changed the same rows.", "mergePolicy"),
  ]

  private static let models = [
    AppleName(
      "NSManagedObject PersistentModel ManagedObject",
      "An object of an entity: Quake { code = \"us1\" } makes one, and its properties are its fields.", "Object"),
    AppleName(
      "NSManagedObjectModel Schema", "The model of a store, or a new one from declarations or a file.", "Model",
      "loadModel"),
    AppleName("NSEntityDescription", "An entity of a model.", "Entity"),
    AppleName(
      "NSAttributeDescription", "An attribute is a type word in an entity: String, Date { indexed = true }.",
      "Attribute"),
    AppleName("NSRelationshipDescription", "A relationship of an entity.", "ToOne", "ToMany"),
    AppleName("NSManagedObjectID PersistentIdentifier persistentModelID", "The identity of an object.", "objectID"),
    AppleName(
      "SchemaMigrationPlan MigrationStage NSMappingModel NSEntityMigrationPolicy",
      "A store is migrated where it is opened with a changed model.", "migrationPlan", "open"),
  ]
}
