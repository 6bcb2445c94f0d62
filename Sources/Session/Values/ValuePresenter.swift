internal import LiveQueries
package import LuaBindings
package import LuaRuntime
internal import Modeling
internal import ObjectGraph
package import Plots
package import Presentation
internal import Queries

/// Shows values of scripts: values with rows in the current mode, one object as a card, everything else in Lua's
/// notation.
package struct ValuePresenter {
  let engine: Engine
  var mode: OutputMode
  package var options: RenderOptions
  /// Whether strings are shown in quotes, as at the prompt; to a pipe they are written as they are.
  let quotesStrings: Bool
  /// Returns the sequence that draws a plot as a picture; nil where it is drawn as text.
  package var picture: ((Plot) -> String?)?
  /// Whether sections are shown without their rows.
  var isFolded = false
  /// Returns what `.cols` has chosen for an entity.
  var columnChoice: (Entity) -> ColumnChoice? = { _ in nil }

  package init(
    _ engine: Engine, _ mode: OutputMode, _ options: RenderOptions, quotesStrings: Bool = false, isFolded: Bool = false
  ) {
    (self.engine, self.mode, self.options) = (engine, mode, options)
    (self.quotesStrings, self.isFolded) = (quotesStrings, isFolded)
  }

  /// Shows the value at `index`.
  package func show(at index: Int32, on stack: LuaStack, only columns: [ColumnRequest]? = nil, to sink: OutputSink)
    throws
  {
    let index = stack.absolute(index)
    switch try EngineValue(at: index, on: stack, in: engine) {
    case .object(let object): try show(object, columns, to: sink)
    case .plot(let plot): try show(plot, to: sink)
    case .request(let request, let context) where request.resultType == .count:
      try write(.number(String(try context.count(request))), to: sink)
    default:
      if let source = try rows(at: index, on: stack, only: columns) {
        var options = options
        let entity = source.rowName.flatMap { engine.store?.model.entity(named: $0) }
        // The columns stand beside each other, however wide that is.
        if mode == .table, columns == nil, case .all? = entity.flatMap(columnChoice) { options.width = nil }
        try mode.renderer.render(source, to: sink, options: options)
      } else {
        try showPlain(at: index, on: stack, to: sink)
      }
    }
  }

  /// The rows of the value at `index`; nil if it has none.
  func rows(at index: Int32, on stack: LuaStack, only given: [ColumnRequest]? = nil) throws -> (any TabularSource)? {
    let columns = try given ?? ColumnRequest.own(ofValueAt: index, on: stack, engine)
    switch try EngineValue(at: index, on: stack, in: engine) {
    case .request(let request, _)
    where request.isSectioned && request.resultType == .objects && !mode.isData:
      guard case .objects(let results)? = try WatchedQuery(at: index, on: stack, in: engine)?.rows else { return nil }
      return try sectioned(results, columns)
    case .request(let request, let context): return try rows(of: request, in: context, columns)
    case .entity(let entity, let context): return try rows(of: FetchRequest(entity), in: context, columns)
    case .result(let result):
      return try rows(result.entity, columns, for: result.request, count: result.count) { try result[$0] }
    case .live(_, let sections?) where !mode.isData && isFolded: return ListingRows(sections)
    case .live(let results, .some) where !mode.isData: return try sectioned(results, columns)
    case .live(let results, _): return try rows(of: results, 0..<results.count, columns)
    case .section(let results, let range): return try rows(of: results, range, columns)
    case .collection(let members, let entity):
      return try rows(of: members, entity, columns)
    case .object(let object): return try rows(of: [object], object.entity, columns)
    case .listing where mode.isData && stack.type(at: index) == .table:
      return try rows(ofListAt: index, on: stack, columns)
    case .listing(let listing): return ListingRows(listing)
    case .other:
      if let comparison = try engine.comparison(at: index, on: stack) {
        return mode == .table || mode == .lines || mode == .list ? nil : DifferenceRows(comparison)
      }
      // A list with a `__tostring` is shown by it, and as rows in data modes.
      if !mode.isData, stack.hasText(at: index) { return nil }
      return try rows(ofListAt: index, on: stack, columns)
    case .value, .predicate, .model, .plot: return nil
    }
  }

  /// The columns that a script asks for, or a table's that `.cols` has chosen, or all.
  private func columns(
    _ entity: Entity, _ names: [ColumnRequest]?, for request: FetchRequest?
  ) throws -> EntityColumns {
    var names = names
    if names == nil, mode == .table, case .chosen(let texts)? = columnChoice(entity) {
      names = texts.map { ColumnRequest(question: .text($0)) }
    }
    return try EntityColumns(entity, isData: mode.isData, only: names, for: request)
  }

  private func sectioned(_ results: FetchedResults, _ names: [ColumnRequest]?) throws -> any TabularSource {
    let columns = try columns(results.request.entity, names, for: results.request)
    let rows = ObjectRows(columns, isData: false, count: results.count) { results[$0] }
    return SectionedRows(results, rows, options.charset)
  }

  private func rows(of results: FetchedResults, _ range: Range<Int>, _ names: [ColumnRequest]?) throws
    -> any TabularSource
  {
    try rows(results.request.entity, names, for: results.request, count: range.count) { results[range.lowerBound + $0] }
  }

  private func rows(of objects: [ManagedObject], _ entity: Entity, _ names: [ColumnRequest]?) throws
    -> any TabularSource
  {
    try rows(entity, names, count: objects.count) { objects[$0] }
  }

  private func rows(
    _ entity: Entity, _ names: [ColumnRequest]?, for request: FetchRequest? = nil, count: Int,
    object: @escaping (Int) throws -> ManagedObject
  ) throws -> any TabularSource {
    if mode == .insert, count > 0, let stored = try StoredColumns(entity, in: try object(0).context.store, only: names)
    {
      return StoredRows(stored, count, object)
    }
    let columns = try columns(entity, names, for: request)
    return ObjectRows(columns, isData: mode.isData, count: count, object: object)
  }

  private func rows(
    of request: FetchRequest, in context: ObjectContext, _ names: [ColumnRequest]?
  ) throws -> (any TabularSource)? {
    switch request.resultType {
    case .dictionaries:
      return try context.watched(request) {
        try ValueRows(try context.store.dictionaries(request), in: context.store) { try context.store.count(request) }
      }
    case .objects:
      if mode == .insert, let stored = try StoredColumns(request.entity, in: context.store, only: names) {
        return StoredRequestRows(request, in: context, stored)
      }
      let columns = try columns(request.entity, names, for: request)
      let takesPending = request.includesPendingChanges && context.hasChanges
      if mode.isData, !takesPending, let properties = columns.properties {
        return try RawRows(request, in: context.store, columns, properties)
      }
      return RequestRows(request, in: context, columns, isData: mode.isData)
    case .objectIDs, .count: return nil
    }
  }

  private func rows(ofListAt index: Int32, on stack: LuaStack, _ names: [ColumnRequest]?) throws -> (any TabularSource)?
  {
    if let (objects, entity) = try objects(at: index, on: stack) {
      return try rows(of: objects, entity, names)
    }
    // Lua's own values go through as they are, tables in them too.
    if mode == .lua { return nil }
    return try ListRows(at: index, on: stack, CellReader(engine: engine, nestsJSON: mode.isData))
  }

  /// The objects of a list that contains only objects, with their common entity.
  private func objects(at index: Int32, on stack: LuaStack) throws -> ([ManagedObject], Entity)? {
    let count = stack.rawLength(at: index)
    guard stack.type(at: index) == .table, count > 0 else { return nil }
    stack.reserve(6)
    var objects: [ManagedObject] = []
    for number in 1...count {
      stack.rawGet(element: Int64(number), at: index)
      defer { stack.pop() }
      guard case .object(let object) = try EngineValue(at: -1, on: stack, in: engine) else { return nil }
      objects.append(object)
    }
    guard var entity = objects.first?.entity else { return nil }
    for object in objects {
      while !object.entity.isKind(of: entity) {
        guard let parent = entity.parent else { return nil }
        entity = parent
      }
    }
    return (objects, entity)
  }

  private func show(_ object: ManagedObject, _ names: [ColumnRequest]?, to sink: OutputSink) throws {
    switch mode {
    case .table, .lines:
      let columns = try EntityColumns(object.entity, isData: false, only: names)
      let row = try ObjectCells(columns, isData: false).cells(of: object)
      try ObjectCard(object, columns, row, options).write(to: sink)
    default:
      try mode.renderer.render(try rows(of: [object], object.entity, names), to: sink, options: options)
    }
  }

  private func show(_ plot: Plot, to sink: OutputSink) throws {
    if let picture = picture?(plot) {
      sink.write(picture)
      sink.write("\n")
      return sink.flush()
    }
    sink.write(ScreenPlot(options.style, options.charset).text(plot, columns: options.width ?? 80))
    sink.write("\n")
    sink.flush()
    try sink.checkpoint()
  }

  private func showPlain(at index: Int32, on stack: LuaStack, to sink: OutputSink) throws {
    var builder = NodeBuilder(stack)
    if mode.isWhole { builder.wantJSON(engine) }
    if mode == .lua { wantSource(&builder, on: stack) }
    try write(try builder.node(at: index), to: sink)
  }

  /// Has values written as Lua source; an object is its key, as in rows.
  private func wantSource(_ builder: inout NodeBuilder, on stack: LuaStack) {
    builder.wantSource { [engine] index in
      switch try EngineValue(at: index, on: stack, in: engine) {
      case .value(let value): value
      case .object(let object): object.objectID.isTemporary ? nil : .int(object.objectID.key)
      default: nil
      }
    }
  }

  /// Writes a plain table as a Lua file that returns it.
  package func writeFile(at index: Int32, on stack: LuaStack, to sink: OutputSink) throws {
    var builder = NodeBuilder(stack)
    wantSource(&builder, on: stack)
    sink.write("return ")
    try write(try builder.node(at: index), to: sink)
  }

  private func write(_ node: DisplayNode, to sink: OutputSink) throws {
    switch mode {
    case .json, .ndjson: try NodeJSON.write(node, to: sink)
    case .lua: LuaText.write(node, sink)
    default:
      if !quotesStrings, case .bytes(let bytes) = node {
        sink.write(bytes)
      } else if let text = node.lines {
        sink.write(DisplayText.picturingControls(in: text, options.charset, keepingLines: true))
      } else if case .plain(let text) = node {
        let shown = DisplayText.picturingControls(in: text, options.charset, keepingLines: true)
        sink.write(options.width.map { WordWrap.broken(shown, in: $0) } ?? shown)
      } else {
        sink.write(NodePrinter(style: options.style, charset: options.charset, width: options.width ?? 100).text(node))
      }
    }
    sink.write("\n")
    sink.flush()
    try sink.checkpoint()
  }
}

extension DisplayNode {
  /// The lines of a text of several lines, such as Swift or a report, which are shown without `\n`.
  fileprivate var lines: String? {
    guard case .bytes(let bytes) = self, let text = String(validating: bytes, as: UTF8.self) else { return nil }
    return text.utf8.dropLast().contains(UInt8(ascii: "\n")) ? text : nil
  }
}
