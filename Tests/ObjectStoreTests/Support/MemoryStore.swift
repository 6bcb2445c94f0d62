import Modeling
import ObjectGraph
import Queries
import Stores

/// A store in dictionaries: the plainest that an object store can be, which rules of all stores are held against.
///
/// It answers requests by evaluating them for every object, and keeps nothing ready. It reads no groups, no distinct dictionaries
/// and no aggregates beside `count`, `min` and `max`, and has no history.
final class MemoryStore: ObjectStore {
  let model: Model
  let traits = StoreTraits(declaresSchema: true)
  let isReadOnly: Bool
  var isInterrupted: () -> Bool = { false }
  var lastScan = 0
  let triggeredChangeCount: Int64 = 0

  private let layouts: [Entity: EntityLayout]
  /// What is stored now.
  private(set) var state = MemoryState()
  /// The state at the beginning of each transaction under way, the outermost first.
  private var beginnings: [MemoryState] = []
  private var writeCount: Int64 = 0
  private var undoneCount = 0
  private var info = TransactionInfo()
  private var observers: [(id: Int, body: (OwnCommit) -> Void)] = []
  private var nextObserver = 0

  init(_ model: Model, isReadOnly: Bool = false) {
    self.model = model
    self.isReadOnly = isReadOnly
    layouts = ModelLayout(layoutsOf: model).layouts
  }

  func layout(of entity: Entity) -> EntityLayout {
    guard let layout = layouts[entity] else { preconditionFailure("\(entity.name) belongs to another model") }
    return layout
  }

  var stamp: StoreStamp { StoreStamp(dataVersion: 0, changeCount: writeCount, undoneCount: undoneCount) }
  var readOnlyError: StoreError { StoreError(.readOnly) }
  var showsUncommittedRows: Bool { !beginnings.isEmpty }
  func checkInvariants() -> [String] { state.danglingPairs }

  // MARK: Transactions

  func reading<Result>(_ body: () throws -> Result) throws -> Result { try body() }

  func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    if isReadOnly { throw readOnlyError }
    beginnings.append(state)
    do {
      let result = try body()
      let beginning = beginnings.removeLast()
      if beginnings.isEmpty { tell(beginning) }
      return result
    } catch {
      state = beginnings.removeLast()
      undoneCount += 1
      throw error
    }
  }

  /// Changes the state in the transaction there is, or in one of its own.
  func write<Result>(_ entity: Entity, _ body: (inout MemoryState) throws -> Result) throws -> Result {
    if entity.isReadOnly { throw StoreError(.readOnlyEntity(entity.name)) }
    return try transaction {
      writeCount += 1
      return try body(&state)
    }
  }

  func attributing<Result>(_ info: TransactionInfo, _ body: () throws -> Result) rethrows -> Result {
    let before = self.info
    self.info = info
    defer { self.info = before }
    return try body()
  }

  func bulkInsert<Result>(into entity: Entity, expecting rows: Int, _ body: () throws -> Result) throws -> Result {
    try transaction(body)
  }

  // MARK: Telling

  func onOwnCommit(_ body: @escaping (OwnCommit) -> Void) -> CommitSubscription? {
    if isReadOnly { return nil }
    let id = nextObserver
    nextObserver += 1
    observers.append((id, body))
    return CommitSubscription { [weak self] in self?.observers.removeAll { $0.id == id } }
  }

  private func tell(_ before: MemoryState) {
    let now = state
    let touched = TouchedRows(from: before, to: now, in: self)
    if touched.isEmpty { return }
    let commit = OwnCommit(
      author: info.author, touched: { touched },
      replaced: { [unowned self] root in
        let values = now.replacedValues(of: root, since: before, in: self)
        return { values }
      })
    for observer in observers { observer.body(commit) }
  }

  func changesByOthers() -> TouchedRows? { nil }
  var commitWatch: (any CommitWatch)? { nil }

  var currentHistoryToken: HistoryToken { get throws { throw StoreError(.noHistory) } }
  func history(_ request: HistoryRequest) throws -> [HistoryTransaction] { throw StoreError(.noHistory) }
}
