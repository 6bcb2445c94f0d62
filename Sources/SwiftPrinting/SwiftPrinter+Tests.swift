internal import Modeling
public import Queries
internal import SwiftParsing

extension SwiftPrinter {
  /// A self-contained test in Swift Testing: classes with the properties that the predicate uses, objects, and the expected
  /// results.
  ///
  /// - Throws: SwiftPrintingError for what the form cannot express, and the errors of reading the objects.
  public func testSource(
    of predicate: Queries.Predicate, as form: SwiftForm, _ samples: SwiftTestSamples
  ) throws -> String {
    let entity = try knownEntity(form)
    guard form == .macro || form == .nspredicate, predicate.variables.isEmpty else {
      throw SwiftPrintingError(.untestable(form))
    }
    if predicate.asksForSubentities { throw SwiftPrintingError(.untestableInheritance) }
    let fixture = TestFixture(predicate, entity)
    let isMacro = form == .macro
    let objects = SwiftNames.identifier(SwiftNames.objects(entity))
    var printer = self
    printer.name = "predicate"
    let declaration = try printer.source(of: predicate, as: form)
    let ordered = samples.ordered
    let rows = try ordered.enumerated().map { position, sample in
      let text = try isMacro ? fixture.object(sample.object) : fixture.dictionary(sample.object)
      let comma = position == ordered.count - 1 ? "" : ","
      return "        \(text)\(comma)\(sample.isNeither ? "  // neither in the store: a nil was compared" : "")\n"
    }
    let answers = ordered.map { String($0.isMatch) }.joined(separator: ", ")
    let type = isMacro ? "[\(entity.name)]" : "[[String: Any]]"
    let call =
      isMacro ? "try \(objects).map { try predicate.evaluate($0) }" : "\(objects).map { predicate.evaluate(with: $0) }"
    let function = SwiftNames.identifier(name ?? "matching" + SwiftNames.capitalized(SwiftNames.objects(entity)))
    let body = declaration.split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)\n" }.joined()
    return "import Foundation\nimport Testing\n\n" + (isMacro ? fixture.classes + "\n\n" : "")
      + "@Test func \(function)()\(isMacro ? " throws" : "") {\n"
      + body + "    let \(objects): \(type) = [\n" + rows.joined() + "    ]\n"
      + "    let answers = \(call)\n    #expect(answers == [\(answers)])\n}"
  }
}

extension Queries.Predicate {
  /// Whether it asks for the entity of an object, or takes one as of a subentity.
  fileprivate var asksForSubentities: Bool {
    var asks = paths.contains(where: \.hasCasts)
    _ = replacing { (part, _) -> Queries.Expression? in
      if case .function(.entityName, _, _) = part { asks = true }
      return nil
    }
    return asks
  }
}
