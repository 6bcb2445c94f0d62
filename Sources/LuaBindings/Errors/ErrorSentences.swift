internal import AppleModels
internal import Comparison
internal import LiveQueries
internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Queries
internal import Reactive
internal import Stores
internal import SwiftParsing
internal import SwiftPrinting
internal import Transfer

// Only the files of this name, one for each subject, turn facts into sentences. A sentence names the place in the
// user's terms, what was expected, what was found, and the nearest right name. To add an error, add a case to its fact;
// the compiler then requires a sentence here.

extension ErrorReport {
  /// Turns any error of the engine into a report.
  public init(_ error: any Error) {
    switch error {
    case let error as any ReportedError: self = error.report
    case let error as ScriptError: self = .init("argument", error.sentence)
    case let error as AppleModelError: self = .init("model", error.sentence, exitStatus: error.exitStatus)
    case let error as ModelError: self = .init("model", error.sentence, exitStatus: 69)
    case let error as DerivationError: self = Self.report(error)
    case let error as PredicateError: self = Self.report(error)
    case let error as SwiftReadingError: self = Self.report(error)
    case let error as FetchTemplateError:
      self = Self.report(error.error)
      message = "\(error.place): \(message)"
    case let error as SwiftPrintingError: self = Self.report(error)
    case let error as StoreError: self = Self.report(error)
    case let error as GraphError: self = Self.report(error)
    case let error as ComparisonError:
      if case .conflicts(let conflicts) = error {
        self = Self.report(differencesIn: conflicts)
      } else {
        self = .init("comparison", error.sentence)
      }
    case let error as PatchError: self = .init("patch", error.sentence, exitStatus: 65)
    case let error as CopyError: self = .init("copy", error.sentence)
    case let error as IndexObstacle: self = .init("index", error.sentence)
    case let error as ValueError: self = .init("value", error.sentence)
    case let error as JSONError: self = .init("value", error.sentence)
    case let error as ModelCodingError: self = .init("model", error.sentence, exitStatus: 69)
    case let error as DelimitedError: self = .init("data", error.sentence, exitStatus: 65)
    case let error as JSONRowsError: self = .init("data", error.sentence, exitStatus: 65)
    case let error as LiveQueryError: self = .init("results", error.sentence)
    case let error as UpdateFailure: self = Self.report(error)
    case let error as EndlessRounds: self = .init("observers", error.sentence)
    case let error as LuaError: self = Self.report(error)
    default: self = .init("error", String(describing: error))
    }
    message = message.withoutPasswords
    for index in details.indices { details[index].message = details[index].message.withoutPasswords }
  }

  /// A suggestion as the end of a sentence; empty for nil.
  static func hint(_ nearest: String?) -> String { nearest.map { "; did you mean '\($0)'?" } ?? "" }

  /// That a function has no option of a name: with the nearest name, or else all of them.
  package static func unknownOption(_ name: String, among names: [String]) -> String {
    let near = hint(nearest(name, names))
    return "there is no option '\(name)'\(near.isEmpty && !names.isEmpty ? "; expected \(list(names, "or"))" : near)"
  }

  /// Names as a list in a sentence: `a`, `a and b`, `a, b and c`.
  static func list(_ names: [String], _ conjunction: String = "and") -> String {
    guard names.count > 1 else { return names.first ?? "" }
    // The runtime knows how to join an array; for a slice it searches all conformances, at each start.
    return "\(Array(names.dropLast()).joined(separator: ", ")) \(conjunction) \(names[names.count - 1])"
  }

  static func count(_ number: Int, _ noun: String) -> String { Quantity.count(number, noun) }

  /// A type's name with its article.
  static func article(_ name: String) -> String {
    let vowel = name.first.map { "aeiouAEIO".contains($0) } ?? false
    return "\(vowel ? "an" : "a") \(name)"
  }
}
