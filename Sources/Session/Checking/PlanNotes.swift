package import LuaBindings
internal import Modeling
internal import ObjectGraph
package import Queries
package import SourceChecking
internal import Stores

/// Notes on requests whose objects a store finds by reading a whole table, or sorts in memory, by its own plans.
///
///     notes.findings(result.requests, in: "List.swift", lines)     // reads all 4,000 Quake to find 16; an index on ... would help
///
/// No request runs to its end. A predicate is tried on the first objects of a table, and each request is judged once.
package final class PlanNotes {
  /// The number of objects on which a predicate is tried.
  private static let mostObjects = 20_000

  private let engine: Engine
  private var known: [FetchRequest: Judgement] = [:]
  /// The numbers of objects.
  private var totals: [Entity: Int] = [:]

  /// What is wrong with a plan, in words.
  private struct Judgement {
    var reading: String?
    var sorting: String?
  }

  /// Asks the open store of an engine.
  package init(_ engine: Engine) { self.engine = engine }

  /// The notes on the requests of a file.
  package func findings(_ requests: [SourceRequest], in file: String, _ lines: SourceLines) -> [CheckFinding] {
    var findings: [CheckFinding] = []
    for request in requests {
      let judgement = judgement(of: request.request)
      for (words, range) in [(judgement.reading, request.predicate), (judgement.sorting, request.order)] {
        guard let words, let range else { continue }
        findings.append(CheckFinding(note: words, rule: "no-index", at: range, in: file, lines))
      }
    }
    return findings
  }

  /// The plan of a request in the model's terms; empty where the store has none for it.
  package func plan(of request: FetchRequest) -> [String] {
    guard let store = engine.stores.context(of: request.entity)?.store, let example = request.withExampleValues else {
      return []
    }
    return (try? store.diagnosis(of: example).words) ?? []
  }

  // MARK: Judging

  private func judgement(of request: FetchRequest) -> Judgement {
    if let judged = known[request] { return judged }
    // What cannot be planned or counted is not judged.
    let judged = (try? judge(request)) ?? Judgement()
    known[request] = judged
    return judged
  }

  private func judge(_ request: FetchRequest) throws -> Judgement {
    guard let context = engine.stores.context(of: request.entity), let example = request.withExampleValues else {
      return Judgement()
    }
    let diagnosis = try context.store.diagnosis(of: example)
    guard diagnosis.scanned != nil || diagnosis.sorts else { return Judgement() }
    let total = try totals[request.entity] ?? context.store.count(FetchRequest(request.entity))
    totals[request.entity] = total
    guard total >= diagnosis.worthwhileRows else { return Judgement() }
    var tally: PredicateTally?
    if let predicate = request.predicate, predicate.variables.isEmpty {
      tally = try PredicateTally(predicate, of: request.entity, in: context, most: Self.mostObjects)
    }
    let wanted = request.predicate == nil ? total : tally?.yes
    return Judgement(
      reading: request.predicate == nil ? nil : reading(diagnosis, total, tally, request.entity),
      sorting: wanted.flatMap { sorting(diagnosis, $0, request) })
  }

  /// That the table of the entity is read whole, though fewer than half of the objects are wanted.
  private func reading(
    _ diagnosis: ReadDiagnosis, _ total: Int, _ tally: PredicateTally?, _ entity: Entity
  ) -> String? {
    guard diagnosis.scanned == entity.name, tally.map({ $0.yes * 2 < $0.total }) ?? true,
      let way = help(diagnosis, entity) ?? diagnosis.obstacles.first?.description
    else { return nil }
    let found = tally.flatMap { $0.isWhole ? " to find \(Quantity.grouped($0.yes))" : nil } ?? ""
    return "reads all \(Quantity.grouped(total)) \(entity.name)\(found); \(way)"
  }

  /// That objects are sorted in memory, many of them, or more than are taken.
  private func sorting(_ diagnosis: ReadDiagnosis, _ wanted: Int, _ request: FetchRequest) -> String? {
    let least = request.isLimited ? diagnosis.worthwhileRows : ReadDiagnosis.worthwhileSort
    guard diagnosis.sorts, wanted >= least, let help = help(diagnosis, request.entity) else { return nil }
    return "sorts \(Quantity.grouped(wanted)) \(request.entity.name) in memory; \(help)"
  }

  private func help(_ diagnosis: ReadDiagnosis, _ entity: Entity) -> String? {
    guard !diagnosis.advice.isEmpty else { return nil }
    let indexes = diagnosis.advice.map { advice in
      (advice.entity === entity ? "" : advice.entity.name + ": ") + advice.keyText
    }
    return "an index on \(indexes.joined(separator: " and one on ")) would help"
  }
}
