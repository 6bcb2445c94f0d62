internal import Modeling
internal import Plots
internal import Queries
internal import Stores

// How the values of the objects that fulfil a predicate are spread.
extension PredicateInquiry {
  /// The attributes that can be plotted.
  var plottableAttributes: [Attribute] {
    entity.properties.compactMap(\.attribute).filter { attribute in
      guard !attribute.isTransient else { return false }
      switch attribute.type {
      case .uuid, .data, .transformable, .composite: return false
      default: return true
      }
    }
  }

  /// The one that is plotted first: the first with numbers or dates.
  var firstPlotted: Int {
    plottableAttributes.firstIndex { $0.type.isNumeric || $0.type == .date } ?? 0
  }

  /// The bars of an attribute, no more than `limit`: those that `plot` makes of it.
  func plot(_ attribute: Attribute, _ predicate: Predicate?, atMost limit: Int) throws -> SpreadOfValues {
    var description = PlotDescription(mark: .bar, x: attribute.name, y: "count", aggregate: .count)
    // One is left for the objects without a value.
    description.bins = max(limit - 1, 2)
    let hasScale = attribute.type.isNumeric || attribute.type == .date
    var builder = PlotBuilder(description, x: hasScale ? try bounds(attribute, predicate) : nil)
    var request = FetchRequest(entity)
    request.predicate = predicate
    request.resultType = .dictionaries
    request.propertiesToFetch = [FetchedColumn(attribute.name, .path(PropertyPath([attribute.name])))]
    let cursor = try context.store.dictionaries(request)
    defer { cursor.close() }
    while try cursor.step() { builder.add(x: cursor.value(0), y: .null) }
    return SpreadOfValues(builder.plot())
  }

  /// The least and the greatest value.
  private func bounds(_ attribute: Attribute, _ predicate: Predicate?) throws -> (Value, Value)? {
    let path = Expression.path(PropertyPath([attribute.name]))
    var request = FetchRequest(entity)
    request.predicate = predicate
    let values = try context.store.aggregate(request, [.call(.min, path), .call(.max, path)])
    return values.count == 2 && !values[0].isNull ? (values[0], values[1]) : nil
  }
}
