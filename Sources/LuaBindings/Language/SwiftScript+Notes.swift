internal import SwiftReading

extension SwiftScript {
  /// The notes on a script.
  var notes: [String] {
    var notes: [String] = []
    for request in requests {
      if request.variables.isEmpty {
        notes.append("\(request.name) is live\(shownColumns(request.name))")
      } else {
        notes.append(Self.sentence(binding: request.variables, of: request.name))
      }
    }
    if requests.isEmpty, !variables.isEmpty { notes.append(Self.sentence(binding: variables, of: sourceName ?? "_")) }
    for list in lists
    where !requests.contains(where: { $0.name == list.results }) && !unknown.contains(list.results) {
      notes.append("\(list.results) is shown\(shownColumns(list.results))")
    }
    notes += declared
    for function in functions {
      let call = "\(function.name)(\(function.parameters.joined(separator: ", ")))"
      let what = function.changes.isEmpty ? "is \(function.place)" : "sets \(function.changes.joined(separator: ", "))"
      notes.append("\(call) \(what)\(function.isObserver ? ", and runs with each change" : "")")
    }
    if declares || source != nil { notes += bindings.map { "\($0.view): \($0.lua)" } }
    notes += laterLines.map { "then: \($0)" }
    notes += unknown.map { "nothing is called \($0) yet; paste its declaration first" }
    notes += plain.map { "\($0) is no State, which has a binding: \($0) = State(\($0))" }
    notes += renamed.map { "\($0), as that name is taken" }
    if !leftOut.isEmpty { notes.append("left out: \(leftOut.joined(separator: ", "))") }
    return notes
  }

  private func shownColumns(_ results: String) -> String {
    guard let list = lists.first(where: { $0.results == results }), !list.columns.isEmpty else { return "" }
    let titles = list.columns.map { $0.title ?? $0.path }
    return ", with the columns \(titles.joined(separator: ", "))\(list.isSectioned ? ", in sections" : "")"
  }

  /// `startDate (Date) has no value; items = items:bind { startDate = Date "2024-01-01" }:live()`
  private static func sentence(binding variables: [Variable], of name: String) -> String {
    let words = variables.map { variable in
      variable.type.map { "\(variable.name) (\($0))" } ?? variable.source.map { "\(variable.name) (\($0))" }
        ?? variable.name
    }
    let values = variables.map { "\($0.name) = \(sample($0.type ?? ""))" }.joined(separator: ", ")
    let assigned = name == "_" ? "" : "\(name) = "
    let live = name == "_" ? "" : ":live()"
    return "\(ErrorReport.list(words)) \(words.count == 1 ? "has" : "have") no value; "
      + "give \(words.count == 1 ? "it one" : "them some"): \(assigned)\(name):bind { \(values) }\(live)"
  }

  /// A value of a type of Swift, as an example.
  private static func sample(_ type: String) -> String {
    switch type.filter({ $0 != "?" }) {
    case "Date": "Date \"2026-01-01\""
    case "String": "\"text\""
    case "Bool": "true"
    case "Double", "Float", "CGFloat", "TimeInterval": "1.5"
    case "Int", "Int16", "Int32", "Int64", "NSNumber": "1"
    case "UUID": "UUID \"…\""
    case "Decimal", "NSDecimalNumber": "Decimal \"1.5\""
    case let list where list.hasPrefix("["): "{ }"
    default: "…"
    }
  }
}
