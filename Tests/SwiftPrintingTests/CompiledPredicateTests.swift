import Foundation
import Modeling
import Queries
import SwiftPrinting
import TestSupport
import Testing

@Suite(.seeded)
struct CompiledPredicateTests {
  /// PERILUNE_LONG_TESTS=1 compiles more of them.
  private static let count = Effort.isLong ? 400 : 200

  @Test func aPrintedMacroAnswersForEachObjectWhatThePredicateDoes() throws {
    var generator = ProofGenerator(seed: 7)
    var samples: [ProofGenerator.Sample] = []
    var sources: [(source: String, value: String)] = []
    for number in 0..<Self.count {
      // One in four has two clauses; the compiler's time grows fast with them.
      let sample = try generator.next(depth: number % 4 == 3 ? 1 : 0)
      let name = "predicate\(number)"
      let source = try SwiftPrinter(entity: ProofModel.quake, name: name).source(of: sample.predicate, as: .macro)
      samples.append(sample)
      sources.append((source, Self.call(name, source, sample.variables)))
    }
    let answers: [String]
    do {
      answers = try ProofProgram().answers(to: sources)
    } catch let failure as ProofProgram.Failure {
      Issue.record("the program does not compile or run: \(failure.text.suffix(4000))")
      return
    }
    try #require(answers.count == samples.count)
    for (number, sample) in samples.enumerated() {
      let compiled = try CompiledPredicate(
        sample.predicate, entity: ProofModel.quake, semantics: .memory, variables: sample.variables)
      let ours = try ProofObject.quakes().map { try compiled.evaluate($0) == true ? "1" : "0" }.joined()
      #expect(answers[number] == ours, "\(sample.predicate)\n\(sources[number].source)")
    }
  }

  /// The constant, or the call with values for the parameters in their order.
  private static func call(_ name: String, _ source: String, _ variables: [String: Value]) -> String {
    guard source.hasPrefix("func"), let list = source.split(separator: ")").first?.split(separator: "(").last else {
      return name
    }
    let arguments = list.split(separator: ",").compactMap { parameter -> String? in
      let label = parameter.split(separator: ":")[0].filter { $0 != " " }
      return variables[label].map { "\(label): \(ProofProgram.literal($0))" }
    }
    return "\(name)(\(arguments.joined(separator: ", ")))"
  }
}
