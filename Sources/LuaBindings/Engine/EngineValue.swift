public import LiveQueries
public import LuaRuntime
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

extension Engine {
  /// Returns the value at `index` in the engine's terms.
  public func engineValue(at index: Int32, on stack: LuaStack) throws -> EngineValue {
    guard stack.type(at: index) == .userdata else {
      return listing(at: index, on: stack).map { .listing($0) } ?? .other
    }
    if let object = object(at: index, on: stack) { return .object(object) }
    if let entity = classes.object(BoundEntity.self, at: index, on: stack) {
      return .entity(entity.entity, entity.context.objectContext)
    }
    if let request = classes.object(BoundRequest.self, at: index, on: stack) {
      return .request(request.request.inSectionOrder, request.context.objectContext)
    }
    if let result = classes.object(BoundResult.self, at: index, on: stack) { return .result(result.result) }
    if let collection = classes.object(BoundCollection.self, at: index, on: stack) {
      return .collection(try collection.members(), collection.object.entity.destination(at: collection.property))
    }
    if let predicate = classes.object(BoundPredicate.self, at: index, on: stack) {
      return .predicate(predicate.predicate)
    }
    if let model = classes.object(BoundModel.self, at: index, on: stack) { return .model(model.model) }
    if let plot = classes.object(BoundPlot.self, at: index, on: stack) { return .plot(try plot.plot()) }
    if let live = liveValue(at: index, on: stack) { return live }
    if let history = classes.object(BoundHistory.self, at: index, on: stack) { return .listing(history.listing) }
    if let value = try value(at: index, on: stack, place: "") { return .value(value) }
    return .other
  }
}
