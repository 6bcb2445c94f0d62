internal import LuaRuntime
internal import Queries

// The names in SwiftData's `Query` and `ResultsObserver`, and in SwiftUI's configuration, for the same properties.
extension ResultsConfiguration {
  /// The request properties for the names of `Query`.
  static let synonyms: KeyValuePairs = [
    "filter": "predicate", "sort": "sortDescriptors", "sectionBy": "sectionIdentifier", "limit": "fetchLimit",
    "offset": "fetchOffset", "nsPredicate": "predicate", "nsSortDescriptors": "sortDescriptors",
    "filterBy": "predicate", "sortBy": "sortDescriptors",
  ]

  static let queryOptions: [Option] =
    [
      synonym("filter", "The condition on objects, as `predicate`."), sort, order,
      synonym("sectionBy", "The value shared by a section's objects, as `sectionIdentifier`."),
      synonym("filterBy", "The condition on objects, as `predicate`; ResultsObserver's name for it."),
      synonym("sortBy", "The order, as `sortDescriptors`; ResultsObserver's name for it."),
      synonym("limit", "The maximum number of objects, as `fetchLimit`."),
      synonym("offset", "The number of objects skipped at the start, as `fetchOffset`."),
      synonym("nsPredicate", "The condition on objects, as `predicate`."),
      synonym("nsSortDescriptors", "The order, as `sortDescriptors`."),
    ].compactMap(\.self)

  private static func synonym(_ name: String, _ summary: String) -> Option? {
    property(of: name).map { Option($0, named: name, summary) }
  }

  private static func property(of name: String) -> RequestOptions.Option? {
    let other = synonyms.first { $0.key == name }?.value
    return RequestOptions.all.first { $0.name == other }
  }

  private enum Order: String, CaseIterable {
    case forward
    case reverse
  }

  /// The keys before `order` reverses them.
  private static let sort: Option? = property(of: "sort").map { property in
    let plain = Option(property, named: "sort", "The order, as `sortDescriptors`, before `order` reverses it.")
    return Option(name: plain.name, summary: plain.summary) { call, configuration in
      let isReversed = configuration.isReversed
      try plain.read(call, &configuration)
      if isReversed { configuration.turnOrder() }
    } answer: { configuration in
      var configuration = configuration
      if configuration.isReversed { configuration.turnOrder() }
      return plain.answer(configuration)
    }
  }

  private static let order = Option(name: "order", summary: "\"forward\", or \"reverse\" to reverse the sort keys.") {
    call, configuration in
    let order = call.isNothing(1) ? nil : try call.choice(1, Order.self)
    if (order == .reverse) != configuration.isReversed { configuration.turnOrder() }
  } answer: {
    .text(($0.isReversed ? Order.reverse : .forward).rawValue)
  }

  /// Reverses the sort keys.
  private mutating func turnOrder() {
    isReversed.toggle()
    for index in request.sortDescriptors.indices { request.sortDescriptors[index].isAscending.toggle() }
  }
}
