import Modeling
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLite
@testable import SQLiteStorage
@testable import Stores

/// Random statements of several writers, and what the history tells of them against what tables showed before and after.
@Suite(.seeded) struct HistoryFuzzTests {
  @Test(arguments: 1...UInt64(Effort.isLong ? 200 : 6))
  func theHistoryTellsWhatTablesShow(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let sample = try HistorySample()
    let other = try sample.another()
    other.transactionInfo = TransactionInfo(author: "other")
    sample.store.transactionInfo = TransactionInfo(author: "first")
    var token = try sample.store.currentHistoryToken
    for _ in 0..<60 {
      let writer = Bool.random(using: &random) ? sample.store : other
      let count = Int.random(in: 1...5, using: &random)
      var expected = ExpectedChanges()
      var statements: [String] = []
      let isKept = Int.random(in: 0..<6, using: &random) > 0
      var before = try Snapshot(writer)
      // Dangling references refuse the commit.
      let kept: Void? = try? writer.transaction {
        for _ in 0..<count {
          let statement = Self.statement(&random)
          statements.append(statement)
          guard (try? writer.connection.execute(statement)) != nil else { continue }
          let after = try Snapshot(writer)
          // A row that is replaced by one of its own key is another one.
          if let replaced = Self.replaced(statement, in: before) {
            var between = after
            between.objects[replaced] = nil
            expected.add(before.changes(to: between))
            expected.add([replaced: .inserted])
          } else {
            expected.add(before.changes(to: after))
          }
          before = after
        }
        if !isKept { throw StoreError(.interrupted) }
      }
      var request = HistoryRequest()
      request.since = token
      let told = try sample.store.history(request)
      let lines = kept == nil ? [] : expected.lines
      #expect(told.flatMap(\.changes).map(\.comparable).sorted() == lines, "seed \(seed): \(statements)")
      #expect(told.count <= 1)
      #expect(told.allSatisfy { $0.author == writer.transactionInfo.author })
      if let last = told.last { token = last.token }
    }
  }

  /// A statement about a few keys, so that they meet.
  private static func statement(_ random: inout SplitMix) -> String {
    func key() -> Int { Int.random(in: 1...6, using: &random) }
    func text() -> String { ["'a'", "'b'", "'c'", "NULL"].randomElement(using: &random)! }
    switch Int.random(in: 0..<23, using: &random) {
    case 0: return "INSERT INTO quake (_pk, code, magnitude) VALUES (\(key()), 'c' || \(key()), \(key()))"
    case 1: return "INSERT INTO quake (place) VALUES (\(text())), (\(text()))"
    case 2: return "UPDATE quake SET magnitude = \(key()), place = \(text()) WHERE _pk = \(key())"
    case 3: return "UPDATE quake SET place = \(text())"
    case 4: return "DELETE FROM quake WHERE _pk = \(key())"
    case 5: return "INSERT INTO report (text, quake_pk, quake_order) VALUES (\(text()), \(key()), \(key()))"
    case 6: return "UPDATE report SET quake_order = \(key()) WHERE _pk = \(key())"
    case 7: return "UPDATE report SET quake_pk = \(key()), text = \(text()) WHERE _pk = \(key())"
    case 8: return "DELETE FROM report WHERE _pk >= \(key())"
    case 9: return "INSERT INTO tag (label) VALUES (\(text()))"
    case 10: return "INSERT OR IGNORE INTO quake_tags VALUES (\(key()), \(key()), \(key()))"
    case 11: return "UPDATE OR IGNORE quake_tags SET tags_order = \(key()), tag_pk = \(key()) WHERE quake_pk = \(key())"
    case 12: return "DELETE FROM quake_tags WHERE quake_pk = \(key())"
    case 13: return "DELETE FROM tag WHERE _pk = \(key())"
    case 14:
      let entity = ["Vehicle", "Car", "Truck"].randomElement(using: &random)!
      return "INSERT INTO vehicle (_entity, name, doors) VALUES ('\(entity)', \(text()), \(key()))"
    case 15: return "UPDATE vehicle SET name = \(text()), load = \(key()) WHERE _pk <= \(key())"
    case 16:
      return
        "INSERT INTO quake (_pk, code) VALUES (\(key()), 'u') ON CONFLICT DO UPDATE SET place = \(text())"
    case 17: return "INSERT OR REPLACE INTO quake (_pk, code, place) VALUES (\(key()), 'c' || \(key()), \(text()))"
    case 18: return "INSERT OR REPLACE INTO quake (code) VALUES ('c' || \(key()))"
    case 19: return "UPDATE OR REPLACE quake SET code = 'c' || \(key()), magnitude = \(key()) WHERE _pk = \(key())"
    case 20: return "INSERT OR IGNORE INTO quake (_pk, code) VALUES (\(key()), 'c' || \(key()))"
    case 21: return "UPDATE OR REPLACE quake SET _pk = \(key()) WHERE _pk = \(key())"
    default: return "UPDATE quake SET _pk = \(key()) WHERE _pk = \(key())"
    }
  }

  /// The object whose key a statement gives to another row.
  private static func replaced(_ statement: String, in snapshot: Snapshot) -> String? {
    let names = statement.split { !$0.isNumber }.map { "Quake/\($0)" }
    guard let replaced = names.first, snapshot.objects[replaced] != nil else { return nil }
    if statement.hasPrefix("INSERT OR REPLACE INTO quake (_pk") { return replaced }
    guard statement.hasPrefix("UPDATE OR REPLACE quake SET _pk"), names[1] != replaced else { return nil }
    return snapshot.objects[names[1]] == nil ? nil : replaced
  }
}

/// All objects that the tables show: what each property holds, in words.
private struct Snapshot: Equatable {
  var objects: [String: [String: String]] = [:]

  init(_ store: SQLiteStore) throws {
    for entity in store.model.entities {
      let layout = store.layout(of: entity)
      var condition = ""
      if let discriminator = layout.discriminator {
        condition = " WHERE \(discriminator.column) = '\(entity.name)'"
      }
      let names = ["_pk"] + layout.columns.map(\.name)
      let list = names.map(quoteIdentifier).joined(separator: ", ")
      for row in try store.connection.all("SELECT \(list) FROM \(layout.table)\(condition)") {
        var properties: [String: String] = [:]
        for (index, property) in entity.properties.enumerated() {
          guard let column = layout.properties[index].ownColumns.first else { continue }
          properties[property.name] = row[column + 1].debugText
        }
        objects["\(entity.name)/\(row[0].displayText)"] = properties
      }
    }
    for pair in try store.connection.all("SELECT quake_pk, tag_pk, tags_order FROM quake_tags ORDER BY 1, 2") {
      let (quake, tag, order) = (pair[0].displayText, pair[1].displayText, pair[2].displayText)
      objects["Quake/\(quake)"]?["tags", default: ""] += "\(tag)@\(order) "
      objects["Tag/\(tag)"]?["quakes", default: ""] += "\(quake) "
    }
    for report in try store.connection.all("SELECT _pk, quake_pk, quake_order FROM report") {
      objects["Report/\(report[0].displayText)"]?["*"] = report[2].displayText
    }
  }

  /// What became of each object on the way to `other`.
  func changes(to other: Snapshot) -> [String: ExpectedChanges.Change] {
    var changes: [String: ExpectedChanges.Change] = [:]
    for (name, old) in objects {
      guard let new = other.objects[name] else {
        changes[name] = .deleted
        continue
      }
      let names = Set(old.keys).union(new.keys).filter { $0 != "*" && old[$0] != new[$0] }
      if !names.isEmpty { changes[name, default: .updated([])].add(names) }
      // The place of a report that stays with its quake.
      guard old["*"] != new["*"], old["quake"] == new["quake"], let quake = new["quake"], quake != "nil" else {
        continue
      }
      let owner = "Quake/\(quake)"
      if objects[owner] != nil, other.objects[owner] != nil { changes[owner, default: .updated([])].add(["reports"]) }
    }
    for name in other.objects.keys where objects[name] == nil { changes[name] = .inserted }
    return changes
  }
}

/// The changes of one transaction, put together from those of its statements.
private struct ExpectedChanges {
  enum Change {
    case inserted
    case updated(Set<String>)
    case deleted

    mutating func add(_ names: Set<String>) {
      if case .updated(let known) = self { self = .updated(known.union(names)) }
    }
  }

  /// Of each object what became of it, more than one thing only where it was deleted and made anew.
  private var all: [String: [Change]] = [:]

  mutating func add(_ changes: [String: Change]) {
    for (name, change) in changes {
      var known = all[name] ?? []
      switch (known.last, change) {
      case (.inserted?, .deleted): known.removeLast()
      case (.inserted?, _): break
      case (.updated?, .updated(let names)): known[known.count - 1].add(names)
      case (.updated?, _): known[known.count - 1] = change
      default: known.append(change)
      }
      all[name] = known
    }
  }

  var lines: [String] {
    all.flatMap { name, changes in
      changes.map { change in
        switch change {
        case .inserted: "insert \(name)"
        case .updated(let names): "update \(name): \(names.sorted().joined(separator: ", "))"
        case .deleted: "delete \(name)"
        }
      }
    }.sorted()
  }
}

extension HistoryChange {
  /// The change without tombstone and order of properties.
  fileprivate var comparable: String {
    let names = updatedProperties.isEmpty ? "" : ": \(updatedProperties.sorted().joined(separator: ", "))"
    return "\(kind.rawValue) \(entityName)/\(key)\(names)"
  }
}
