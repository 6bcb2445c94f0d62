/// Predicates without a store: predicates-peer ours|foundation COUNT | parse|format COUNT
///
/// `ours` and `foundation` evaluate the same condition of three clauses over the same earthquakes, half of which fail at
/// the first clause. `parse` reads texts of the format language into trees, `format` prints the trees.

import Foundation
import Modeling
import Queries

/// An earthquake as a Swift program holds it.
struct Quake: PredicateSubject {
  static let entity: Entity = {
    let description = EntityDescription(
      "Quake",
      properties: [
        .attribute(Attribute("magnitude", .double)), .attribute(Attribute("place", .string)),
        .attribute(Attribute("depth", .double)),
      ])
    guard let model = try? Model([description]) else { preconditionFailure("the model is wrong") }
    return model.entities[0]
  }()

  let number: Int64
  let magnitude: Double
  let place: String
  let depth: Double

  init(number: Int) {
    self.number = Int64(number)
    magnitude = Double(number * 37 % 400) / 40
    let regions = ["Chile", "China", "California, the coast of", "Japan, near the east coast", "Chad"]
    place = regions[number % 5] + " \(number % 1000)"
    depth = Double(number % 140)
  }

  var entity: Entity { Self.entity }
  var objectID: ObjectID { ObjectID(entity: entity, key: number) }

  func attribute(at index: Int) -> Value {
    switch index {
    case 0: .double(magnitude)
    case 1: .string(place)
    default: .double(depth)
    }
  }

  func toOne(at index: Int) -> (any PredicateSubject)? { nil }
  func toMany(at index: Int) -> [any PredicateSubject] { [] }
}

func mark(_ line: String) {
  FileHandle.standardError.write(Data((line + "\n").utf8))
}

/// Asks each of the earthquakes five times over.
func evaluate(_ count: Int, _ matches: (Quake) throws -> Bool) rethrows {
  let quakes = (1...count).map(Quake.init)
  var found = 0
  mark("begin")
  for _ in 0..<5 {
    for quake in quakes where try matches(quake) { found += 1 }
  }
  mark("end count=\(found)")
}

func evaluateOurs(_ count: Int) throws {
  let text = "magnitude >= 5 AND place BEGINSWITH \"Ch\" AND depth < 70"
  let predicate = try CompiledPredicate(Queries.Predicate.parse(text), entity: Quake.entity)
  try evaluate(count) { try predicate.evaluate($0) == true }
}

func evaluateFoundation(_ count: Int) throws {
  let predicate = #Predicate<Quake> { $0.magnitude >= 5 && $0.place.starts(with: "Ch") && $0.depth < 70 }
  try evaluate(count) { try predicate.evaluate($0) }
}

let texts = [
  "magnitude >= 5 AND place BEGINSWITH \"Ch\" AND depth < 70",
  "NOT (place CONTAINS[cd] 'coast' OR place LIKE '*Japan*') AND depth BETWEEN {0, 70}",
  "magnitude IN {5, 5.5, 6, 6.5} OR TERNARY(depth > 300, magnitude, magnitude + 1) > 6",
  "SUBQUERY(reports, $r, $r.score > 3 AND $r.author.name != nil).@count > 2",
]

/// Reads, or prints, one text after the other.
func interchange(_ count: Int, isReading: Bool) throws {
  let trees = try texts.map { try Queries.Predicate.parse($0) }
  var size = 0
  mark("begin")
  for number in 0..<count {
    if isReading {
      if case .constant = try Queries.Predicate.parse(texts[number % texts.count]) { size += 1 }
    } else {
      size += trees[number % texts.count].format.utf8.count
    }
  }
  mark("end size=\(size)")
}

let arguments = CommandLine.arguments
guard arguments.count == 3, let count = Int(arguments[2]), count > 0 else {
  mark("usage: predicates-peer ours|foundation|parse|format COUNT")
  exit(64)
}
switch arguments[1] {
case "ours": try evaluateOurs(count)
case "foundation": try evaluateFoundation(count)
case "parse", "format": try interchange(count, isReading: arguments[1] == "parse")
default: exit(64)
}
