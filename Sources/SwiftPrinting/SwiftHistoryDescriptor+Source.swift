internal import Modeling
internal import SwiftParsing
public import SwiftReading

extension SwiftHistoryDescriptor {
  /// The source: a constant, or a function of the tokens.
  public var source: String {
    var conditions: [String] = []
    var parameters: [String] = []
    func add(_ condition: String, _ operand: Operand?, _ name: String, _ type: String) {
      switch operand {
      case nil: break
      case .name(let own):
        parameters.append("\(SwiftNames.identifier(own)): \(type)")
        conditions.append("\(condition) \(SwiftNames.identifier(own))")
      case .value(.int):
        // A token is no literal of Swift.
        parameters.append("\(name): \(type)")
        conditions.append("\(condition) \(name)")
      case .value(let value): conditions.append("\(condition) \(SwiftLiteral.initializer(value) ?? "nil")")
      }
    }
    add("$0.token >", since, "token", "DefaultHistoryToken")
    add("$0.token <", before, "end", "DefaultHistoryToken")
    var constants: [String] = []
    if case .value(.date(let date))? = beforeDate {
      constants.append("let date = \(SwiftLiteral.date(date))  // \(date.iso8601)")
      conditions.append("$0.timestamp < date")
    } else {
      add("$0.timestamp <", beforeDate, "date", "Date")
    }
    add("$0.author ==", author, "author", "String")
    if case .value(.string(let name))? = entity {
      conditions.append(
        "$0.changes.contains { $0.changedPersistentIdentifier.entityName == \(SwiftLiteral.string(name)) }")
    }
    let type = "HistoryDescriptor<DefaultHistoryTransaction>"
    let predicate = conditions.isEmpty ? "" : "predicate: #Predicate { \(conditions.joined(separator: " && ")) }"
    var lines = constants
    let limit: String? =
      switch fetchLimit {
      case .value(.int(let number)): "\(number)"
      case .name(let name): SwiftNames.identifier(name)
      default: nil
      }
    let head = "\(limit == nil ? "let" : "var") descriptor = \(type)"
    let isShort = head.count + predicate.count < 90
    lines += isShort ? ["\(head)(\(predicate))"] : ["\(head)(", "    \(predicate)", ")"]
    if let limit { lines.append("descriptor.fetchLimit = \(limit)") }
    if case .name(let name)? = fetchLimit { parameters.append("\(SwiftNames.identifier(name)): Int") }
    if parameters.isEmpty { return lines.joined(separator: "\n") }
    let body = (lines + ["return descriptor"]).map { "    \($0)\n" }.joined()
    return "func history(\(parameters.joined(separator: ", "))) -> \(type) {\n\(body)}"
  }
}
