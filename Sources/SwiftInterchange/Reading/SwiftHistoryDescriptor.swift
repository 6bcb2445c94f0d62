public import Modeling

/// What a `HistoryDescriptor` of SwiftData asks a store's history for, read from Swift source and printed as it.
///
/// ```swift
/// let read = try SwiftHistoryDescriptor(swift: """
///   var descriptor = HistoryDescriptor<DefaultHistoryTransaction>(
///     predicate: #Predicate { $0.token > token && $0.author == "import" })
///   descriptor.fetchLimit = 10
///   """)
/// read.since             // .name("token")
/// read.author            // .value(.string("import"))
/// ```
public struct SwiftHistoryDescriptor: Hashable, Sendable {
  /// A value that stands in the source, or a name from outside of it.
  public enum Operand: Hashable, Sendable {
    case value(Value)
    case name(String)
  }

  /// The token behind which the transactions are.
  public var since: Operand?
  /// The token before which they are.
  public var before: Operand?
  /// The instant before which they are.
  public var beforeDate: Operand?
  /// Who made them.
  public var author: Operand?
  /// The entity of whose objects one was changed.
  public var entity: Operand?
  /// The most of them.
  public var fetchLimit: Operand?

  /// Asks for all of a history.
  public init() {}

  /// Reads a declaration of one, with the constants before it and the assignments behind it.
  ///
  /// - Throws: all mistakes of the text, in its order.
  public init(swift text: String) throws(SwiftReadingError) {
    var parser = SwiftParser(text)
    let statements = parser.parse()
    var reader = HistoryDescriptorReader(text, issues: parser.issues)
    self = try reader.descriptor(of: statements)
  }

  /// Whether a text may be source with one.
  public static func isBegun(by text: String) -> Bool { text.contains("HistoryDescriptor") }

  // MARK: Printing

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
