// A board of the strongest earthquakes that a Swift program keeps true: no Lua, no shell, the engine alone.
//
//     swift run LiveBoard

import LiveQueries
import Modeling
import ObjectGraph
import Queries
import Reactive
import Storage

/// What a view would show.
final class Board {
  @Fetched var strongest: Fetched.Objects

  init(in environment: Environment) {
    _strongest = Fetched("Quake", predicate: "magnitude >= 5", sort: ["-magnitude"], fetchLimit: 3, in: environment)
  }

  func show() throws {
    for (place, quake) in strongest.enumerated() {
      let values = try quake.committedValues().map { $0.value.displayText }
      print("  \(place + 1). \(values.joined(separator: "  "))")
    }
  }
}

let model = try Model([
  EntityDescription(
    "Quake",
    properties: [.attribute(Attribute("place", .string)), .attribute(Attribute("magnitude", .double))])
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
func insert(_ place: String, _ magnitude: Double) throws {
  guard let entity = store.model.entity(named: "Quake") else { return }
  let quake = try context.insert(entity)
  for (name, value) in [("place", Value.string(place)), ("magnitude", .double(magnitude))] {
    if let index = entity.index(of: name) { try quake.setAttribute(at: index, value) }
  }
}

/// Observers are told when the turn runs: after a save, or at the end of an event.
@MainActor
func save() throws {
  try context.save()
  try turn.run()
}

try environment.with(\.managedObjectContext, live.context(context)) {
  let board = Board(in: environment)
  try insert("Chile", 6.9)
  try insert("Fiji", 5.4)
  try save()
  print("\(board.strongest.count) to begin with")
  try board.show()

  let token = board.$strongest.results?.onChange { change in
    let moves = change.moved.map { "\(($0.oldIndex ?? 0) + 1) to \(($0.index ?? 0) + 1)" }
    print("\(change.inserted.count) inserted, \(change.deleted.count) deleted, moved \(moves)")
  }
  defer { token?.cancel() }

  try insert("Japan", 7.1)
  try insert("Peru", 4.2)
  try insert("Tonga", 5.8)
  try save()
  try board.show()

  // Whoever writes is observed.
  _ = try store.sql("UPDATE quake SET magnitude = 9 WHERE place = 'Chile'")
  try turn.run()
  try board.show()

  try board.$strongest.configure { $0.predicate = try Predicate.parse("magnitude < 6") }
  try board.show()
}
live.stop()
