import Modeling
import Queries
import Stores
import TestSupport
import Testing

@testable import ObjectGraph

/// What a child hands to its parent keeps what it is based on: what others wrote since is found by the parent's save.
@Suite(.seeded) struct ChildMergeFuzzTests {
  @Test(arguments: 1...24) func changesOfAChildMergeAsThePlainReference(seed: UInt64) throws {
    var program = try ChildProgram(seed: seed)
    for step in 0..<500 { try program.step(step) }
    try program.saveChild()
    try program.saveMine()
    try program.compare(at: -1)
  }
}

/// A row of the plain reference: attributes by name.
private typealias PlainRow = [String: Value]

/// What a context has not saved of one book.
private struct PlainChange {
  var base: PlainRow
  var values: PlainRow = [:]

  /// What is not as it was read.
  var differences: PlainRow { values.filter { base[$0.key] != $0.value } }
  /// What the context shows.
  var shown: PlainRow { base.merging(values) { $1 } }
}

/// A root context, its child and another context that edit the same books at random, and dictionaries that must agree.
private struct ChildProgram {
  /// In the order of their columns.
  private static let names = ["title", "code", "pages"]

  private let rivals: Rivals
  private let child: ObjectContext
  private var random: XorShift
  private var stored: [Int64: PlainRow] = [:]
  private var mine: [Int64: PlainChange] = [:]
  private var childs: [Int64: PlainChange] = [:]
  private let books: [ObjectID]

  init(seed: UInt64) throws {
    random = XorShift(seed: seed)
    rivals = try Rivals()
    child = ObjectContext(parent: rivals.mine)
    for _ in 0..<2 { try rivals.library.make("Book", ["title": .string("0")]) }
    try rivals.mine.save()
    books = try rivals.library.all("Book").map(\.objectID)
    for book in books { stored[book.key] = ["title": .string("0"), "code": .null, "pages": .int(10)] }
  }

  mutating func step(_ number: Int) throws {
    switch Int.random(in: 0..<15, using: &random) {
    case 0...3: try editMine()
    case 4...7: try editChild()
    case 8...10: try editTheirs()
    case 11: try saveChild()
    case 12: try dryRun()
    case 13: rollback()
    default: try saveMine()
    }
    if Bool.random(using: &random) { rivals.mine.noticeRemoteWrites() }
    try compare(at: number)
  }

  private mutating func edit() -> (id: ObjectID, name: String, value: Value) {
    let book = Int.random(in: 0..<books.count, using: &random)
    let number = Int.random(in: 0..<4, using: &random)
    switch Int.random(in: 0..<3, using: &random) {
    case 0: return (books[book], "title", .string("\(number)"))
    // Unique: each book has codes of its own.
    case 1: return (books[book], "code", number == 0 ? .null : .string("\(book) \(number)"))
    default: return (books[book], "pages", .int(Int64(number)))
    }
  }

  private mutating func editMine() throws {
    rivals.mine.noticeRemoteWrites()
    let (id, name, value) = edit()
    try rivals.mine.object(id).set(name, value)
    guard let row = stored[id.key], mine[id.key] != nil || row[name] != value else { return }
    mine[id.key, default: PlainChange(base: row)].values[name] = value
  }

  private mutating func editChild() throws {
    rivals.mine.noticeRemoteWrites()
    let (id, name, value) = edit()
    try child.object(id).set(name, value)
    guard let row = stored[id.key], childs[id.key] != nil || shownInMine(id)[name] != value else { return }
    childs[id.key, default: PlainChange(base: mine[id.key]?.base ?? row)].values[name] = value
  }

  private mutating func editTheirs() throws {
    rivals.theirs.refreshAllObjects()
    let (id, name, value) = edit()
    try rivals.theirs.object(id).set(name, value)
    try rivals.theirs.save()
    stored[id.key]?[name] = value
  }

  private mutating func rollback() {
    if Bool.random(using: &random) {
      rivals.mine.rollback()
      mine = [:]
    } else {
      child.rollback()
      childs = [:]
    }
  }

  private func shownInMine(_ id: ObjectID) -> PlainRow { mine[id.key]?.shown ?? stored[id.key] ?? [:] }

  // MARK: Saving

  mutating func saveChild() throws {
    rivals.mine.noticeRemoteWrites()
    try child.save()
    for (key, change) in childs { mine[key] = handedOver(change, to: key) }
    childs = [:]
  }

  /// What the parent has of a book when the child has handed its changes over: the child's values, each column based on what
  /// the one saw whose value it is; what neither changed on what the child saw, who came first.
  private func handedOver(_ change: PlainChange, to key: Int64) -> PlainChange? {
    var new = mine[key]
    let before = new
    for name in Self.names {
      guard let value = change.values[name] else { continue }
      // What the store has anyway is no change.
      if new == nil, stored[key]?[name] == value { continue }
      new = new ?? PlainChange(base: change.base)
      new?.values[name] = value
    }
    for name in Self.names where before?.values[name] == nil || change.values[name] != nil {
      new?.base[name] = change.base[name]
    }
    return new
  }

  /// Tries a save and changes nothing, whether it fails or not.
  private mutating func dryRun() throws {
    rivals.mine.noticeRemoteWrites()
    rivals.mine.mergePolicy = .objectTrump
    do { try child.save(dryRun: true) } catch is GraphError {}
  }

  mutating func saveMine() throws {
    let policy = MergePolicy.allCases.randomElement(using: &random) ?? .error
    rivals.mine.mergePolicy = policy
    let outcome = try rivals.save()
    let isRefused = mine.contains { key, change in stored[key] != change.base && !change.differences.isEmpty }
    if policy == .error, isRefused {
      #expect(outcome != "saved")
      rivals.mine.rollback()
      mine = [:]
      return
    }
    #expect(outcome == "saved")
    for (key, change) in mine {
      stored[key] = merged(change, stored[key] ?? [:], policy)
      // The parent has what it saved, and the child looks at that.
      if let row = stored[key] { childs[key]?.base = row }
    }
    mine = [:]
  }

  /// The plain three-way merge of one row.
  private func merged(_ change: PlainChange, _ row: PlainRow, _ policy: MergePolicy) -> PlainRow {
    if row == change.base { return row.merging(change.values) { $1 } }
    let values = change.differences
    if values.isEmpty { return row }
    switch policy {
    case .rollback: return row
    case .overwrite: return change.base.merging(values) { $1 }
    case .storeTrump: return row.merging(values.filter { row[$0.key] == change.base[$0.key] }) { $1 }
    case .error, .objectTrump: return row.merging(values) { $1 }
    }
  }

  func compare(at step: Int) throws {
    var rows: [Int64: PlainRow] = [:]
    for row in try rivals.library.rows("SELECT _pk, title, code, pages FROM book") {
      guard case .int(let key) = row[0] else { continue }
      rows[key] = ["title": row[1], "code": row[2], "pages": row[3]]
    }
    #expect(rows == stored, "step \(step)")
    rivals.mine.noticeRemoteWrites()
    for id in books {
      let here = try values(rivals.mine.object(id))
      #expect(here == shownInMine(id), "step \(step) \(id)")
      let below = try values(child.object(id))
      #expect(below == shownInMine(id).merging(childs[id.key]?.values ?? [:]) { $1 }, "step \(step) \(id) in the child")
    }
    let problems = try rivals.mine.checkInvariants() + child.checkInvariants()
    #expect(problems.isEmpty, "step \(step): \(problems)")
  }

  private func values(_ object: ManagedObject) throws -> PlainRow {
    try Dictionary(uniqueKeysWithValues: Self.names.map { ($0, try object.get($0)) })
  }
}
