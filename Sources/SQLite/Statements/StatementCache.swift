/// The compiled statements of a connection that are not in use, by their text.
///
/// A statement keeps its place while it is out, so that each use hashes its text only once: hashing may take longer than
/// SQLite does. A text in use a second time is compiled a second time; one of both is kept.
struct StatementCache {
  /// Where the idle statement of a text is kept. A place and its idle statement retain each other until `removeAll`.
  final class Place {
    fileprivate var idle: Statement?
    fileprivate var isForgotten = false
  }

  /// The number of texts from which all are forgotten.
  static let limit = 128

  private var places: [String: Place] = [:]

  /// Takes the idle statement of a text; nil if there is none.
  func take(_ sql: String) -> Statement? {
    guard let place = places[sql], let statement = place.idle else { return nil }
    place.idle = nil
    return statement
  }

  /// Keeps a statement for the next use of its text.
  mutating func keep(_ statement: Statement) {
    if let place = statement.place, !place.isForgotten {
      place.idle = statement
      return
    }
    if places.count >= Self.limit { removeAll() }
    let place = places[statement.sql] ?? Place()
    places[statement.sql] = place
    statement.place = place
    place.idle = statement
  }

  /// Forgets all statements. Those that are out are kept again when they come back.
  mutating func removeAll() {
    for place in places.values {
      place.isForgotten = true
      place.idle = nil
    }
    places.removeAll(keepingCapacity: true)
  }
}
