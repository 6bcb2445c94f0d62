internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Presentation
internal import Queries
internal import Session
internal import Stores

/// The store of a session as addresses name its parts.
final class PageStore {
  let session: Session
  let lists: LiveLists
  /// Whether pages have forms that change objects.
  let permitsChanges: Bool
  let tokens = FormTokens()
  let counts: EntityCounts
  /// The page of a script, which stands in place of the entities.
  var application: ScriptPage?
  /// The scripts of a folder that are pages.
  var notebook: Notebook?
  /// The requests that `.keep` has kept; nil in the sandbox, which has no files.
  private(set) lazy var kept: Notebook? = {
    guard !session.engine.options.isSandboxed, let folder = session.parts.configurationFolder else { return nil }
    return Notebook(kept: folder + "/kept", in: self)
  }()

  init(_ session: Session, permitsChanges: Bool) {
    (self.session, self.permitsChanges) = (session, permitsChanges)
    lists = LiveLists(session.engine)
    counts = EntityCounts(session.engine)
  }

  /// The seconds that reading for a page may take.
  static let longestRead = 10.0
  /// The seconds that a page of a notebook may run.
  var longestScript = longestRead

  func context() throws -> ObjectContext {
    guard let context = session.engine.mainContext else { throw PageProblem.failure("no store is open") }
    return context
  }

  /// Runs `body`, which ends with an error when it takes too long.
  func reading<Result>(seconds: Double = longestRead, _ body: () throws -> Result) throws -> Result {
    let begun = monotonicSeconds()
    do {
      return try context().store.limiting(seconds: seconds, body)
    } catch let problem as PageProblem {
      throw problem
    } catch {
      if session.engine.lua.interruption == nil, monotonicSeconds() - begun >= seconds {
        throw PageProblem.tooSlow(seconds: seconds)
      }
      throw PageProblem.failure(session.engine.report(error).message)
    }
  }

  func entity(_ name: String) throws -> Entity {
    let model = try context().store.model
    if let entity = model.entity(named: name) { return entity }
    throw PageProblem.noEntity(name, nearest: nearestName(to: name, in: model.entities.map(\.name)))
  }

  /// The page of a file of the notebook; without a name, of the function that a script serves.
  func scriptPage(_ file: String?) throws -> ScriptPage {
    let found = try file.map { try ($0.hasPrefix(Notebook.keptPrefix) ? kept : notebook)?.page($0) } ?? application
    guard let found else { throw PageProblem.noPage }
    return found
  }

  // MARK: Objects

  func address(of object: ManagedObject) -> ObjectAddress {
    let id = object.objectID
    if id.isTemporary {
      return ObjectAddress(entity: object.entity.name, key: [String(id.description.split(separator: "/").last ?? "")])
    }
    let values = object.context.store.keyValues(of: id.entity, key: id.key)
    return ObjectAddress(entity: object.entity.name, key: values.map(\.displayText))
  }

  func object(_ address: ObjectAddress) throws -> ManagedObject {
    let (context, entity) = (try context(), try entity(address.entity))
    let numbers = address.key.map { Int64($0).map(Value.int) ?? .string($0) }
    if let found = try? context.find(entity, key: numbers) { return found }
    if let found = try? context.find(entity, key: address.key.map(Value.string)) { return found }
    // An object that was never saved: `t1`.
    if address.key.count == 1, let text = address.key.first, text.first == "t", let number = Int64(text.dropFirst()),
      number > 0, number < 1 << 40
    {
      let id = ObjectID(entity: entity, key: ObjectID.temporaryLimit - number + 1)
      if let found = context.insertedObjects.first(where: { $0.objectID == id }) { return found }
    }
    throw PageProblem.noObject(address)
  }

  // MARK: Rows

  /// What an address of rows asks for: the request, and what is wrong with its predicate.
  func asked(_ address: RowsAddress) throws -> AskedRows {
    let entity = try entity(address.entity)
    var request = try address.lead.map { try self.request($0, entity) } ?? FetchRequest(entity)
    request.entity = entity
    let meaning = PredicateReading(address.predicate, entity, values: nil, session.engine)
    var mistakes = meaning.mistakes
    if case .needsValues(_, let names) = meaning {
      mistakes = [.init("there are no values for \(names.map { "$" + $0 }.joined(separator: ", "))", nil)]
    }
    let typed = meaning.predicateToAsk ?? nil
    let lead = request.predicate
    request.predicate = lead.map { lead in typed.map { .and([lead, $0]) } ?? lead } ?? typed
    request.sortDescriptors = try address.sort.map { try descriptor($0, entity) }
    if !address.sections.isEmpty { try section(&request, by: address.sections) }
    let asked = address.columns.map { ColumnRequest(question: .text($0)) }
    let columns = try reading { try EntityColumns(entity, isData: false, only: asked.isEmpty ? nil : asked) }
    return AskedRows(
      address: address, request: request, columns: columns, typed: typed, lead: lead, mistakes: mistakes)
  }

  /// Makes the rows of a request sections, which come in the order of their values, or in that of a sort key for them.
  private func section(_ request: inout FetchRequest, by text: String) throws {
    let section = try reading { try Expression.parse(text) }
    let keys = request.sortDescriptors
    request.sectionIdentifier = section
    request.sortDescriptors = keys.filter { $0.expression == section } + keys.filter { $0.expression != section }
  }

  private func request(_ lead: RowsAddress.Lead, _ entity: Entity) throws -> FetchRequest {
    switch lead {
    case .along(let name, let address):
      let object = try object(address)
      return try object.request(along: try relationship(name, object.entity))
    case .by(let name, let address):
      let index = try relationship(name, entity)
      let isToMany = entity.properties[index].relationship?.isToMany == true
      var request = FetchRequest(entity)
      request.predicate = .comparison(
        Comparison(
          .path(PropertyPath([name])), .equal, .constant(.object(try object(address).objectID)),
          modifier: isToMany ? .any : .direct))
      return request
    }
  }

  private func relationship(_ name: String, _ entity: Entity) throws -> Int {
    if let index = entity.index(of: name), entity.properties[index].relationship != nil { return index }
    throw PageProblem.noRelationship(
      name, entity: entity.name, nearest: nearestName(to: name, in: entity.relationships.map(\.name)))
  }

  /// A sort key as scripts write it; for a to-many, its count.
  private func descriptor(_ text: String, _ entity: Entity) throws -> SortDescriptor {
    let name = text.hasPrefix("-") ? String(text.dropFirst()) : text
    let isAscending = name == text
    if let property = entity.property(named: name) {
      guard let relationship = property.relationship else {
        return SortDescriptor(.path(PropertyPath([name])), ascending: isAscending)
      }
      if relationship.isToMany {
        return try reading { SortDescriptor(try .parse("\(name).@count"), ascending: isAscending) }
      }
      throw PageProblem.unsortable(name, nearest: nil)
    }
    return try reading {
      let expression = try Expression.parse(name)
      try expression.check(in: entity, for: .fetch)
      return SortDescriptor(expression, ascending: isAscending)
    }
  }
}

/// A request as an address asks it.
struct AskedRows {
  var address: RowsAddress
  var request: FetchRequest
  var columns: EntityColumns
  /// The predicate that was typed.
  var typed: Predicate?
  /// The predicate of the relationship that the rows are of.
  var lead: Predicate?
  /// What is wrong with what was typed; then the rows are not asked for.
  var mistakes: [PredicateReading.Mistake]

  var entity: Entity { request.entity }
}
