/// A type whose initializers make a request, with the labels that they take.
enum RequestMaker: String {
  case fetchRequest = "FetchRequest"
  case sectionedFetchRequest = "SectionedFetchRequest"
  case query = "Query"
  case fetchDescriptor = "FetchDescriptor"
  case nsFetchRequest = "NSFetchRequest"
  case resultsObserver = "ResultsObserver"
  case fetchedResultsController = "NSFetchedResultsController"

  /// The labels of its arguments, without those for a whole request.
  var labels: [String] {
    switch self {
    case .fetchRequest: ["entity", "sortDescriptors", "predicate", "animation", "transaction"]
    case .sectionedFetchRequest:
      ["entity", "sectionIdentifier", "sortDescriptors", "predicate", "animation", "transaction"]
    case .query: ["filter", "sort", "order", "sectionBy", "animation", "transaction"]
    case .fetchDescriptor: ["predicate", "sortBy"]
    case .nsFetchRequest: ["entityName"]
    case .resultsObserver:
      ["filterBy", "filter", "predicate", "sortBy", "sort", "order", "sectionBy", "modelContext", "context"]
    case .fetchedResultsController: ["managedObjectContext", "sectionNameKeyPath", "cacheName"]
    }
  }

  /// The labels of an argument that is a whole request; nil for none.
  var labelsOfRequest: [String?] {
    switch self {
    case .fetchRequest, .sectionedFetchRequest, .fetchedResultsController: ["fetchRequest"]
    case .query: [nil]
    case .resultsObserver: ["fetchDescriptor", "descriptor", nil]
    case .fetchDescriptor, .nsFetchRequest: []
    }
  }

  /// What makes the request that is given to it.
  var inner: RequestMaker? {
    switch self {
    case .fetchRequest, .sectionedFetchRequest, .fetchedResultsController: .nsFetchRequest
    case .query, .resultsObserver: .fetchDescriptor
    case .fetchDescriptor, .nsFetchRequest: nil
    }
  }

  /// Arguments for the origin of objects; here they have one.
  static let places: Set<String> = ["managedObjectContext", "modelContext", "context", "cacheName"]
}
