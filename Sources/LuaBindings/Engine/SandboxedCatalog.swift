/// The functions and members that scripts have in the sandbox.
///
/// Functions in neither list are refused. To allow a new function, make sure that it accesses only its arguments, the
/// open stores and standard output, and add it here. SandboxedCatalogTests reports functions that are in no list.
enum SandboxedCatalog {
  /// The refused functions and members, with the reason.
  static let refused: [String: String] = [
    "import": noFiles,
    "loadModel": noFiles,
    "Plot.save": noFiles,
    "Store.backup": noFiles,
    "Store.doctor": "it looks at files beside the store, and at processes",
  ]

  private static let noFiles = "scripts have no files in it"

  /// The allowed functions and members, by owner; "" has the globals. `open` accepts only `:memory:`.
  static let allowed: [String: Set<String>] = [
    "": [
      "AppStorage", "Bindable", "Binding", "Bool", "Composite", "Data", "Date", "Decimal", "Derived", "Double",
      "DynamicProperty", "Entity", "Environment", "Expression", "FetchRequest", "FetchedProperty", "Float",
      "HistoryObserver",
      "Int", "Integer16", "Integer32", "Integer64", "Model", "Namespace", "Observable", "Predicate", "Preference",
      "Query", "ResultsObserver",
      "SceneStorage", "SectionedFetchRequest", "SortDescriptor", "State", "String", "ToMany", "ToOne",
      "Transformable", "URL", "UUID", "after", "decodeJSON", "edit", "effect", "encodeJSON", "every", "onChange",
      "open", "plot", "redo",
      "rollback",
      "runLoop", "save",
      "stopLoop", "undo", "use", "withAnimation", "withObservationTracking", "withTransaction",
    ],
    "Binding": ["animation", "at", "constant", "default", "map", "onChange", "unwrapped", "value"],
    "Change": [
      "animation", "deleted", "deletedSections", "inserted", "insertedSections", "isReload", "kind", "moved",
      "transaction", "updated", "updatedSections",
    ],
    "Collection": [
      "add", "aggregate", "average", "contains", "count", "each", "exists", "explain", "facets", "fetch", "first",
      "groupBy",
      "grouped",
      "indexOf", "insert", "limit", "list", "live", "max", "min", "move", "offset", "page", "pivot", "plot", "remove",
      "sorted",
      "sum", "summary", "where",
    ],
    "Context": [
      "automaticallyMergesChangesFromParent", "autosave", "beginUndoGrouping", "canRedo", "canUndo",
      "deletedObjects", "diff", "endUndoGrouping", "entities", "hasChanges", "insertedObjects", "levelsOfUndo",
      "mergeChanges", "mergePolicy", "name", "newChild", "on", "parent", "perform", "performAndWait",
      "processPendingChanges", "recordsStatistics", "redo", "refreshAllObjects", "registeredObjects", "reset",
      "rollback", "save", "shouldDeleteInaccessibleFaults", "statistics", "store", "transaction",
      "transactionAuthor", "undo", "undoGroup", "updatedObjects",
    ],
    "Date": ["day", "format", "hour", "minute", "month", "second", "timestamp", "weekday", "year"],
    "Decimal": ["toNumber"],
    "Effect": ["cancel", "isActive"],
    "Entity": [
      "aggregate", "all", "average", "batchDelete", "batchInsert", "batchUpdate", "computed", "context", "count",
      "each",
      "exists", "explain", "facets", "fetch", "find", "first", "groupBy", "grouped", "limit", "live", "max", "min",
      "name",
      "offset", "on", "page", "pivot", "plot", "sorted", "sum", "summary", "template", "where",
    ],
    "Environment": ["define", "managedObjectContext", "with"],
    "Error": ["details", "kind", "message", "position"],
    "FetchedResults": [
      "animation", "binding", "close", "columns", "configuration", "configure", "each", "explain", "facets",
      "fetchBatchSize",
      "fetchLimit", "fetchOffset", "filter", "filterBy", "havingPredicate", "includesPendingChanges",
      "includesPropertyValues", "includesSubentities", "indexOf", "isClosed", "limit", "nsPredicate",
      "nsSortDescriptors", "objectIDs", "objects", "offset", "onChange", "order", "predicate", "propertiesToFetch",
      "propertiesToGroupBy", "relationshipKeyPathsForPrefetching", "request", "results", "returnsDistinctResults",
      "returnsObjectsAsFaults", "section", "sectionBy", "sectionIdentifier", "sectionValues", "sections",
      "shouldRefreshRefetchedObjects", "slice", "sort", "sortBy", "sortDescriptors",
    ],
    "FetchedValues": [
      "animation", "binding", "close", "columns", "configuration", "configure", "count", "each", "explain",
      "fetchBatchSize", "fetchLimit", "fetchOffset", "filter", "filterBy", "havingPredicate",
      "includesPendingChanges", "includesPropertyValues", "includesSubentities", "isClosed", "limit", "nsPredicate",
      "nsSortDescriptors", "offset", "onChange", "order", "predicate", "propertiesToFetch", "propertiesToGroupBy",
      "relationshipKeyPathsForPrefetching", "request", "returnsDistinctResults", "returnsObjectsAsFaults",
      "sectionBy", "sectionIdentifier", "sectionValues", "shouldRefreshRefetchedObjects", "slice", "sort", "sortBy",
      "sortDescriptors",
      "value",
    ],
    "History": ["each", "first", "last", "swift"],
    "HistoryChange": ["entity", "entityName", "kind", "object", "objectID", "properties", "tombstone"],
    "HistoryObserver": ["close", "eventCounter", "historyToken", "onChange"],
    "Hook": [
      "awakeFromInsert", "didSave", "prepareForDeletion", "validate", "validateForDelete", "validateForInsert",
      "validateForUpdate", "validateProperty", "willSave",
    ],
    "MigrationPlan": ["losses", "obstacles", "steps"],
    "Model": ["difference", "entityNames", "fetchRequest", "source", "templateNames", "version"],
    "Namespace": ["id", "readers", "resolve", "tag", "untag"],
    "Object": [
      "changedValues", "committedValues", "context", "delete", "entity", "hasChanges", "isDeleted", "isFault",
      "isInserted", "isUpdated", "objectID", "observe", "references", "refresh", "set", "tree", "validate",
      "value",
    ],
    "ObjectID": ["entityName", "isTemporary", "uri"],
    "ObservationToken": ["cancel"],
    "Plot": ["close", "isLive", "live", "onChange", "svg", "text", "vegaLite"],
    "Expression": ["bind", "evaluate", "format", "swift"],
    "Predicate": ["bind", "check", "counts", "evaluate", "explain", "format", "parity", "swift", "why"],
    "Preference": ["collect", "define", "set"],
    "Request": [
      "aggregate", "animation", "average", "bind", "check", "count", "counts", "delete", "diff", "each", "entity",
      "exists",
      "explain", "facets", "fetch", "fetchBatchSize", "fetchLimit", "fetchOffset", "first", "groupBy", "grouped",
      "having",
      "havingPredicate", "includesPendingChanges", "includesPropertyValues", "includesSubentities", "limit", "live",
      "max", "min", "nsPredicate", "nsSortDescriptors", "offset", "page", "parity", "pivot", "plot", "predicate",
      "propertiesToFetch",
      "propertiesToGroupBy", "relationshipKeyPathsForPrefetching", "resultType", "returnsDistinctResults",
      "returnsObjectsAsFaults", "sectionIdentifier", "sectionValues", "shouldRefreshRefetchedObjects",
      "sortDescriptors", "sorted",
      "sum", "summary", "swift", "tryIndex", "update", "where", "why", "with",
    ],
    "Result": ["each", "indexOf", "slice"],
    "Section": ["each", "id", "index", "indexOf", "name", "slice", "values"],
    "Sections": ["each"],
    "SortDescriptor": ["comparator", "keyPath", "order"],
    "State": ["binding", "onChange", "value"],
    "Storage": ["binding", "onChange", "value"],
    "Store": [
      "close", "context", "copy", "counterpart", "deleteHistory", "entities", "fetchRequest", "history",
      "historyEnabled", "historyToken", "isClosed", "isReadOnly", "kind", "migration", "migrationPlan", "model",
      "newContext", "notes", "on", "path", "redoSave", "sql", "undoSave", "verify",
    ],
    "Transaction": ["author", "bundleID", "changes", "context", "processID", "processName", "time", "token"],
  ]

  static func isAllowed(owner: String, _ name: String) -> Bool { allowed[owner]?.contains(name) ?? false }

  static func key(owner: String, _ name: String) -> String { owner.isEmpty ? name : "\(owner).\(name)" }
}

extension Engine {
  /// The reason why the sandbox, if this is one, refuses a function or a member; nil if it does not.
  func sandboxRefusal(owner: String, _ name: String) -> RefusedInSandbox? {
    guard options.isSandboxed, !SandboxedCatalog.isAllowed(owner: owner, name) else { return nil }
    return RefusedInSandbox("", reason: SandboxedCatalog.refused[SandboxedCatalog.key(owner: owner, name)])
  }
}
