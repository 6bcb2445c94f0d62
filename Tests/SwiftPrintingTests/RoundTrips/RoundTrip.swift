import Modeling
import SwiftPrinting
import Testing

@testable import Queries

/// Compares what was printed and read back with what it was before.
enum RoundTrip {
  /// What a predicate answers in memory for each quake of the proof.
  static func answers(_ predicate: Queries.Predicate, _ variables: [String: Value]) throws -> String {
    // Of a clause that is known beforehand nothing is left, and no variable either.
    let used = Set(predicate.variables)
    let compiled = try CompiledPredicate(
      predicate, entity: ProofModel.quake, semantics: .memory, variables: variables.filter { used.contains($0.key) })
    return try ProofObject.quakes().map { try compiled.evaluate($0) == true ? "1" : "0" }.joined()
  }

  /// The predicate as source; nil where the form has no words for it.
  static func source(of predicate: Queries.Predicate, as form: SwiftForm) -> String? {
    try? SwiftPrinter(entity: ProofModel.quake).source(of: predicate, as: form)
  }

  /// Reads a predicate; mistakes are recorded.
  static func read(_ source: String) -> Queries.Predicate? {
    do {
      return try Predicate(swift: source, in: ProofModel.model, of: ProofModel.quake)
    } catch {
      Issue.record("\(error.issues.map(\.fact))\n\(source)")
      return nil
    }
  }

  /// Holds the predicate read from `source` to the answers of `predicate`.
  static func expectSameAnswers(
    _ predicate: Queries.Predicate, _ variables: [String: Value], _ source: String
  ) throws {
    guard let read = read(source) else { return }
    do {
      #expect(try answers(read, variables) == answers(predicate, variables), "\(predicate)\n\(source)\n\(read)")
    } catch {
      Issue.record("\(error)\n\(predicate)\n\(source)\n\(read)")
    }
  }
}

extension Queries.Predicate {
  /// The values that were given apart from the text, in their order.
  var givenValues: [Value] {
    var values: [Value] = []
    _ = replacing { (part, _) -> Queries.Expression? in
      if case .argument(let value, _) = part { values.append(value) }
      return nil
    }
    return values
  }
}
