public import Foundation
internal import LiveQueries
internal import ObjectGraph
public import Reactive

/// The sections of a fetched property: a collection that is kept true.
///
///     countries[0].id                                      // "Chile"
///     countries[0].map(\.magnitude)
public struct SectionedFetchResults<SectionIdentifier: AttributeValue & Hashable, Object: ManagedObject>:
  RandomAccessCollection
{
  private let property: FetchedProperty<Object>
  private let sections: FetchedSections
  private let context: ManagedObjectContext?

  init(_ property: FetchedProperty<Object>) {
    self.property = property
    let objects = property.live.objects
    sections = objects.sections
    context = objects.context(of: property.live)
  }

  /// The objects of one section.
  public struct Section: RandomAccessCollection, Identifiable {
    fileprivate let rows: FetchedSection
    fileprivate let context: ManagedObjectContext

    /// What the objects have in common; the placeholder of the type where it is of another one.
    public var id: SectionIdentifier { SectionIdentifier(attributeValue: rows.id) ?? SectionIdentifier.placeholder }
    /// The first place: 0.
    public var startIndex: Int { 0 }
    /// The place behind the last.
    public var endIndex: Int { rows.endIndex }
    /// The object at `index` of the section.
    public subscript(index: Int) -> Object { context.object(rows[index], as: Object.self) }
  }

  /// The first place: 0.
  public var startIndex: Int { 0 }
  /// The place behind the last.
  public var endIndex: Int { context == nil ? 0 : sections.endIndex }

  /// The section at `index`, from 0.
  public subscript(index: Int) -> Section {
    guard let context else { preconditionFailure("there is no section at \(index)") }
    return Section(rows: sections[index], context: context)
  }

  // MARK: What is fetched

  /// Which objects; nil for all.
  public var predicate: FetchPredicate<Object>? {
    get { property.configuration.predicate }
    nonmutating set { property.configuration.predicate = newValue }
  }

  /// In which order, the most important key first.
  public var sortDescriptors: [SortDescriptor<Object>] {
    get { property.configuration.sortDescriptors }
    nonmutating set { property.configuration.sortDescriptors = newValue }
  }

  /// What the objects of a section have in common: a property, or an expression such as `"year(time)"`.
  public var sectionIdentifier: String {
    get { property.configuration.sectionIdentifier ?? "" }
    nonmutating set { property.configuration.sectionIdentifier = newValue }
  }

  /// What is fetched, and how; setting it fetches once, and tells observers one change.
  public var configuration: FetchedConfiguration<Object> {
    get { property.configuration }
    nonmutating set { property.configuration = newValue }
  }

  /// What kept the last fetch from succeeding; nil if nothing did.
  public var error: (any Error)? { property.live.error }

  // MARK: Changes

  /// Has `body` told of each change, after the save or at the end of the turn that made it.
  public func onChange(_ body: @escaping (ResultsChange) -> Void) -> ObservationToken { property.live.onChange(body) }

  /// The changes, for `for await`: each from now on, until the results are closed.
  public var changes: AsyncStream<ResultsChange> { property.live.changes }

  /// Ends it: the sections stay as they are, observers are told nothing more, streams end.
  public func close() { property.live.close() }
}
