/// The greatest depths of the nested structures that users build; every function that recurses into one checks them.
///
/// A stack overflow ends the process. These bounds stay far below it, and far above what people write by hand;
/// exceeding one is an error with a sentence.
public enum Nesting {
  /// Tables of scripts that become values, and those that are shown or written as JSON.
  public static let tables = 100
  /// JSON, in columns and in files.
  public static let json = 500
  /// Composite attributes in composite attributes.
  public static let composites = 32
  /// Entities that inherit from one another.
  public static let inheritance = 64
  /// Contexts on contexts.
  public static let contexts = 100
  /// Brackets in the text of a predicate.
  public static let predicateText = 128
  /// Brackets in a predicate that is put together: as deep as it can be read again when it is printed, with room for the
  /// brackets within its comparisons.
  public static let predicates = 100
  /// Swift source.
  public static let swiftSource = 128
  /// Predicates that Swift source puts together.
  public static let swiftPredicates = 100
  /// Elements of a model document.
  public static let markup = 100
  /// Collections in property lists and keyed archives.
  public static let archives = 100
  /// Predicates in keyed archives.
  public static let archivedPredicates = 90
}
