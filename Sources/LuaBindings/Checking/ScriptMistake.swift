/// A mistake in a script that was found without running it.
public struct ScriptMistake: Sendable {
  /// What is wrong with it.
  public enum Kind: String, Sendable {
    /// The text is no Lua.
    case syntax
    /// A name that stands for nothing.
    case name
    /// A predicate that is wrong, by itself or for its entity.
    case predicate
    /// A key path, in an order or an aggregate, that its entity has not.
    case keyPath
  }

  /// What is wrong.
  public let kind: Kind
  /// The mistake in words.
  public let message: String
  /// The line, from 1.
  public let line: Int
  /// The marked part of the line in UTF-8 bytes; empty where Lua tells the line alone.
  public let columns: Range<Int>
}
