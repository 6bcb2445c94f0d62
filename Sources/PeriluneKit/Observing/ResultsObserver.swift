public import Foundation
public import LiveQueries
public import Reactive

/// The live objects of a descriptor outside of any view, in the terms of SwiftData.
///
///     let observer = ResultsObserver(FetchDescriptor<Quake>(predicate: \.magnitude > 6), modelContext: context)
///     let token = observer.onChange { change in print(change.inserted.count, "new") }
///     let countries = ResultsObserver(sortBy: [SortDescriptor(\Quake.time)], sectionBy: \.country, modelContext: context)
///     countries.sections[0].id
///
/// It follows the changes of the context, of other contexts and of other programs.
public final class ResultsObserver<Object: ManagedObject, SectionTitle> {
  private let property: FetchedProperty<Object>

  private init(_ configuration: FetchRequest<Object>.Configuration, _ context: ManagedObjectContext) {
    let environment = Reactive.Environment()
    environment.set(\.managedObjectContext, context)
    property = FetchedProperty(configuration, nil, nil, in: environment)
    property.update()
  }

  /// The objects; empty if they could not be fetched, and `fetchError` says why.
  public var results: FetchedResults<Object> { FetchedResults(property) }

  /// The error of the last fetch; nil if it succeeded.
  public var fetchError: (any Error)? { property.live.error }

  /// Calls `body` for each change, after the save or at the end of the turn that made it.
  public func onChange(_ body: @escaping (ResultsChange) -> Void) -> ObservationToken { property.live.onChange(body) }

  /// Ends the observation: the objects stay as they are.
  public func close() { property.live.close() }
}

extension ResultsObserver where SectionTitle == Never {
  /// Observes the objects that a descriptor selects.
  public convenience init(_ descriptor: FetchDescriptor<Object>, modelContext: ManagedObjectContext) {
    self.init(descriptor.configuration, modelContext)
  }

  /// Observes the objects for which a `#Predicate` is true.
  public convenience init(
    filterBy predicate: Predicate<Object>? = nil, sortBy sortDescriptors: [SortDescriptor<Object>] = [],
    modelContext: ManagedObjectContext
  ) {
    self.init(FetchDescriptor(predicate: predicate, sortBy: sortDescriptors), modelContext: modelContext)
  }
}

extension ResultsObserver where SectionTitle: AttributeValue & Hashable {
  /// Observes the objects for which a `#Predicate` is true, in sections by a property.
  public convenience init(
    filterBy predicate: Predicate<Object>? = nil, sortBy sortDescriptors: [SortDescriptor<Object>] = [],
    sectionBy keyPath: KeyPath<Object, SectionTitle>, modelContext: ManagedObjectContext
  ) {
    var configuration = FetchDescriptor(predicate: predicate, sortBy: sortDescriptors).configuration
    configuration.section = SectionRule(keyPath)
    self.init(configuration, modelContext)
  }

  /// The sections.
  public var sections: SectionedFetchResults<SectionTitle, Object> { SectionedFetchResults(property) }
}
