package import SourceChecking

/// A mistake that was found in a script without running it.
public struct ScriptMistake: Sendable {
  /// The kinds of mistakes.
  public enum Kind: String, Sendable {
    /// The text does not compile.
    case syntax
    /// An unknown name.
    case name
    /// An invalid predicate, by itself or for its entity.
    case predicate
    /// A key path, in an order or an aggregate, that its entity does not have.
    case keyPath
  }

  /// The kind of mistake.
  public let kind: Kind
  /// The message.
  public let message: String
  /// The one-based line.
  public let line: Int
  /// The marked part of the line in UTF-8 bytes; empty if Lua reports only the line.
  public let columns: Range<Int>
  /// The wrong word and the right one, where the mistake is one word.
  package let correction: Correction?
}
