// A board of the strongest earthquakes that a Swift program keeps true: no Lua, no shell, the engine alone.
//
//     swift run LiveBoard

import LiveQueries
import Modeling
import ObjectGraph
import Queries
import Reactive
import Storage

/// What a view would show: a list, the same quakes by country, and a query in the words of SwiftData.
final class Board {
  @Fetched var strongest: LiveObjects
  @SectionedFetched var countries: FetchedSections
  @Query var weak: LiveObjects

  init(in environment: Environment) {
    _strongest = Fetched("Quake", predicate: "magnitude >= 5", sort: ["-magnitude"], fetchLimit: 3, in: environment)
    _countries = SectionedFetched(
      "Quake", sectionIdentifier: "country", sort: ["country", "-magnitude"], animation: "easeIn", in: environment)
    _weak = Query("Quake", filter: "magnitude < 5", sort: ["place"], order: .reverse, in: environment)
  }

  func show() throws {
    for (place, quake) in strongest.enumerated() { print("  \(place + 1). \(try line(quake))") }
  }

  func showCountries() throws {
    for country in countries {
      print("  \(country.id.displayText): \(try country.map(line).joined(separator: ", "))")
    }
  }

  func line(_ quake: ManagedObject) throws -> String {
    try ["place", "magnitude"].map { name in
      try quake.entity.index(of: name).map { try quake.attribute(at: $0).displayText } ?? ""
    }.joined(separator: "  ")
  }
}

let model = try Model([
  EntityDescription(
    "Quake",
    properties: [
      .attribute(Attribute("place", .string)), .attribute(Attribute("country", .string)),
      .attribute(Attribute("magnitude", .double)),
    ])
])
var options = StoreOptions(path: ":memory:")
options.model = model
options.create = true
let store = try SQLiteStore(options)
let context = ObjectContext(store: store)
let turn = Turn()
let live = LiveStore(store, turn: turn)
let environment = Environment()

@MainActor
func insert(_ place: String, _ country: String, _ magnitude: Double, in context: ObjectContext = context) throws {
  guard let entity = store.model.entity(named: "Quake") else { return }
  let quake = try context.insert(entity)
  let values = [("place", Value.string(place)), ("country", .string(country)), ("magnitude", .double(magnitude))]
  for (name, value) in values {
    if let index = entity.index(of: name) { try quake.setAttribute(at: index, value) }
  }
}

/// Observers are told when the turn runs: after a save, or at the end of an event.
@MainActor
func save() throws {
  try context.save()
  try turn.run()
}

func tell(_ change: ResultsChange) {
  let moves = change.moved.map { "\(($0.oldIndex ?? 0) + 1) to \(($0.index ?? 0) + 1)" }
  print("\(change.inserted.count) inserted, \(change.deleted.count) deleted, moved \(moves)")
}

let board = Board(in: environment)
print("without a context:", board.strongest.count, board.$strongest.error.map { "\($0)" } ?? "no error")

try environment.with(\.managedObjectContext, live.context(context)) {
  try insert("Temuco", "Chile", 6.9)
  try insert("Suva", "Fiji", 5.4)
  try save()
  print("\(board.strongest.count) to begin with")
  try board.show()

  let token = board.$strongest.onChange(tell)
  defer { token.cancel() }

  try insert("Sendai", "Japan", 7.1)
  try insert("Cusco", "Peru", 4.2)
  try insert("Neiafu", "Tonga", 5.8)
  try save()
  try board.show()

  // Observes the writes of every program.
  _ = try store.sql("UPDATE quake SET magnitude = 9 WHERE place = 'Temuco'")
  try turn.run()
  try board.show()

  try board.$strongest.configure { $0.predicate = try Predicate.parse("magnitude < 6") }
  try board.show()

  // Sections, and what belongs together set together.
  try insert("Iquique", "Chile", 5.1)
  try save()
  print("\(board.countries.count) countries")
  try board.showCountries()
  let sections = board.$countries.onChange { change in
    let gone = change.deletedSections.map(\.id.displayText)
    let new = change.insertedSections.map(\.id.displayText)
    print("sections gone \(gone), new \(new), shown by \(change.transaction.animation ?? "nothing")")
  }
  try board.$countries.configure { configuration in
    configuration.predicate = try Predicate.parse("magnitude > 6")
    configuration.sortDescriptors = [SortDescriptor("-country")]
  }
  try board.showCountries()
  board.$countries.sortDescriptors = [SortDescriptor("magnitude"), SortDescriptor("country")]
  print("a contradiction is an error:", board.$countries.error != nil, "and nothing changes:", board.countries.count)
  sections.cancel()

  // A query, and a sheet for editing with a context of its own: what it shows is told as one change.
  print("\(board.weak.count) weak, of \(board.$weak.context === context ? "the context" : "another one")")
  let weak = board.$weak.onChange(tell)
  let sheet = ObjectContext(parent: context)
  try insert("Arica", "Chile", 4.9, in: sheet)
  try environment.with(\.managedObjectContext, live.context(sheet)) {
    print("in the sheet:", try board.weak.map(board.line).joined(separator: ", "))
    try turn.run()
  }
  weak.cancel()
}

// The changes of each are a sequence, too.
let changes = board.$strongest.changes
_ = try store.sql("DELETE FROM quake WHERE magnitude < 5.5")
try turn.run()
board.$strongest.close()
for await change in changes { tell(change) }
live.stop()
