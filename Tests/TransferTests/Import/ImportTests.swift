import Foundation
import Modeling
import Queries
import SQLiteStorage
import Stores
import Testing

@testable import Transfer

@Suite struct ImportTests {
  let sample: Sample
  var store: SQLiteStore { sample.store }
  init() throws { sample = try Sample() }

  private func reader(_ text: String) throws -> DelimitedReader {
    let reader = DelimitedReader(bytes: Array(text.utf8))
    _ = try reader.next()
    return reader
  }

  private func attributes(_ names: String...) -> [ImportColumn] {
    names.enumerated().map { ImportColumn(field: $0, .attribute(sample.index("Quake", $1))) }
  }

  private func rows(_ entity: String, _ columns: String...) throws -> [[Value]] {
    var request = try sample.request(entity)
    request.resultType = .dictionaries
    request.propertiesToFetch = try columns.map { FetchedColumn($0, try Expression.parse($0)) }
    let cursor = try store.dictionaries(request)
    var rows: [[Value]] = []
    while try cursor.step() { rows.append(columns.indices.map(cursor.value)) }
    return rows
  }

  private func importError(_ body: () throws -> ImportReport) -> ImportError? {
    do {
      _ = try body()
      return nil
    } catch { return error as? ImportError }
  }

  @Test func fieldsAreReadAsTheirAttributes() throws {
    let text = """
      code,magnitude,time,isFelt,depth,count,uuid,info,raw
      a,5.5,2024-01-22T16:26:12Z,true,1.10,7,e621e1f8-c36c-495a-93fc-0c247a3e6e5f,"{""x"": 1}",AAE=
      "b ""q"", ü",,,,,,,,
      """
    let report = try store.importRows(
      into: sample.entity("Quake"), from: reader(text),
      mapping: attributes("code", "magnitude", "time", "isFelt", "depth", "count", "uuid", "info", "raw"))
    #expect(report == ImportReport(inserted: 2))
    let rows = try rows("Quake", "code", "magnitude", "time", "isFelt", "depth", "count", "uuid", "info", "raw")
    #expect(
      rows[0] == [
        "a".value, .double(5.5), .date(Timestamp(1_705_940_772)), .bool(true), .decimal(Decimal(string: "1.1")!),
        .int(7),
        .uuid(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!), .json(.object(["x": .int(1)])),
        .data([0, 1]),
      ])
    #expect(rows[1] == ["b \"q\", ü".value] + [Value](repeating: .null, count: 8))
  }

  @Test func aRowMayRefuseEverything() throws {
    let error = importError {
      try store.importRows(
        into: sample.entity("Quake"), from: reader("code,magnitude\na,1\nb,two\n"),
        mapping: attributes("code", "magnitude"))
    }
    #expect(error?.place?.line == 3)
    #expect(error?.place?.column == 3)
    #expect(error?.field == 1)
    guard case .value(let value)? = error?.fact else {
      Issue.record("another fact")
      return
    }
    #expect(
      value == ValueError(entity: "Quake", property: "magnitude", .invalidText(expected: .double, value: "\"two\"")))
    #expect(try store.count(sample.request("Quake")) == 0)
  }

  @Test func wrongRowsCanBeLeftOut() throws {
    var errors = 0
    let report = try store.importRows(
      into: sample.entity("Quake"), from: reader("code,magnitude\na,1\nb,two\nc,3\n"),
      mapping: attributes("code", "magnitude"),
      skips: { _ in
        errors += 1
        return true
      })
    #expect(report == ImportReport(inserted: 2, skipped: 1))
    #expect(errors == 1)
  }

  @Test func uniquenessIsKept() throws {
    let error = importError {
      try store.importRows(
        into: sample.entity("Quake"), from: reader("code\na\nb\na\n"), mapping: attributes("code"))
    }
    #expect(
      error?.fact
        == .store(StoreError(.notUnique(entity: "Quake", properties: ["code"], values: ["a".value]), path: store.path)))
    #expect(error?.place?.line == 4)
    let many =
      "code\n"
      + (0..<3000).map { "a code so long that three thousand of them are many \($0 % 2990)" }.joined(separator: "\n")
    let fact = fact {
      try store.importRows(into: sample.entity("Quake"), from: reader(many), mapping: attributes("code"))
    }
    guard case .notUnique("Quake", ["code"], _)? = fact else {
      Issue.record("\(String(describing: fact))")
      return
    }
    #expect(try store.count(sample.request("Quake")) == 0)
  }

  @Test func upsertsUpdateWhatIsThere() throws {
    try sample.insert("Quake", ["code": "a".value, "magnitude": .double(1), "place": "stays".value])
    let report = try store.importRows(
      into: sample.entity("Quake"), from: reader("code,magnitude\na,2\nb,3\nb,4\n"),
      mapping: attributes("code", "magnitude"), upsert: 0)
    #expect(report == ImportReport(inserted: 1, updated: 2))
    #expect(
      try rows("Quake", "code", "magnitude", "place") == [
        ["a".value, .double(2), "stays".value], ["b".value, .double(4), .null],
      ])
  }

  @Test func referencesAreFoundByTheirValues() throws {
    let us = try sample.insert("Network", ["name": "us".value])
    let network = sample.index("Quake", "network")
    func mapping(_ by: Int?, _ missing: ImportColumn.MissingReference) -> [ImportColumn] {
      [
        ImportColumn(field: 0, .attribute(0)),
        ImportColumn(field: 1, .reference(network, by: by, missing: missing), nullTexts: ["NA"]),
      ]
    }
    let quake = sample.entity("Quake")
    let report = try store.importRows(
      into: quake, from: reader("code,network\na,us\nb,NA\nc,\nd,nn\n"), mapping: mapping(0, .null))
    #expect(report == ImportReport(inserted: 4, missingReferences: 1))
    #expect(try sample.keys("Quake", "network.name == 'us'") == [1])
    let error = importError {
      try store.importRows(into: quake, from: reader("code,network\ne,nn\n"), mapping: mapping(0, .refuse))
    }
    #expect(error?.fact == .noSuchObject(entity: "Network", property: "name", value: "nn"))
    #expect(error?.place?.line == 2 && error?.field == 1)
    _ = try store.importRows(into: quake, from: reader("code,network\ne,\(us)\n"), mapping: mapping(nil, .refuse))
    #expect(try sample.keys("Quake", "network.name == 'us'") == [1, 5])
  }

  @Test func manyReferencesAreFound() throws {
    for index in 0..<3000 { try sample.insert("Network", ["name": "network \(index)".value]) }
    let text = "code,network\n" + (0..<3000).map { "q\($0),network \(2999 - $0)" }.joined(separator: "\n")
    let report = try store.importRows(
      into: sample.entity("Quake"), from: reader(text),
      mapping: [
        ImportColumn(field: 0, .attribute(0)),
        ImportColumn(field: 1, .reference(sample.index("Quake", "network"), by: 0, missing: .refuse)),
      ])
    #expect(report.inserted == 3000)
    #expect(try sample.keys("Quake", "network.name == 'network 2999'") == [1])
    #expect(try sample.keys("Quake", "network.name == 'network 17'") == [2983])
  }

  @Test func rulesAndDefaultsHold() throws {
    var strict = Attribute("n", .integer16)
    strict.isOptional = false
    strict.minimum = .int(1)
    var name = Attribute("name", .string)
    name.maximumLength = 3
    var kind = Attribute("kind", .string)
    kind.defaultValue = "x".value
    var must = Attribute("must", .boolean)
    must.isOptional = false
    must.defaultValue = .bool(true)
    var options = StoreOptions(path: ":memory:")
    options.model = try Model([
      EntityDescription(
        "Thing", properties: [.attribute(strict), .attribute(name), .attribute(kind), .attribute(must)])
    ])
    let store = try SQLiteStore(options)
    let thing = store.model.entities[0]
    func run(_ text: String, _ columns: Int...) -> ImportError? {
      importError {
        try store.importRows(
          into: thing, from: reader(text), mapping: columns.enumerated().map { ImportColumn(field: $0, .attribute($1)) }
        )
      }
    }
    #expect(run("n,name\n1,äöü\n", 0, 1) == nil)
    #expect(
      try store.connection.all("SELECT n, name, kind, must FROM thing") == [[.int(1), "äöü".value, "x".value, .int(1)]])
    func rule(_ error: ImportError?) -> Violation.Kind? {
      if case .violation(let violation)? = error?.fact { violation.kind } else { nil }
    }
    #expect(rule(run("n\n0\n", 0)) == .numberTooSmall)
    #expect(rule(run("n,name\n,a\n", 0, 1)) == .missingMandatory)
    #expect(rule(run("n,name\n1,abcd\n", 0, 1)) == .stringTooLong)
    #expect(run("name\na\n", 1)?.fact == .missingProperty(entity: "Thing", property: "n"))
    guard case .value? = run("n\n40000\n", 0)?.fact else {
      Issue.record("out of range")
      return
    }
  }

  @Test func jsonRowsAreImportedByName() throws {
    let lines = Array(#"{"magnitude": 5, "code": "a"}"#.utf8) + [10] + Array(#"{"code": "b", "info": [1]}"#.utf8)
    let source = JSONImportSource(JSONRowsReader(bytes: lines), names: ["code", "magnitude", "info"])
    let report = try store.importRows(
      into: sample.entity("Quake"), from: source, mapping: attributes("code", "magnitude", "info"))
    #expect(report.inserted == 2)
    #expect(
      try rows("Quake", "code", "magnitude", "info") == [
        ["a".value, .double(5), .null], ["b".value, .null, .json(.array([.int(1)]))],
      ])
  }

  @Test func rowsOfAnotherFileReferToEarlierOnes() throws {
    let parent = Relationship(toOne: "parent", "Node", inverse: "children")
    let children = Relationship(toMany: "children", "Node", inverse: "parent")
    var options = StoreOptions(path: ":memory:")
    options.model = try Model([
      EntityDescription(
        "Node", properties: [.attribute(Attribute("name", .string)), .relationship(parent), .relationship(children)])
    ])
    let store = try SQLiteStore(options)
    let node = store.model.entities[0]
    let report = try store.importRows(
      into: node, from: reader("name,parent\nroot,\na,root\nb,a\n"),
      mapping: [
        ImportColumn(field: 0, .attribute(0)), ImportColumn(field: 1, .reference(1, by: 0, missing: .refuse)),
      ])
    #expect(report.inserted == 3)
    #expect(try store.connection.all("SELECT parent_pk FROM node") == [[.null], [.int(1)], [.int(2)]])
  }

  @Test func progressIsToldAndInterruptionsEndIt() throws {
    let text = "code\n" + (0..<5000).map { "c\($0)" }.joined(separator: "\n")
    var rows: [Int] = []
    _ = try store.importRows(
      into: sample.entity("Quake"), from: reader(text), mapping: attributes("code"), every: 2000,
      progress: { rows.append($0.rows) })
    #expect(rows == [2000, 4000])
    store.isInterrupted = { true }
    #expect(
      fact {
        try store.importRows(
          into: sample.entity("Tag"), from: reader(text), mapping: [ImportColumn(field: 0, .attribute(0))])
      } == .interrupted)
    store.isInterrupted = { false }
    #expect(try store.count(sample.request("Tag")) == 0)
  }
}
