/// The name of an enumeration's case without what it holds: of a fact that cannot be compared, or whose values do not matter.
///
///     caseName(GraphError.Fact.abstractEntity("Event"))      // "abstractEntity"
package func caseName(_ value: Any?) -> String? {
  guard let value else { return nil }
  return Mirror(reflecting: value).children.first?.label ?? "\(value)"
}
