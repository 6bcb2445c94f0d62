public import Foundation
public import Reactive

/// A property with the live sections of a request's objects, fetched from the context of the environment.
///
///     @SectionedFetched(sectionIdentifier: \.country, sortDescriptors: [SortDescriptor(\.country), SortDescriptor(\.time)])
///     var countries: SectionedFetchResults<String?, Quake>
///     for country in countries { print(country.id ?? "at sea", country.count) }
///
/// It corresponds to SwiftUI's `@SectionedFetchRequest`, and has that name, too. The section identifier is the first
/// sort key; an order that would split sections is the property's error.
@propertyWrapper
public struct SectionedFetched<SectionIdentifier: AttributeValue & Hashable, Object: ManagedObject> {
  private let property: FetchedProperty<Object>

  /// Creates a property with the objects for which a predicate is true, in sections by a property.
  public init(
    sectionIdentifier: KeyPath<Object, SectionIdentifier>, sortDescriptors: [SortDescriptor<Object>] = [],
    predicate: FetchPredicate<Object>? = nil, animation: String? = nil
  ) {
    var configuration = FetchedConfiguration(predicate: predicate, sortDescriptors: sortDescriptors)
    configuration.section = Result { try Object.propertyName(of: sectionIdentifier) }
    property = FetchedProperty(configuration, animation: animation)
  }

  /// Creates a property with the objects for which a predicate is true, in sections by an expression: `"year(time)"`.
  public init(
    sectionIdentifier expression: String, sortDescriptors: [SortDescriptor<Object>] = [],
    predicate: FetchPredicate<Object>? = nil, animation: String? = nil
  ) {
    var configuration = FetchedConfiguration(predicate: predicate, sortDescriptors: sortDescriptors)
    configuration.section = .success(expression)
    property = FetchedProperty(configuration, animation: animation)
  }

  /// The sections; empty if the objects could not be fetched, and `error` says why.
  public var wrappedValue: SectionedFetchResults<SectionIdentifier, Object> { SectionedFetchResults(property) }

  /// A binding to the configuration; its members are bindings to the parts: `$countries.sortDescriptors`.
  public var projectedValue: Binding<FetchedConfiguration<Object>> { property.binding }
}

/// `@SectionedFetched` under SwiftUI's name.
public typealias SectionedFetchRequest<SectionIdentifier: AttributeValue & Hashable, Object: ManagedObject> =
  SectionedFetched<SectionIdentifier, Object>
