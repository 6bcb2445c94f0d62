package import Modeling
package import ObjectGraph
package import Presentation
package import Queries
internal import Stores

/// The properties of an entity as columns, or what a script asks of each object.
///
/// The properties that a request is about stay longest where not all fit the window, then what people know its objects by.
package struct EntityColumns {
  /// The content of a column.
  package enum Source {
    /// A property, by its index in the entity.
    case property(Int)
    case expression(Queries.Expression)
    case function((ManagedObject) throws -> Cell)
  }

  package let entity: Entity
  package let sources: [Source]
  package let columns: [TabularColumn]
  /// How the values of columns are shown, by their places.
  let formats: [Int: ColumnFormat]

  /// All properties, or what `requests` asks; for data only what has a column of its own: no to-manys.
  ///
  /// - Throws: UnknownColumn for a name that is no property, PredicateError for an expression that the entity cannot answer.
  package init(
    _ entity: Entity, isData: Bool, only requests: [ColumnRequest]? = nil, for request: FetchRequest? = nil
  ) throws {
    self.entity = entity
    let all = entity.properties.indices.filter { index in
      !isData || entity.properties[index].relationship?.isToMany != true
    }
    guard let requests else {
      formats = [:]
      sources = all.map(Source.property)
      let asked = request?.propertiesAskedAbout ?? []
      columns = all.map { index in
        var column = Self.column(index, of: entity)
        if index == entity.titleAttribute { column.standing = .title }
        if asked.contains(column.name) { column.standing = .asked }
        return column
      }
      return
    }
    var sources: [Source] = []
    var columns: [TabularColumn] = []
    for request in requests {
      let source = try Self.source(request.question, of: entity, all)
      var column =
        switch source {
        case .property(let index): Self.column(index, of: entity)
        case .expression(let expression): try Self.column(expression, of: entity)
        case .function: TabularColumn("")
        }
      if let title = request.title { column.name = title }
      sources.append(source)
      columns.append(column)
    }
    self.sources = sources
    self.columns = columns
    let shown = isData ? [] : requests.enumerated().compactMap { place, request in request.format.map { (place, $0) } }
    formats = Dictionary(shown) { first, _ in first }
  }

  /// The properties that are shown, if nothing else is.
  var properties: [Int]? {
    let indices = sources.compactMap { if case .property(let index) = $0 { index } else { nil } }
    return indices.count == sources.count ? indices : nil
  }

  /// The property that a column shows; nil for a question.
  package func property(at place: Int) -> Int? {
    if case .property(let index) = sources[place] { index } else { nil }
  }

  /// Whether a column is a function's, which the store cannot sort by.
  package func isFunction(at place: Int) -> Bool {
    if case .function = sources[place] { true } else { false }
  }

  private static func source(
    _ question: ColumnRequest.Question, of entity: Entity, _ known: [Int]
  ) throws -> Source {
    switch question {
    case .function(let body): return .function(body)
    case .text(let text):
      if let index = known.first(where: { entity.properties[$0].name == text }) { return .property(index) }
      // A word alone is the name of a property.
      if text.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) {
        let names = known.map { entity.properties[$0].name }
        throw UnknownColumn(name: text, owner: entity.name, nearest: nearestName(to: text, in: names))
      }
      let expression = try Queries.Expression.parse(text)
      try expression.check(in: entity, for: .evaluation)
      return .expression(expression)
    }
  }

  private static func column(_ expression: Queries.Expression, of entity: Entity) throws -> TabularColumn {
    guard case .value(let type) = try expression.check(in: entity, for: .evaluation) else {
      return TabularColumn(expression.description)
    }
    return TabularColumn(
      expression.description, type: type.rawValue, alignment: type.isNumeric ? .trailing : .leading)
  }

  private static func column(_ index: Int, of entity: Entity) -> TabularColumn {
    let property = entity.properties[index]
    guard let relationship = property.relationship else {
      let type = property.attribute?.type ?? .any
      var column = TabularColumn(
        property.name, type: type.rawValue, alignment: type.isNumeric ? .trailing : .leading,
        role: property.attribute?.isUnique == true ? .key : .attribute)
      column.elements = property.attribute?.elements ?? []
      return column
    }
    let arrow = relationship.isToMany ? "→→ " : "→ "
    return TabularColumn(
      property.name, type: arrow + relationship.destination, alignment: relationship.isToMany ? .trailing : .leading,
      role: relationship.isToMany ? .toMany : .toOne)
  }
}

/// A requested column that does not exist.
struct UnknownColumn: Error {
  var name: String
  var owner: String
  var nearest: String?
}
