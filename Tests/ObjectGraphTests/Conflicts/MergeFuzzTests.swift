import Modeling
import Queries
import Stores
import TestSupport
import Testing

@testable import ObjectGraph

@Suite(.seeded) struct MergeFuzzTests {
  @Test(arguments: 1...16) func randomEditsOfTwoContextsMergeAsThePlainReference(seed: UInt64) throws {
    var program = try RivalProgram(seed: seed)
    for step in 0..<160 { try program.step(step) }
    try program.save()
    try program.compare(at: -1)
  }
}

/// A row of the plain reference: an attribute or the number of an author by name.
private typealias PlainRow = [String: Value]

/// What my context has not saved of one book.
private struct PlainChange {
  var base: PlainRow
  var values: PlainRow = [:]
  var isDelete = false

  /// What is not as it was read.
  var differences: PlainRow { values.filter { base[$0.key] != $0.value } }
}

/// Two contexts that edit the same books at random, and a three-way merge of dictionaries that must agree with them.
private struct RivalProgram {
  let rivals: Rivals
  var random: XorShift
  var stored: [Int64: PlainRow] = [:]
  var pending: [Int64: PlainChange] = [:]
  var mine: [Int64: ManagedObject] = [:]
  let authors: [ManagedObject]

  init(seed: UInt64) throws {
    random = XorShift(seed: seed)
    let rivals = try Rivals()
    self.rivals = rivals
    authors = try (0..<3).map { try rivals.library.make("Author", ["name": .string("\($0)")]) }
    for _ in 0..<8 { try rivals.library.make("Book", ["title": .string("0")]) }
    try rivals.mine.save()
    for book in try rivals.library.all("Book") {
      mine[book.objectID.key] = book
      stored[book.objectID.key] = ["title": .string("0"), "pages": .int(10), "author": .null]
    }
  }

  mutating func step(_ number: Int) throws {
    switch Int.random(in: 0..<12, using: &random) {
    case 0...3: try editMine()
    case 4...6: try editTheirs()
    case 7: try deleteMine()
    case 8: if Int.random(in: 0..<3, using: &random) == 0 { try deleteTheirs() }
    case 9: rollback()
    default: try save()
    }
    if Bool.random(using: &random) { rivals.mine.noticeRemoteWrites() }
    try compare(at: number)
  }

  private mutating func edit() -> (name: String, value: Value) {
    switch Int.random(in: 0..<3, using: &random) {
    case 0: ("title", .string("\(Int.random(in: 0..<4, using: &random))"))
    case 1: ("pages", .int(Int64.random(in: 0..<4, using: &random)))
    default: ("author", Bool.random(using: &random) ? .null : .int(Int64.random(in: 1...3, using: &random)))
    }
  }

  private func set(_ object: ManagedObject, _ name: String, _ value: Value) throws {
    guard name == "author" else { return try object.set(name, value) }
    guard case .int(let number) = value else { return try object.setOne(name, nil) }
    let author = authors[Int(number) - 1].objectID
    try object.setOne(name, object.context.object(author))
  }

  private mutating func editMine() throws {
    rivals.mine.noticeRemoteWrites()
    guard let key = visible().randomElement(using: &random), let object = mine[key], let row = stored[key] else {
      return
    }
    let (name, value) = edit()
    try set(object, name, value)
    if pending[key] == nil, row[name] == value { return }
    pending[key, default: PlainChange(base: row)].values[name] = value
  }

  /// The books that my context can touch: those it changed, or the store has, and none it deleted.
  private func visible() -> [Int64] {
    stored.keys.sorted().filter { pending[$0]?.isDelete != true }
  }

  private mutating func deleteMine() throws {
    rivals.mine.noticeRemoteWrites()
    guard let key = visible().randomElement(using: &random), let row = stored[key] else { return }
    try mine[key]?.delete()
    pending[key, default: PlainChange(base: row)].isDelete = true
  }

  private mutating func editTheirs() throws {
    guard let key = stored.keys.sorted().randomElement(using: &random) else { return }
    rivals.theirs.refreshAllObjects()
    guard let entity = mine[key]?.entity else { return }
    let object = rivals.theirs.object(ObjectID(entity: entity, key: key))
    for _ in 0..<Int.random(in: 1...2, using: &random) {
      let (name, value) = edit()
      try set(object, name, value)
      stored[key]?[name] = value
    }
    try rivals.theirs.save()
  }

  private mutating func deleteTheirs() throws {
    guard stored.count > 3, let key = stored.keys.sorted().randomElement(using: &random), let entity = mine[key]?.entity
    else { return }
    rivals.theirs.refreshAllObjects()
    try rivals.theirs.object(ObjectID(entity: entity, key: key)).delete()
    try rivals.theirs.save()
    stored[key] = nil
  }

  private mutating func rollback() {
    rivals.mine.rollback()
    pending = [:]
  }

  mutating func save() throws {
    let policy = MergePolicy.allCases.randomElement(using: &random) ?? .error
    rivals.mine.mergePolicy = policy
    let outcome = try rivals.save()
    let conflicts = pending.filter { key, change in
      guard let row = stored[key] else { return !change.isDelete }
      return row != change.base && (change.isDelete || !change.differences.isEmpty)
    }
    if policy == .error, !conflicts.isEmpty {
      #expect(outcome != "saved")
      rollback()
      return
    }
    #expect(outcome == "saved")
    for (key, change) in pending { stored[key] = merged(change, stored[key], policy) }
    pending = [:]
  }

  /// The plain three-way merge of one row.
  private func merged(_ change: PlainChange, _ row: PlainRow?, _ policy: MergePolicy) -> PlainRow? {
    let storeWins = policy == .storeTrump || policy == .rollback
    guard let row else { return change.isDelete || storeWins ? nil : change.base.merging(change.values) { $1 } }
    if row == change.base { return change.isDelete ? nil : row.merging(change.values) { $1 } }
    if change.isDelete { return storeWins ? row : nil }
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
    for row in try rivals.library.rows("SELECT _pk, title, pages, author_pk FROM book") {
      guard case .int(let key) = row[0] else { continue }
      rows[key] = ["title": row[1], "pages": row[2], "author": row[3]]
    }
    #expect(rows == stored, "step \(step)")
    rivals.mine.noticeRemoteWrites()
    for (key, object) in mine where pending[key]?.isDelete != true && (stored[key] != nil || pending[key] != nil) {
      let shown = pending[key].map { $0.base.merging($0.values) { $1 } } ?? stored[key] ?? [:]
      #expect(try object.get("title") == shown["title"] && object.get("pages") == shown["pages"], "step \(step)")
      let author: Value = try object.one("author").map { .int($0.objectID.key) } ?? .null
      #expect(author == shown["author"], "step \(step)")
    }
    let problems = try rivals.mine.checkInvariants()
    #expect(problems.isEmpty, "step \(step): \(problems)")
  }
}
