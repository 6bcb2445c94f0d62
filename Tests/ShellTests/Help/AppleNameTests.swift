import LuaBindings
import Testing

@testable import Session
@testable import Shell

/// Help on names of SwiftUI, Core Data and SwiftData.
@Suite struct AppleNameTests {
  @Test func whatTheyLeadToIsInTheCatalog() throws {
    let engine = try Engine()
    defer { engine.close() }
    for name in AppleName.all {
      #expect(!name.ours.isEmpty && name.text.hasSuffix("."), "\(name.names)")
      for ours in name.ours { #expect(!engine.catalog.entries(named: ours).isEmpty, "\(name.names): \(ours)") }
    }
  }

  @Test func noNameIsThereTwice() {
    let names = AppleName.all.flatMap(\.names)
    #expect(Set(names).count == names.count)
  }

  @Test(arguments: [
    ("wrappedValue", "State(value) -> state"), ("projectedValue", "state:binding()"),
    ("ObservedObject", "Observable {"),
    ("@StateObject", "Observable {"), ("ObservableObject", "Observable {"), ("Published", "Observable {"),
    ("NSFetchedResultsController", "request:live("), ("nsfetchedresultscontroller", "request:live("),
    ("NSManagedObjectContext", "context:save("), ("FetchDescriptor", "FetchRequest {"),
    ("$projectedValue", "state:binding()"),
  ])
  func helpLeadsToOurs(_ name: String, _ ours: String) throws {
    let result = try BuiltProgram.withStore().run(["quakes.sqlite", "-e", "help '\(name)'"])
    #expect(result.status == 0 && result.errors.isEmpty && result.output.contains(ours), "\(result)")
  }
}
