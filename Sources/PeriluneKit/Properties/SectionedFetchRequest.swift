public import Foundation
public import Reactive

/// A property with the live sections of a request's objects, fetched from the context of the environment.
///
///     @SectionedFetchRequest<String, Quake>(
///       sectionIdentifier: \.country, sortDescriptors: [SortDescriptor(\.country), SortDescriptor(\.time)])
///     private var countries: SectionedFetchResults<String, Quake>
///     for country in countries { print(country.id, country.count) }
///
/// If the key path is a property of the model, the store groups: the section identifier is the first sort key, and an
/// order that would split sections is the property's error. If it is a computed property of the class, the program
/// groups: every object of the results is read once, and again when it changes, and a section stands where its first
/// object does. For many objects store the value, or let the model derive it.
@propertyWrapper
public struct SectionedFetchRequest<SectionIdentifier: AttributeValue & Hashable, Object: ManagedObject>:
  DynamicProperty
{
  private let property: FetchedProperty<Object>

  /// Creates a property with the objects for which a predicate is true, in sections by a property of the class.
  public init(
    sectionIdentifier: KeyPath<Object, SectionIdentifier>, sortDescriptors: [SortDescriptor<Object>],
    predicate: NSPredicate? = nil, animation: Animation? = nil, transaction: Transaction? = nil
  ) {
    var configuration = FetchRequest<Object>.Configuration()
    configuration.sortDescriptors = sortDescriptors
    configuration.nsPredicate = predicate
    configuration.section = SectionRule(sectionIdentifier)
    self.init(configuration, animation, transaction)
  }

  /// Creates a property with the objects for which a predicate is true, in sections by a property of the class. `entity`
  /// is that of the class.
  @_disfavoredOverload
  public init(
    entity: NSEntityDescription = Object.entity(), sectionIdentifier: KeyPath<Object, SectionIdentifier>,
    sortDescriptors: [NSSortDescriptor], predicate: NSPredicate? = nil, animation: Animation? = nil,
    transaction: Transaction? = nil
  ) {
    var configuration = FetchRequest<Object>.Configuration()
    configuration.nsSortDescriptors = sortDescriptors
    configuration.nsPredicate = predicate
    configuration.section = SectionRule(sectionIdentifier)
    self.init(configuration, animation, transaction, entityName: entity.name)
  }

  /// Creates a property with the objects that a request selects, in sections by a property of the class.
  public init(
    fetchRequest: NSFetchRequest<Object>, sectionIdentifier: KeyPath<Object, SectionIdentifier>,
    animation: Animation? = nil, transaction: Transaction? = nil
  ) {
    var configuration = fetchRequest.configuration
    configuration.section = SectionRule(sectionIdentifier)
    self.init(configuration, animation, transaction, entityName: fetchRequest.entityName)
  }

  /// Creates a property with the objects for which a condition is true, in sections by the values of an expression:
  /// `"year(time)"`, `"country.name"`.
  public init(
    sectionExpression: String, where predicate: FetchPredicate<Object>? = nil,
    sortDescriptors: [SortDescriptor<Object>] = [], animation: Animation? = nil, transaction: Transaction? = nil
  ) {
    var configuration = FetchRequest<Object>.Configuration()
    configuration.predicate = predicate
    configuration.sortDescriptors = sortDescriptors
    configuration.section = .expression(sectionExpression)
    self.init(configuration, animation, transaction)
  }

  private init(
    _ configuration: FetchRequest<Object>.Configuration, _ animation: Animation?, _ transaction: Transaction?,
    entityName: String? = nil
  ) {
    property = FetchedProperty(configuration, animation, transaction, entityName: entityName)
  }

  /// The sections; empty if the objects could not be fetched, and `error` says why.
  public var wrappedValue: SectionedFetchResults<SectionIdentifier, Object> { SectionedFetchResults(property) }

  /// A binding to the configuration; its members are bindings to the parts: `$countries.sortDescriptors`.
  public var projectedValue: Binding<Configuration> {
    let results = wrappedValue
    return Binding(get: { results.configuration }, set: { results.configuration = $0 })
  }

  /// Fetches from the environment's context, unless that is done.
  public func update() { property.update() }

  /// The part of a request that can change while its sections are live: the section identifier, and the parts of a
  /// `FetchRequest.Configuration`. Set both where the order must agree with the sections.
  @dynamicMemberLookup
  public struct Configuration {
    var base: FetchRequest<Object>.Configuration

    /// The property whose value the objects of a section share; nil for an expression.
    public var sectionIdentifier: KeyPath<Object, SectionIdentifier>? {
      get { base.section?.keyPath(of: Object.self) as? KeyPath<Object, SectionIdentifier> }
      set { if let newValue { base.section = SectionRule(newValue) } }
    }

    /// The expression whose value the objects of a section share, such as `year(time)`; nil for a computed property.
    public var sectionExpression: String? {
      get { base.section?.text }
      set { if let newValue { base.section = .expression(newValue) } }
    }

    /// A part that requests without sections have, too.
    public subscript<Value>(
      dynamicMember keyPath: WritableKeyPath<FetchRequest<Object>.Configuration, Value>
    ) -> Value {
      get { base[keyPath: keyPath] }
      set { base[keyPath: keyPath] = newValue }
    }
  }
}
