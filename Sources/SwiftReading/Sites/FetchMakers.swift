/// The names of what fetches objects.
enum FetchMakers {
  /// The property wrappers.
  static let wrappers: Set<String> = ["FetchRequest", "SectionedFetchRequest", "Query"]

  /// The types of requests, whose generic argument, where they have one, is the class of the objects.
  static let requests: Set<String> = [
    "NSFetchRequest", "FetchRequest", "SectionedFetchRequest", "FetchDescriptor", "Query", "ResultsObserver",
    "NSBatchUpdateRequest",
  ]

  /// All types whose last generic argument is the class of the objects.
  static let results: Set<String> = requests.union([
    "FetchedResults", "SectionedFetchResults", "NSFetchedResultsController", "Array",
  ])

  /// Classes of requests that do not say what is fetched.
  static let unspecific: Set<String> = [
    "NSFetchRequestResult", "NSManagedObject", "NSDictionary", "NSManagedObjectID", "NSNumber", "Any", "AnyObject", "T",
    "Element", "Entity", "Model", "Object", "Result", "ResultType",
  ]

  /// The properties of requests that conditions and orders are given to.
  static let properties: Set<String> = [
    "predicate", "nsPredicate", "sortDescriptors", "nsSortDescriptors", "sortBy", "propertiesToFetch",
    "propertiesToGroupBy", "havingPredicate", "relationshipKeyPathsForPrefetching",
  ]
}
