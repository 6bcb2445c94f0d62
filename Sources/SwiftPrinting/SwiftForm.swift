/// The forms that a predicate or a request takes in Swift source.
public enum SwiftForm: String, CaseIterable, Hashable, Sendable {
  /// `NSPredicate(format: "magnitude > %@", 5 as NSNumber)`
  case nspredicate
  /// `#Predicate<Quake> { $0.magnitude > 5 }`
  case macro
  /// `let request = NSFetchRequest<Quake>(entityName: "Quake")` and what is set of it
  case nsFetchRequest
  /// `@FetchRequest(sortDescriptors: [...], predicate: ...) private var quakes: FetchedResults<Quake>`
  case fetchRequest
  /// `@SectionedFetchRequest(sectionIdentifier: \.day, ...) private var quakes: SectionedFetchResults<String, Quake>`
  case sectionedFetchRequest
  /// `@Query(filter: #Predicate<Quake> { ... }, sort: \.time) private var quakes: [Quake]`
  case query
  /// `FetchDescriptor<Quake>(predicate: ..., sortBy: [...])`
  case fetchDescriptor
  /// `ResultsObserver<Quake, Never>(filterBy: ..., sortBy: [...], modelContext: modelContext)`
  case resultsObserver
}
