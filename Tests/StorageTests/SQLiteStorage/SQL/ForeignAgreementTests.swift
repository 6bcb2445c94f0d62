import Modeling
import Queries
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

/// In files made elsewhere columns hold what was put there; store and memory still agree.
@Suite struct ForeignAgreementTests {
  let folder: TemporaryFolder
  let store: SQLiteStore
  let objects: [MemoryObject]

  init() throws {
    folder = try TemporaryFolder()
    let contents = ["NULL", "5", "-1", "5.5", "'abc'", "'ABC'", "'5'", "''", "x'61'", "x''"]
    var sql =
      "CREATE TABLE thing(id INTEGER PRIMARY KEY, whole INTEGER, name TEXT, free, fuzzy TEXT COLLATE NOCASE, num DECIMAL(10,2), flag BOOLEAN);"
    for value in contents {
      sql +=
        "INSERT INTO thing(whole, name, free, fuzzy, num, flag) VALUES (\([String](repeating: value, count: 6).joined(separator: ", ")));"
    }
    store = try SQLiteStore(StoreOptions(path: folder.database("a.sqlite", sql)))
    let entity = store.model.entities[0]
    var request = FetchRequest(entity)
    request.resultType = .dictionaries
    let rows = try store.dictionaries(request)
    var objects: [MemoryObject] = []
    while try rows.step() {
      let values = Dictionary(uniqueKeysWithValues: rows.columns.enumerated().map { ($1, rows.value($0)) })
      objects.append(MemoryObject(entity, Int64(objects.count + 1), values))
    }
    self.objects = objects
  }

  private func answers(_ predicate: Queries.Predicate) throws -> [String] {
    let compiled = try CompiledPredicate(predicate, entity: store.model.entities[0])
    var mismatches: [String] = []
    for (opposite, wanted) in [(predicate, true), (.not(predicate), false)] {
      var request = FetchRequest(store.model.entities[0])
      request.predicate = opposite
      let stored = try store.keys(request).sorted()
      let memory = try objects.filter { try compiled.evaluate($0) == wanted }.map(\.key)
      if stored != memory { mismatches.append("\(opposite): memory \(memory), store \(stored)") }
    }
    return mismatches
  }

  @Test func valuesOfAnotherClassAreNeither() throws {
    var mismatches: [String] = []
    let constants: [String: [Value]] = [
      "whole": [.int(5), .double(5.5), .decimal(5)], "num": [.int(5), .double(5.5), .decimal(5)],
      "name": ["abc".value, "".value, "b".value], "fuzzy": ["abc".value, "B".value],
      "free": [.int(5), "abc".value, .data([0x61]), .decimal(5), "".value], "flag": [.bool(true), .int(5)],
    ]
    for (name, values) in constants {
      let path = Expression.path(PropertyPath([name]))
      for value in values + [.null] {
        for comparator in [Comparator.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual] {
          mismatches += try answers(.comparison(Comparison(path, comparator, .constant(value))))
          mismatches += try answers(.comparison(Comparison(.constant(value), comparator, path)))
        }
        mismatches += try answers(.comparison(Comparison(path, .in, .constant(.list([value, value])))))
      }
    }
    for comparator in [Comparator.contains, .beginsWith, .endsWith, .like, .matches] {
      for name in ["name", "fuzzy", "free"] {
        for text in ["a", "A", "", "5"] {
          for options in [ComparisonOptions(), .caseInsensitive] {
            let path = Expression.path(PropertyPath([name]))
            mismatches += try answers(
              .comparison(Comparison(path, comparator, .constant(text.value), options: options)))
          }
        }
      }
    }
    #expect(mismatches.isEmpty, "\(mismatches.joined(separator: "\n"))")
  }
}
