import Modeling
import Stores

/// Writes random statements about trips, as programs that know nothing of objects do.
struct OtherScript {
  /// What tables and columns are called, which differs with who made the store.
  struct Names {
    /// The key of trips, and whether it is an integer.
    var tripKey: String
    var hasNumbers = true
    /// The key of everything else.
    var key: String
    /// The columns that refer: of trips, places, guests, and in the table of pairs.
    var place: String
    var country: String
    var trip: String
    var pairs: String
    var tag: String
  }

  let names: Names
  private let graph: RandomGraph

  init(_ names: Names, _ graph: RandomGraph) {
    self.names = names
    self.graph = graph
  }

  /// Statements of some transactions, of which some are undone, as a whole or in part.
  func statements() -> [String] {
    var statements: [String] = []
    for _ in 0..<1 + graph.random.below(3) {
      switch graph.random.below(4) {
      case 0, 1: statements.append(statement())
      default:
        statements.append("BEGIN")
        for _ in 0..<1 + graph.random.below(3) { statements += part() }
        statements.append(graph.random.chance(oneIn: 5) ? "ROLLBACK" : "COMMIT")
      }
    }
    return statements
  }

  private func part() -> [String] {
    guard graph.random.chance(oneIn: 4) else { return [statement()] }
    let end = graph.random.chance(oneIn: 2) ? ["ROLLBACK TO part", "RELEASE part"] : ["RELEASE part"]
    return ["SAVEPOINT part", statement(), statement()] + end
  }

  // MARK: Statements

  private func statement() -> String {
    switch graph.random.below(12) {
    case 0, 1: insertTrip()
    case 2, 3: replaceTrip()
    case 4, 5, 6: updateTrip()
    case 7: graph.random.chance(oneIn: 6) ? "DELETE FROM trip" : "DELETE FROM trip WHERE \(row("trip"))"
    case 8, 9: writePlace()
    case 10: writeGuest()
    default: writeTag()
    }
  }

  private func insertTrip() -> String {
    let insert =
      "INSERT \(graph.random.pick(["", "", "OR IGNORE "]))INTO trip (code, name, cost, stars, \(names.place)) "
      + "VALUES (\(code()), \(text()), \(number()), \(number()), \(some("place")))"
    guard graph.random.chance(oneIn: 3) else { return insert.replacing("OR IGNORE ", with: "") }
    return insert.replacing("OR IGNORE ", with: "")
      + " ON CONFLICT (code) DO UPDATE SET cost = excluded.cost, \(names.place) = excluded.\(names.place)"
  }

  /// By the key, or by the code of another.
  private func replaceTrip() -> String {
    if names.hasNumbers, graph.random.chance(oneIn: 2) {
      let columns = "\(names.tripKey), name, cost, \(names.place)"
      return "INSERT OR REPLACE INTO trip (\(columns)) "
        + "VALUES (\(some("trip")), \(text()), \(number()), \(some("place")))"
    }
    if graph.random.chance(oneIn: 3) { return "UPDATE OR REPLACE trip SET code = \(code()) WHERE \(row("trip"))" }
    if names.hasNumbers, graph.random.chance(oneIn: 3) {
      return "UPDATE OR REPLACE trip SET \(names.tripKey) = coalesce(\(some("trip")), 77) WHERE \(row("trip"))"
    }
    return "INSERT OR REPLACE INTO trip (code, name, stars, \(names.place)) "
      + "VALUES (\(code()), \(text()), \(number()), \(some("place")))"
  }

  private func updateTrip() -> String {
    let change = graph.random.pick([
      "cost = \(number())", "name = \(text()), stars = \(number())", "\(names.place) = \(some("place"))",
      "start = 1700000000 + \(number()) * 50000", "cost = cost", "note = \(text())",
    ])
    return "UPDATE trip SET \(change)" + (graph.random.chance(oneIn: 3) ? " WHERE stars > 2" : " WHERE \(row("trip"))")
  }

  private func writePlace() -> String {
    switch graph.random.below(7) {
    case 0: "INSERT INTO place (name, rank, \(names.country)) VALUES (\(text()), \(number()), \(some("country")))"
    case 1: "UPDATE place SET name = \(text()), rank = \(number()) WHERE \(row("place"))"
    case 2: "UPDATE place SET \(names.country) = \(some("country")) WHERE \(row("place"))"
    case 3: "DELETE FROM place WHERE \(row("place"))"
    case 4: "INSERT OR REPLACE INTO place (\(names.key), name) VALUES (\(some("place")), \(text()))"
    case 5: "UPDATE country SET name = \(text()) WHERE \(row("country"))"
    default: graph.random.chance(oneIn: 2) ? "INSERT INTO country (name) VALUES (\(text()))" : "DELETE FROM country"
    }
  }

  private func writeGuest() -> String {
    switch graph.random.below(6) {
    case 0: "INSERT INTO guest (name, age, \(names.trip)) VALUES (\(text()), \(number()), \(some("trip")))"
    case 1: "UPDATE guest SET \(names.trip) = \(some("trip")) WHERE \(row("guest"))"
    case 2: "UPDATE guest SET age = \(number())"
    case 3: "DELETE FROM guest WHERE \(row("guest"))"
    case 4:
      "INSERT OR REPLACE INTO guest (\(names.key), name, age, \(names.trip)) "
        + "VALUES (\(some("guest")), 'a', \(number()), \(some("trip")))"
    default: "DELETE FROM guest"
    }
  }

  private func writeTag() -> String {
    switch graph.random.below(7) {
    case 0: "INSERT INTO tag (label) VALUES (\(text()))"
    case 1: "UPDATE tag SET label = \(text()) WHERE \(row("tag"))"
    case 2: "DELETE FROM tag WHERE \(row("tag"))"
    case 3, 4:
      "INSERT OR REPLACE INTO \(names.pairs) (\(names.trip), \(names.tag)) VALUES (\(some("trip")), \(some("tag")))"
    case 5: "UPDATE OR REPLACE \(names.pairs) SET \(names.tag) = \(some("tag")) WHERE \(names.trip) = \(some("trip"))"
    default:
      "DELETE FROM \(names.pairs)\(graph.random.chance(oneIn: 2) ? " WHERE \(names.trip) = \(some("trip"))" : "")"
    }
  }

  // MARK: Parts

  private func key(of table: String) -> String { table == "trip" ? names.tripKey : names.key }

  /// The key of one of the first rows of a table; nothing where there are fewer.
  private func some(_ table: String) -> String {
    let key = key(of: table)
    return "(SELECT \(key) FROM \(table) ORDER BY \(key) LIMIT 1 OFFSET \(graph.random.below(6)))"
  }

  private func row(_ table: String) -> String { "\(key(of: table)) = \(some(table))" }

  private func code() -> String { graph.random.chance(oneIn: 6) ? "NULL" : "'c\(graph.random.below(12))'" }

  private func text() -> String { graph.random.pick(["'a'", "'A'", "'b'", "'ab'", "''", "'é'", "NULL"]) }

  private func number() -> String { graph.random.pick(["0", "1", "2", "3", "4", "5", "2.5", "NULL"]) }
}
