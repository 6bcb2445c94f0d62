public import Modeling

/// What is wrong with a predicate, a path or a request, as facts with their place; the shell turns them into sentences.
public struct PredicateError: Error, Hashable, Sendable {
  /// One mistake and where it stands.
  public struct Issue: Hashable, Sendable {
    public var fact: Fact
    public var origin: Origin?
  }

  /// All mistakes found, in the order of the text; at least one.
  public var issues: [Issue]

  /// Reports several mistakes of one text.
  public init(issues: [Issue]) { self.issues = issues }

  /// Reports one mistake.
  public init(_ fact: Fact, at origin: Origin? = nil) { issues = [Issue(fact: fact, origin: origin)] }

  /// A kind of mistake.
  public enum Fact: Hashable, Sendable {
    // The text
    case unexpected(found: String, expected: String)
    case unterminatedString
    case invalidEscape(String)
    case invalidNumber(String)
    case unknownOperator(String, nearest: String?)
    case unknownOption(String, comparator: String)
    case unknownFunction(String, nearest: String?)
    case unknownPlaceholder(String)
    case tooFewArguments(expected: Int, given: Int)
    case tooManyArguments(expected: Int, given: Int)
    case wrongArgument(placeholder: String, found: String)
    case tooDeep
    // The model
    case unknownProperty(String, entity: String, nearest: String?)
    case notARelationship(String, entity: String, type: AttributeType)
    case toManyWithoutQuantifier(String)
    case tooManyToMany(String)
    case quantifierNeedsToMany(ComparisonModifier, String)
    case typeMismatch(comparator: String, left: String, right: String)
    case unsupported(String)
    case unboundVariable(String, nearest: String?)
    case invalidRegularExpression(String, reason: String)
    // The request
    case unknownOptionName(String, nearest: String?)
    case invalidRequest(String)
  }
}
