public import LiveQueries
public import Modeling
public import ObjectGraph
public import Plots
public import Queries

/// A Lua value in the engine's terms, for programs that display values themselves.
public enum EngineValue {
  case object(ManagedObject)
  case entity(Entity, ObjectContext)
  case request(FetchRequest, ObjectContext)
  case result(FetchResult)
  /// Live objects; with a listing of sections if the elements are sections.
  case live(FetchedResults, sections: Listing?)
  /// The live objects of a section, by their range in the results.
  case section(FetchedResults, Range<Int>)
  /// The members of a to-many relationship.
  case collection([ManagedObject], Entity)
  /// An attribute value: a date, a decimal, null.
  case value(Value)
  case predicate(Predicate)
  case model(Model)
  case plot(Plot)
  /// Rows of plain values, made on demand.
  case listing(Listing)
  /// Everything else: plain Lua values, stores, contexts.
  case other
}
