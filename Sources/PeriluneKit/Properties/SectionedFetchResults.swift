public import Foundation
internal import LiveQueries
internal import ObjectGraph
public import Reactive

/// The live sections of a fetched property.
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
    let rows: FetchedSection
    let context: ManagedObjectContext

    /// The value that the objects share; the type's placeholder if it is of another type.
    public var id: SectionIdentifier { SectionIdentifier(attributeValue: rows.id) ?? SectionIdentifier.placeholder }
    /// The first index: 0.
    public var startIndex: Int { 0 }
    /// The index after the last object.
    public var endIndex: Int { rows.endIndex }
    /// The object at `index` of the section.
    public subscript(index: Int) -> Object { context.object(rows[index], as: Object.self) }
  }

  /// The first index: 0.
  public var startIndex: Int { 0 }
  /// The index after the last section.
  public var endIndex: Int { context == nil ? 0 : sections.endIndex }

  /// The section at `index`, from 0.
  public subscript(index: Int) -> Section {
    guard let context else { preconditionFailure("there is no section at \(index)") }
    return Section(rows: sections[index], context: context)
  }

  // MARK: What is fetched

  /// Selects the objects; nil for all.
  public var predicate: FetchPredicate<Object>? {
    get { property.configuration.predicate }
    nonmutating set { property.configuration.predicate = newValue }
  }

  /// The predicate as Foundation's class; nil for all objects. Each read creates one.
  public var nsPredicate: NSPredicate? {
    get { property.configuration.nsPredicate }
    nonmutating set { property.configuration.nsPredicate = newValue }
  }

  /// The sort order, most important key first.
  public var sortDescriptors: [SortDescriptor<Object>] {
    get { property.configuration.sortDescriptors }
    nonmutating set { property.configuration.sortDescriptors = newValue }
  }

  /// The sort order as Foundation's class, most important key first.
  public var nsSortDescriptors: [NSSortDescriptor] {
    get { property.configuration.nsSortDescriptors }
    nonmutating set { property.configuration.nsSortDescriptors = newValue }
  }

  /// The property whose value the objects of a section share, stored or computed; nil for an expression.
  public var sectionIdentifier: KeyPath<Object, SectionIdentifier>? {
    get { configuration.sectionIdentifier }
    nonmutating set { configuration.sectionIdentifier = newValue }
  }

  /// The expression whose value the objects of a section share, such as `year(time)`; nil for a computed property.
  public var sectionExpression: String? {
    get { configuration.sectionExpression }
    nonmutating set { configuration.sectionExpression = newValue }
  }

  /// The configuration; setting it fetches once, and reports one change to observers.
  public var configuration: SectionedFetchRequest<SectionIdentifier, Object>.Configuration {
    get { SectionedFetchRequest.Configuration(base: property.configuration) }
    nonmutating set { property.configuration = newValue.base }
  }

  /// The error of the last fetch; nil if it succeeded.
  public var error: (any Error)? { property.live.error }

  // MARK: Changes

  /// Calls `body` for each change, after the save or at the end of the turn that made it.
  public func onChange(_ body: @escaping (ResultsChange) -> Void) -> ObservationToken { property.live.onChange(body) }

  /// The changes from now on, for `for await`. The stream ends when the results are closed.
  public var changes: AsyncStream<ResultsChange> { property.live.changes }

  /// The whole results after each change from now on. The sequence ends when the results are closed. `changes` says what
  /// is different, which costs less than to compare.
  public var publisher: some AsyncSequence<SectionedFetchResults<SectionIdentifier, Object>, Never> {
    let property = property
    return ValueSequence(property.live.changes) { SectionedFetchResults<SectionIdentifier, Object>(property) }
  }

  /// Closes the results: the sections stay as they are, observers are not called any more, streams end.
  public func close() { property.live.close() }
}
