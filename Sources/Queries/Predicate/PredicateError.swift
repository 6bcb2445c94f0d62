public import Modeling

/// Errors in a predicate, a path or a request, as facts with their places.
public struct PredicateError: Error, Hashable, Sendable {
  /// One error with its place.
  public struct Issue: Hashable, Sendable {
    /// The kind of error.
    public var fact: Fact
    /// The place of the error; nil for trees that were not parsed.
    public var origin: Origin?

    /// Creates an issue.
    public init(_ fact: Fact, at origin: Origin? = nil) {
      self.fact = fact
      self.origin = origin
    }
  }

  /// All errors found, in the order of the text; at least one.
  public var issues: [Issue]

  /// Reports several errors of one text.
  public init(issues: [Issue]) { self.issues = issues }

  /// Reports one error.
  public init(_ fact: Fact, at origin: Origin? = nil) { issues = [Issue(fact, at: origin)] }

  /// The kinds of errors.
  public enum Fact: Hashable, Sendable {
    // The text
    case unexpected(found: String, expected: String)
    case unterminatedString
    case invalidEscape(String)
    case invalidNumber(String)
    case unknownOperator(String, nearest: String?)
    case unknownOption(String, comparator: String)
    case unknownFunction(String, nearest: String?)
    case wrongArgumentCount(function: String, expected: String, given: Int)
    case unknownPlaceholder(String)
    case tooFewArguments(expected: Int, given: Int)
    case tooManyArguments(expected: Int, given: Int)
    case wrongArgument(placeholder: String, found: String)
    /// A placeholder within quotes, where it is text.
    case placeholderInQuotes(String)
    /// A part of the language that has no meaning here, with its remedy.
    case noMeaning(String, Remedy)
    /// A key of a value that has no keys; the probable replacement, if known.
    case keyOfValue(String, instead: String?)
    /// A method of another language; the probable replacement, if known.
    case methodCall(String, instead: String?)
    case tooDeep(limit: Int)
    /// A composed predicate with more comparisons than the limit.
    case tooLarge(limit: Int)
    // The model
    case unknownProperty(String, entity: String, nearest: String?)
    /// An unknown name compared with a text: probably a text without quotes; with the comparison in quotes.
    case unquotedText(String, entity: String, nearest: String?, instead: String)
    /// A property that only descendants of the entity have, with an expression that reaches it.
    case propertyOfSubentity(String, entity: String, subentity: String, instead: String)
    /// A cast to an entity that does not belong to the object's family.
    case unknownSubentity(String, of: String, nearest: String?)
    case notARelationship(String, entity: String, type: AttributeType, instead: String? = nil)
    case toManyWithoutQuantifier(String)
    case quantifierNeedsToMany(ComparisonModifier, String)
    /// Sides that never compare; the probable right side.
    case typeMismatch(comparator: String, left: String, right: String, instead: String? = nil)
    /// An expression that a store, or a bound value, does not support.
    case unsupported(Unsupported)
    /// An operand that a function or arithmetic operator does not accept.
    case wrongOperand(function: String, expected: String, found: String, instead: String? = nil)
    /// An unbound variable of the predicate; the most similar given name.
    case unboundVariable(String, nearest: String?)
    /// A value for a variable that the predicate does not have; the most similar variable.
    case unknownVariable(String, nearest: String?)
    case invalidRegularExpression(String, reason: String)
    // The request
    case unknownEntity(String, nearest: String?)
    /// A limit, an offset or a batch size below 0.
    case negativeCount(property: String, Int)
    /// Two columns have the same name.
    case sameColumns(String)
    /// A result type that groups and aggregates do not support; they are fetched as dictionaries or counted.
    case groupedResultType(FetchResultType)
    /// A path with a value for each row rather than for the group.
    case outsideGroup(String)
    case havingWithoutGroups
    /// A group key that is itself an aggregate.
    case aggregateAsGroup(String)
    /// A result type that sections do not support.
    case sectionedResultType(FetchResultType)
    case sectionValuesWithoutSections
    /// A value of sections that is none of all their objects.
    case sectionValueOfEachObject(String)
    /// The order names the section key after another.
    case sectionBehind(String, first: String)
    /// The sort order treats values of different sections as equal.
    case sectionsMixed(String)
  }

  /// An expression that is valid but has no answer.
  public enum Unsupported: Hashable, Sendable {
    /// A transient property, which no store contains.
    case transient(String, isRelationship: Bool)
    /// A property that this store does not contain.
    case notKept(String)
    /// A key of a variable's value: `$quake.magnitude`.
    case keyOfBoundValue(String)
    case conditionWithoutTruth
    case listAsValue
    case subqueryAsValue
    /// A comparison that is not supported for its operands.
    case comparison(String)
    case betweenWithoutBounds
    /// An operator with several results in a place for a single value.
    case manyValues(String)
    /// The function or operator requires a collection.
    case notACollection(String)
    case subscriptOfNoCollection
    case subqueryOfNoCollection
    case subqueryOfValues
    /// An aggregate of rows without groups.
    case outsideGroups(String)
    /// The aggregate requires values, not objects.
    case aggregateOfObjects(String)
    /// Over what a relationship of all rows of a group leads to.
    case aggregateOfCollections(String)
    /// The aggregate over decimals and values of other types.
    case mixedDecimals(String)
    /// A function that a derived attribute cannot use.
    case derived(String)
    /// The relationship cannot be followed backwards.
    case noInverse(String)
  }

  /// The alternative to an expression that has no meaning here.
  public enum Remedy: Hashable, Sendable {
    /// Write the variable and bind it.
    case bindVariables
    /// Write the types into a list.
    case listTypes
    /// Write the key, or several comparisons.
    case nameTheKey
    /// Write SUBQUERY, or make another request.
    case useSubquery
    /// Compare latitude and longitude.
    case compareCoordinates
    /// Give a random number as an argument.
    case giveNumber
    /// Write the equivalent expression.
    case write(String)
    /// There is no alternative.
    case none
  }
}
