public import Modeling
public import SwiftParsing

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
}
