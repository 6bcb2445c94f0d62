import Modeling
import Queries
import Testing

@testable import SwiftPrinting

/// What a predicate is given from outside, as printed Swift takes it.
@Suite struct CapturedPrintingTests {
  private func station(_ key: Int64) -> Value { .object(ObjectID(entity: ProofModel.entity("Station"), key: key)) }

  private func quake(_ key: Int64) -> Value { .object(ObjectID(entity: ProofModel.quake, key: key)) }

  private func source(
    _ format: String, _ arguments: [Value] = [], as form: SwiftForm = .macro
  ) throws -> String {
    let predicate = try Queries.Predicate.parse(format, arguments: arguments.map { .value($0) })
    return try SwiftPrinter(entity: ProofModel.quake).source(of: predicate, as: form)
  }

  @Test func severalObjectsAreSeveralParameters() throws {
    #expect(
      try source(
        "station == %@ OR station == %@ OR station == %@", [station(1), station(2), station(1)], as: .nspredicate)
          == """
          func matchingQuakes(stationID: NSManagedObjectID, stationID2: NSManagedObjectID) -> NSPredicate {
              NSPredicate(
                  format: "station == %@ OR station == %@ OR station == %@",
                  stationID,
                  stationID2,
                  stationID
              )
          }
          """)
    let macro = try source("station == %@ OR station == %@", [station(1), station(2)])
    #expect(
      macro.hasPrefix("func matchingQuakes(stationID: PersistentIdentifier, stationID2: PersistentIdentifier)"),
      "\(macro)")
    let words = macro.split { !$0.isLetter && !$0.isNumber }
    #expect(words.count { $0 == "stationID" } == 2 && words.count { $0 == "stationID2" } == 2)
  }

  @Test func objectsInAListAreAListOfIdentifiers() throws {
    let list = Value.list([quake(1), quake(2)])
    #expect(
      try source("SELF IN %@", [list]) == """
        func matchingQuakes(quakeIDs: [PersistentIdentifier]) -> Predicate<Quake> {
            #Predicate<Quake> { quakeIDs.contains($0.persistentModelID) }
        }
        """)
    #expect(
      try source("SELF IN %@", [list], as: .nspredicate) == """
        func matchingQuakes(quakeIDs: [NSManagedObjectID]) -> NSPredicate {
            NSPredicate(format: "SELF IN %@", quakeIDs)
        }
        """)
    #expect(
      try source("station IN %@", [.list([station(1), station(2)])]).contains(
        "$0.station.flatMap { stationIDs.contains($0.persistentModelID) } ?? false"))
  }

  @Test func aVariableHasTheTypeOfAllThatItIsComparedWith() throws {
    #expect(
      try source("length($query) == 0 OR code CONTAINS $query") == """
        func matchingQuakes(query: String) -> Predicate<Quake> {
            #Predicate<Quake> { query.isEmpty || $0.code.contains(query) }
        }
        """)
    #expect(
      try source("NOT $all == YES OR confirmed == YES") == """
        func matchingQuakes(all: Bool) -> Predicate<Quake> {
            #Predicate<Quake> { !all || $0.confirmed }
        }
        """)
    #expect(
      try source("$search == nil OR length($search) == 0 OR code CONTAINS $search", as: .nspredicate) == """
        func matchingQuakes(search: String) -> NSPredicate {
            NSPredicate(format: "length(%@) == 0 OR code CONTAINS %@", search, search)
        }
        """)
  }

  @Test(arguments: [
    (#"($0.place ?? "").isEmpty"#, #"($0.place ?? "").isEmpty"#),
    (#"($0.place ?? "").contains("x")"#, #"($0.place ?? "").contains("x")"#),
    (#"($0.place ?? "").localizedStandardContains("x")"#, #"($0.place ?? "").localizedStandardContains("x")"#),
    (#"($0.felt ?? 0) > 3"#, #"($0.felt ?? 0) > 3"#), (#"$0.code.isEmpty"#, "$0.code.isEmpty"),
    (#"!$0.code.isEmpty"#, "!$0.code.isEmpty"),
    ("text.isEmpty ? true : $0.code.contains(text)", "text.isEmpty || $0.code.contains(text)"),
  ])
  func whatIsReadIsPrinted(body: String, printed: String) throws {
    let predicate = try Queries.Predicate(swift: "#Predicate<Quake> { \(body) }", in: ProofModel.model)
    #expect(
      try SwiftPrinter(entity: ProofModel.quake).source(of: predicate, as: .macro).contains(
        "#Predicate<Quake> { \(printed) }"))
  }

  @Test func aRequestForDictionariesIsAnNSFetchRequest() throws {
    var request = Queries.FetchRequest(ProofModel.quake)
    request.predicate = try .parse("magnitude > $minimum")
    request.resultType = .dictionaries
    request.propertiesToFetch = [FetchedColumn("code", .path(PropertyPath(["code"])))]
    request.propertiesToGroupBy = [.path(PropertyPath(["code"]))]
    request.havingPredicate = try .parse("code != 'x'")
    request.returnsDistinctResults = true
    #expect(SwiftPrinter.form(for: request) == .nsFetchRequest)
    let source = try SwiftPrinter(entity: ProofModel.quake).source(of: request, as: .nsFetchRequest)
    #expect(
      source == """
        func quakesRequest(minimum: Double) -> NSFetchRequest<NSDictionary> {
            let request = NSFetchRequest<NSDictionary>(entityName: "Quake")
            request.predicate = NSPredicate(format: "magnitude > %@", minimum as NSNumber)
            request.sortDescriptors = []
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["code"]
            request.propertiesToGroupBy = ["code"]
            request.havingPredicate = NSPredicate(format: "code != 'x'")
            request.returnsDistinctResults = true
            return request
        }
        """)
    #expect(try FetchRequest(swift: source, in: ProofModel.model) == request)
  }
}
