/// The maximum depths of nested structures that users build; every function that recurses into one checks its bound.
///
/// A stack overflow ends the process. These bounds are far below that, and far above the depths that people write.
/// Exceeding one is an error with a message.
public enum Nesting {
  /// Lua tables that become values, are displayed, or are written as JSON.
  public static let tables = 100
  /// JSON, in columns and in files.
  public static let json = 500
  /// Composite attributes in composite attributes.
  public static let composites = 32
  /// Entities that inherit from one another.
  public static let inheritance = 64
  /// Child contexts of child contexts.
  public static let contexts = 100
  /// Brackets in the text of a predicate.
  public static let predicateText = 128
  /// Brackets in a composed predicate: no deeper than its printed form can be parsed, with room for the brackets within
  /// its comparisons.
  public static let predicates = 100
  /// Swift source.
  public static let swiftSource = 128
  /// Predicates that Swift source composes.
  public static let swiftPredicates = 100
  /// Elements of a model document.
  public static let markup = 100
  /// Collections in property lists and keyed archives.
  public static let archives = 100
  /// Predicates in keyed archives.
  public static let archivedPredicates = 90
}
