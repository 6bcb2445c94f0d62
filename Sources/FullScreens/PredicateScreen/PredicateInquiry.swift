internal import LuaBindings
package import LuaRuntime
package import Modeling
package import ObjectGraph
package import Presentation
package import Queries
package import Session
internal import Stores

/// Asks the store about predicates of one entity, and stops as soon as a key waits.
///
/// There is one thread: while SQLite works it looks at the terminal every thousand steps.
package final class PredicateInquiry {
  let session: Session
  package let entity: Entity
  let context: ObjectContext
  /// In which order rows are shown.
  package var sortDescriptors: [SortDescriptor]
  /// A table of Lua with the values of variables, and the text that it was made of.
  package let values: (table: LuaReference, text: String)?
  /// Returns whether the running query should end, because the user has asked for something else.
  var shouldStop: () -> Bool = { false }

  var engine: Engine { session.engine }
  /// What the engine has to say about predicates of the entity.
  var inspection: PredicateInspection { PredicateInspection(session, entity) }
  private var lastTotal: (count: Int, version: StoreStamp, changes: Int64)?

  /// How an attempt ended.
  enum Attempt<Result> {
    case done(Result)
    /// A key waits, or the time for it was over.
    case stopped
    /// Ctrl-C was pressed.
    case interrupted
    case failed(String)
  }

  package init(
    _ session: Session, _ entity: Entity, in context: ObjectContext, sortDescriptors: [SortDescriptor] = [],
    values: (table: LuaReference, text: String)? = nil
  ) {
    self.session = session
    self.entity = entity
    self.context = context
    self.sortDescriptors = sortDescriptors
    self.values = values
  }

  /// Runs `body` until it ends, `shouldStop` or a time in seconds is over.
  ///
  /// - Throws: the error of a script that ends the program.
  func attempt<Result>(seconds: Double? = nil, _ body: () throws -> Result) throws -> Attempt<Result> {
    let limit = session.options.timeout
    if let limit { try engine.lua.setTimeLimit(seconds: limit) }
    defer { if limit != nil { try? engine.lua.setTimeLimit(seconds: nil) } }
    do {
      return .done(try context.store.limiting(seconds: seconds ?? .infinity, when: shouldStop, body))
    } catch {
      return try ending(error)
    }
  }

  private func ending<Result>(_ error: any Error) throws -> Attempt<Result> {
    switch engine.lua.interruption {
    case .exited: throw error
    case .interrupted:
      engine.lua.clearInterrupt()
      return .interrupted
    case .timedOut:
      engine.lua.clearInterrupt()
      return .failed("the time limit stopped it")
    case nil: break
    }
    let report = engine.report(error)
    return report.kind == "interrupted" ? .stopped : .failed(report.message)
  }

  // MARK: Questions

  /// The request that a predicate makes.
  package func request(_ predicate: Predicate?) -> FetchRequest {
    var request = FetchRequest(entity)
    request.predicate = predicate
    request.sortDescriptors = sortDescriptors
    return request
  }

  /// Returns `count` objects that fulfil a predicate, as rows of a table.
  package func page(_ predicate: Predicate?, offset: Int, count: Int) throws -> ObjectPage {
    var request = request(predicate)
    request.fetchOffset = offset
    request.fetchLimit = max(count, 1)
    let columns = try EntityColumns(entity, isData: false)
    let cells = ObjectCells(columns, isData: false)
    var page = ObjectPage(offset: offset, columns: columns)
    let cursor = try context.cursor(request)
    defer { cursor.close() }
    while let slot = try cursor.next() {
      let object = ManagedObject(table: cursor.objects, slot: slot)
      page.rows.append(try cells.cells(of: object).map { CellText($0, session.parts.console.layout.charset) })
      page.objects.append(object.objectID)
    }
    page.isLast = page.rows.count < max(count, 1)
    return page
  }

  /// How many objects fulfil a predicate.
  package func count(_ predicate: Predicate?) throws -> Int {
    var request = FetchRequest(entity)
    request.predicate = predicate
    return try context.count(request)
  }

  /// Returns the number of objects, counted again after a write.
  package func total() throws -> Int {
    let (version, changes) = (context.store.stamp, Int64(engine.changeCount))
    if let last = lastTotal, last.version == version, last.changes == changes, !context.hasChanges { return last.count }
    let count = try count(nil)
    lastTotal = (count, version, changes)
    return count
  }
}

/// Some objects in a row, as a table shows them.
package struct ObjectPage {
  var offset: Int
  package var columns: EntityColumns
  package var rows: [[CellText]] = []
  var objects: [ObjectID] = []
  /// Whether nothing comes behind it.
  var isLast = true
}

extension PredicateInquiry {
  /// Returns the completions at the end of `text`, the beginning of a predicate.
  func completions(_ text: String) -> Completions {
    session.completions(ofPredicate: text, of: entity, in: context, shouldStop: shouldStop)
  }
}
