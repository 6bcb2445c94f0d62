public import Foundation
public import Reactive

/// A property that holds the sections of the objects that a request selects, kept true, from the context of the environment.
///
///     @SectionedFetched(sectionIdentifier: \.country, sortDescriptors: [SortDescriptor(\.country), SortDescriptor(\.time)])
///     var countries: SectionedFetchResults<String?, Quake>
///     for country in countries { print(country.id ?? "at sea", country.count) }
///
/// It is SwiftUI's `@SectionedFetchRequest`, and goes by that name too. The section identifier leads the order; an order that
/// would tear sections apart is the property's error.
@propertyWrapper
public struct SectionedFetched<SectionIdentifier: AttributeValue & Hashable, Object: ManagedObject> {
  private let property: FetchedProperty<Object>

  /// The objects for which a predicate is true, by the value of a property.
  public init(
    sectionIdentifier: KeyPath<Object, SectionIdentifier>, sortDescriptors: [SortDescriptor<Object>] = [],
    predicate: FetchPredicate<Object>? = nil, animation: String? = nil
  ) {
    var configuration = FetchedConfiguration(predicate: predicate, sortDescriptors: sortDescriptors)
    configuration.section = Result { try Object.propertyName(of: sectionIdentifier) }
    property = FetchedProperty(configuration, animation: animation)
  }

  /// The objects for which a predicate is true, by the value of an expression: `"year(time)"`.
  public init(
    sectionIdentifier expression: String, sortDescriptors: [SortDescriptor<Object>] = [],
    predicate: FetchPredicate<Object>? = nil, animation: String? = nil
  ) {
    var configuration = FetchedConfiguration(predicate: predicate, sortDescriptors: sortDescriptors)
    configuration.section = .success(expression)
    property = FetchedProperty(configuration, animation: animation)
  }

  /// The sections; none where the objects could not be fetched, and `error` says why.
  public var wrappedValue: SectionedFetchResults<SectionIdentifier, Object> { SectionedFetchResults(property) }

  /// A binding to the configuration, and by its members to the parts: `$countries.sortDescriptors`.
  public var projectedValue: Binding<FetchedConfiguration<Object>> { property.binding }
}

/// `@SectionedFetched` under the name of SwiftUI.
public typealias SectionedFetchRequest<SectionIdentifier: AttributeValue & Hashable, Object: ManagedObject> =
  SectionedFetched<SectionIdentifier, Object>
