// A board of the strongest earthquakes that a Swift program keeps true: no Lua, no shell.
//
//     swift run LiveBoard

import Foundation
import PeriluneKit

/// What a view would show: a list, the same quakes by country, and the weak ones.
final class Board {
  @FetchRequest(
    sortDescriptors: [SortDescriptor(\.magnitude, order: .reverse)],
    predicate: NSPredicate(format: "magnitude >= %@", 5))
  var strongest: FetchedResults<Quake>
  @SectionedFetchRequest(
    sectionExpression: "country.name", sortDescriptors: [SortDescriptor(\.magnitude, order: .reverse)],
    animation: .easeIn)
  var countries: SectionedFetchResults<String?, Quake>
  @FetchRequest(where: \.magnitude < 5 && \.country != nil) var weak: FetchedResults<Quake>
  @Query(filter: #Predicate<Quake> { $0.magnitude < 5 }, sort: \.place) var quiet: [Quake]
  @Environment(\.managedObjectContext) var context

  func show() {
    for (place, quake) in strongest.enumerated() { print("  \(place + 1). \(line(quake))") }
  }

  func showCountries() {
    for country in countries { print("  \(country.id ?? "at sea"): \(country.map(line).joined(separator: ", "))") }
  }

  func line(_ quake: Quake) -> String { "\(quake.place) \(quake.magnitude)" }
}

func tell(_ change: ResultsChange) {
  let moves = change.moved.map { "\(($0.oldIndex ?? 0) + 1) to \(($0.index ?? 0) + 1)" }
  print("\(change.inserted.count) inserted, \(change.deleted.count) deleted, moved \(moves)")
}

/// Inserts a quake, and its country where there is none of the name.
func insert(_ place: String, _ country: String, _ magnitude: Double, in context: ManagedObjectContext) throws {
  let quake = Quake(context: context)
  quake.place = place
  quake.magnitude = magnitude
  quake.country = try context.fetch(Country.self, where: \.name == country).first ?? Country(context: context)
  quake.country?.name = country
}

let container = try PersistentContainer(":memory:", for: BoardSchema.self)
let context = container.viewContext
let board = Board()
print("without a context:", board.strongest.count, board.strongest.error.map { "\($0)" } ?? "no error")

EnvironmentValues.set(\.managedObjectContext, context)
try insert("Temuco", "Chile", 6.9, in: context)
try insert("Suva", "Fiji", 5.4, in: context)
try context.save()
print("\(board.strongest.count) to begin with")
board.show()

// Observers are told of each save, whoever made it.
let token = board.strongest.onChange(tell)
try insert("Sendai", "Japan", 7.1, in: context)
try insert("Cusco", "Peru", 4.2, in: context)
try insert("Neiafu", "Tonga", 5.8, in: context)
try context.save()
board.show()

// A binding to one property of an object, and an effect that reads it.
let strongest = board.strongest[1]
let magnitude = Bindable(strongest).magnitude
let effect = container.effect { print("effect:", board.line(strongest)) }
magnitude.wrappedValue = 9
try context.processPendingChanges()
board.show()
effect.cancel()
try context.undo()
print("undone:", board.strongest.map(board.line))
token.cancel()

// The request changes while it is live: by a binding, or whole.
board.$strongest.predicate.wrappedValue = "magnitude < \(6.0) AND country.name != \("Fiji")"
print("changed:", board.strongest.map(board.line))
board.strongest.sortDescriptors = [SortDescriptor(\.place)]
print("sorted:", board.strongest.map(board.line))
board.strongest.predicate = "magnitud < 6"
print("a mistake is an error:", board.strongest.error != nil, "and nothing changes:", board.strongest.count)

// Sections.
print("\(board.countries.count) countries")
board.showCountries()
let sections = board.countries.onChange { change in
  let gone = change.deletedSections.map(\.id.displayText)
  print("sections gone \(gone), shown by \(change.transaction.animation?.description ?? "nothing")")
}
board.countries.predicate = \.magnitude > 6
board.showCountries()
sections.cancel()

// A sheet for editing with a context of its own: what it saves is the outer context's, unsaved.
print("\(board.weak.count) weak, of \(board.context === context ? "the context" : "another one")")
let sheet = ManagedObjectContext(parent: context)
try withEnvironment(\.managedObjectContext, sheet) {
  try insert("Arica", "Chile", 4.9, in: sheet)
  try sheet.processPendingChanges()
  print("in the sheet:", board.weak.map(board.line))
  try sheet.save()
}
try context.save()
print("after the sheet:", try context.count(Quake.self, where: \.magnitude < 5))

// The changes are a sequence, too.
let changes = board.weak.changes
for quake in board.quiet.suffix(1) { try context.delete(quake) }
try context.save()
board.weak.close()
for await change in changes { tell(change) }
