internal import Modeling
public import Queries
internal import Stores

extension ObjectContext {
  /// Sums up the properties of the objects that a request selects, in one pass over the rows.
  ///
  /// Unsaved changes count as in `fetch`, and so do limit and offset. Members of to-manys are counted for some hundred objects at once.
  /// Transient properties are left out.
  ///
  /// - Parameters:
  ///   - expressions: What is summed up instead of the entity's properties, with what each is called; a
  ///     property keeps its name.
  ///   - progress: Called with the number of objects after every few thousand.
  /// - Throws: PredicateError, StoreError.
  public func summary(
    _ request: FetchRequest, of expressions: [(name: String, expression: Expression)]? = nil,
    progress: (Int) throws -> Void = { _ in }
  ) throws -> [PropertySummary] {
    var request = request
    let isPart = (request.fetchLimit ?? 0) > 0 || request.fetchOffset > 0
    if !isPart { request.sortDescriptors = [] }
    request.resultType = .objects
    var columns =
      try expressions.map { try $0.map { try SummaryColumn($0.name, $0.expression, of: request.entity) } }
      ?? request.entity.summarizedColumns
    // What stands in columns of rows is read there, without an object for each row; what relationships lead to is not.
    let layout = store.layout(of: request.entity)
    let isRaw = try request.entity.family.count == 1 && isAsStored(request)
    let raw = isRaw ? columns.indices.filter { columns[$0].read(from: layout, request.entity, in: store) } : []
    let others = columns.indices.filter { !raw.contains($0) }
    try store.reading {
      var rows = 0
      if !raw.isEmpty { try sumUp(request, &columns, raw, &rows, others.isEmpty ? 1 : 2, progress) }
      if !others.isEmpty { try sumUpObjects(request, &columns, others, &rows, raw.isEmpty ? 1 : 2, progress) }
    }
    return columns.indices.map { columns[$0].summary ?? columns[$0].tally.finished() }
  }

  /// Counts columns in rows as they are stored; `passes` is how many passes over the rows there are in all.
  private func sumUp(
    _ request: FetchRequest, _ columns: inout [SummaryColumn], _ places: [Int], _ rows: inout Int, _ passes: Int,
    _ progress: (Int) throws -> Void
  ) throws {
    prepareToRead()
    var poll = InterruptionPoll()
    let cursor = try store.cursor(request)
    defer { cursor.close() }
    let tallying = RowTallying(places.compactMap { columns[$0].stored })
    defer { tallying.stop() }
    while try cursor.step() {
      try poll.step()
      rows += 1
      if rows & 0xFFF == 0 { try progress(rows / passes) }
      tallying.add(cursor)
    }
    for (place, summary) in zip(places, tallying.summaries()) { columns[place].summary = summary }
  }

  private func sumUpObjects(
    _ request: FetchRequest, _ columns: inout [SummaryColumn], _ places: [Int], _ rows: inout Int, _ passes: Int,
    _ progress: (Int) throws -> Void
  ) throws {
    var poll = InterruptionPoll()
    let cursor = try cursor(request)
    defer { cursor.close() }
    while let slot = try cursor.next() {
      try poll.step()
      rows += 1
      if rows & 0xFFF == 0 { try progress(rows / passes) }
      let object = ManagedObject(table: cursor.objects, slot: slot)
      for place in places { try columns[place].add(object) }
    }
  }
}

/// A column of a summary: the expression to read of each object, and its tally.
private struct SummaryColumn {
  enum Source {
    case attribute(Int)
    case toOne(Int)
    case toMany(Int)
    case expression(CompiledExpression)
  }

  let source: Source
  var tally: ValueTally
  /// Where rows have the value, if they do.
  private(set) var stored: StoredColumn?
  /// What was found in rows as they are stored.
  var summary: PropertySummary?

  init(_ source: Source, _ tally: ValueTally) {
    self.source = source
    self.tally = tally
  }

  /// A property of the entity is read as such, everything else as an expression.
  init(_ name: String, _ expression: Expression, of entity: Entity) throws {
    if case .path(let path) = expression, let name = path.onlyName, let index = entity.index(of: name),
      let column = entity.summarizedColumn(index, named: name)
    {
      self = column
      return
    }
    self.init(.expression(try CompiledExpression(expression, entity: entity)), ValueTally(name, "", .values))
  }

  /// Finds where the value stands in rows; false if it takes more than a look at a row.
  mutating func read(from layout: EntityLayout, _ entity: Entity, in store: any ObjectStore) -> Bool {
    switch source {
    case .attribute(let index):
      guard case .column(let column) = layout.properties[index], !layout.columns[column].encoding.isSealed else {
        return false
      }
      stored = StoredColumn(column, .attribute(layout.columns[column].type), tally)
    case .toOne(let index):
      let destination = entity.destination(at: index)
      guard case .reference(let columns, .key) = layout.properties[index], columns.count == 1,
        store.layout(of: destination).key.integerName != nil
      else { return false }
      stored = StoredColumn(columns[0], .key(of: destination), tally)
    case .toMany, .expression: return false
    }
    return true
  }

  mutating func add(_ object: ManagedObject) throws {
    switch source {
    case .attribute(let index): tally.add(try object.attribute(at: index))
    case .toOne(let index): tally.add(try object.reference(at: index).map(Value.object) ?? .null)
    case .toMany(let index): tally.add(members: try object.memberCount(at: index))
    case .expression(let expression): tally.add(try expression.value(of: object))
    }
  }
}

extension Entity {
  /// The columns of all properties that are stored, composite attributes by their elements.
  fileprivate var summarizedColumns: [SummaryColumn] {
    properties.indices.flatMap { index -> [SummaryColumn] in
      let property = properties[index]
      if property.isTransient { return [] }
      guard let attribute = property.attribute, attribute.type == .composite else {
        return summarizedColumn(index, named: property.name).map { [$0] } ?? []
      }
      return elements(of: attribute, [])
    }
  }

  private func elements(of attribute: Attribute, _ names: [String]) -> [SummaryColumn] {
    let names = names + [attribute.name]
    if attribute.type == .composite { return attribute.elements.flatMap { elements(of: $0, names) } }
    let path = PropertyPath(names)
    guard let compiled = try? CompiledExpression(.path(path), entity: self) else { return [] }
    return [SummaryColumn(.expression(compiled), ValueTally(path.text, attribute.type.rawValue, .init(attribute.type)))]
  }

  /// The column of one property; nil for a composite attribute, which has values only in its elements.
  fileprivate func summarizedColumn(_ index: Int, named name: String) -> SummaryColumn? {
    let property = properties[index]
    if let attribute = property.attribute {
      if attribute.type == .composite { return nil }
      return SummaryColumn(
        .attribute(index), ValueTally(name, attribute.type.rawValue, ValueTally.Nature(attribute.type)))
    }
    guard let relationship = property.relationship else { return nil }
    let type = "\(relationship.isToMany ? "→→" : "→") \(destination(at: index).name)"
    return relationship.isToMany
      ? SummaryColumn(.toMany(index), ValueTally(name, type, .members))
      : SummaryColumn(.toOne(index), ValueTally(name, type, .values))
  }
}

extension ValueTally.Nature {
  fileprivate init(_ type: AttributeType) { self = type == .data ? .sizes : .values }
}
