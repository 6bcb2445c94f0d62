package import Modeling
package import Queries

/// Which objects a subset begins with, and which relationships bring others into it.
package struct SubsetOptions {
  /// The requests for the first objects. Without any, all objects of the store are the first ones.
  package var from: [FetchRequest] = []
  /// The relationships whose destinations are taken, as `reports` or `Quake.reports`.
  package var follow: [String] = []
  /// The share of the first objects that is taken, above 0 and up to 1; a hash of the key chooses.
  package var sample = 1.0

  package init() {}

  /// Whether all objects are taken.
  package var isWhole: Bool { from.isEmpty && follow.isEmpty && sample == 1 }
}

extension FetchRequest {
  /// Reads `Quake` or `Quake where magnitude > 6`.
  ///
  /// - Throws: CopyError for a name that is no entity, PredicateError.
  package init(subset text: String, in model: Model) throws {
    let words = text.split(maxSplits: 2, omittingEmptySubsequences: true, whereSeparator: \.isWhitespace)
    let name = String(words.first ?? "")
    guard let entity = model.entity(named: name) else {
      throw CopyError.unknownEntity(name, nearest: nearestName(to: name, in: model.entities.map(\.name)))
    }
    self.init(entity)
    guard words.count > 1 else { return }
    guard words.count == 3, words[1].lowercased() == "where" else { throw CopyError.wrongRequest(text) }
    let parsed = try Predicate.parse(String(words[2]))
    try parsed.check(in: entity)
    predicate = parsed
  }
}
