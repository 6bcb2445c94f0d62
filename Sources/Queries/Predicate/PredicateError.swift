public import Modeling

/// A mistake in a predicate, a path or a request, as a fact with its place; the shell turns it into a sentence.
public struct PredicateError: Error, Hashable, Sendable {
  /// One mistake and where it stands.
  public struct Issue: Hashable, Sendable {
    /// The mistake.
    public var fact: Fact
    /// The place of the mistake; nil for trees that were not parsed.
    public var origin: Origin?

    /// Creates an error with the mistake `fact` at `origin`.
    public init(_ fact: Fact, at origin: Origin? = nil) {
      self.fact = fact
      self.origin = origin
    }
  }

  /// All mistakes found, in the order of the text; at least one.
  public var issues: [Issue]

  /// Reports several mistakes of one text.
  public init(issues: [Issue]) { self.issues = issues }

  /// Reports one mistake.
  public init(_ fact: Fact, at origin: Origin? = nil) { issues = [Issue(fact, at: origin)] }

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
    case wrongArgumentCount(function: String, expected: String, given: Int)
    case unknownPlaceholder(String)
    case tooFewArguments(expected: Int, given: Int)
    case tooManyArguments(expected: Int, given: Int)
    case wrongArgument(placeholder: String, found: String)
    /// A placeholder within quotes, where it is text.
    case placeholderInQuotes(String)
    /// Something of the language that has no meaning here, and the way round it.
    case noMeaning(String, Remedy)
    /// A key of something that has none; what to write instead, if that is known.
    case keyOfValue(String, instead: String?)
    /// A method of another language; what to write instead, if that is known.
    case methodCall(String, instead: String?)
    case tooDeep(limit: Int)
    /// Put together from more than so many comparisons.
    case tooLarge(limit: Int)
    // The model
    case unknownProperty(String, entity: String, nearest: String?)
    /// A word that is not a property, compared with a text: probably a text without quotes; with the comparison in
    /// quotes.
    case unquotedText(String, entity: String, nearest: String?, instead: String)
    /// A property that only descendants of the entity have; how it is reached.
    case propertyOfSubentity(String, entity: String, subentity: String, instead: String)
    /// An object is taken as one of an entity that does not descend from the root of its own.
    case unknownSubentity(String, of: String, nearest: String?)
    case notARelationship(String, entity: String, type: AttributeType, instead: String? = nil)
    case toManyWithoutQuantifier(String)
    case quantifierNeedsToMany(ComparisonModifier, String)
    /// Sides that never compare; the right side that was probably meant.
    case typeMismatch(comparator: String, left: String, right: String, instead: String? = nil)
    /// Something that cannot be asked of a store, or of a bound value.
    case unsupported(Unsupported)
    /// An operand that a function or arithmetic operator cannot take.
    case wrongOperand(function: String, expected: String, found: String, instead: String? = nil)
    /// A variable of the predicate that was given no value; the nearest of those given.
    case unboundVariable(String, nearest: String?)
    /// A value given for a variable that the predicate does not have; the nearest of those it has.
    case unknownVariable(String, nearest: String?)
    case invalidRegularExpression(String, reason: String)
    // The request
    case unknownEntity(String, nearest: String?)
    /// A limit, an offset or a batch size below 0.
    case negativeCount(property: String, Int)
    /// Two columns have the same name.
    case sameColumns(String)
    /// Groups and aggregates are fetched as dictionaries or counted, not as this.
    case groupedResultType(FetchResultType)
    /// A path that has a value for each row, not one for the group.
    case outsideGroup(String)
    case havingWithoutGroups
    /// What makes groups is itself computed over a group.
    case aggregateAsGroup(String)
    /// Sections are of objects, not of this.
    case sectionedResultType(FetchResultType)
    case sectionValuesWithoutSections
    /// A value of sections that is none of all their objects.
    case sectionValueOfEachObject(String)
    /// The order names the section key after another.
    case sectionBehind(String, first: String)
    /// The order takes keys of different sections for equal.
    case sectionsMixed(String)
  }

  /// What has no answer, although it can be written.
  public enum Unsupported: Hashable, Sendable {
    /// A transient property, which no store has.
    case transient(String, isRelationship: Bool)
    /// A property that this store does not keep.
    case notKept(String)
    /// A key of a variable's value: `$quake.magnitude`.
    case keyOfBoundValue(String)
    /// A path to an entity with a key of several columns.
    case severalKeyColumns(path: String)
    /// An object of such an entity as a value.
    case severalKeyColumnsAsValue
    case conditionWithoutTruth
    case listAsValue
    case subqueryAsValue
    /// The operator with such operands.
    case comparison(String)
    case betweenWithoutBounds
    /// An operator that gives many values where one is expected.
    case manyValues(String)
    /// The function or operator takes a collection.
    case notACollection(String)
    case subscriptOfNoCollection
    case subqueryOfNoCollection
    case subqueryOfValues
    /// An aggregate of rows where there are no groups.
    case outsideGroups(String)
    /// The aggregate takes values, not objects.
    case aggregateOfObjects(String)
    /// Over what a relationship of all rows of a group leads to.
    case aggregateOfCollections(String)
    /// The aggregate over decimals and values of other types.
    case mixedDecimals(String)
    /// The function cannot be kept in a derived attribute.
    case derived(String)
    /// The relationship cannot be followed backwards.
    case noInverse(String)
  }

  /// A way round something that has no meaning here.
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
    /// Write what the function stands for.
    case write(String)
    /// There is none.
    case none
  }
}
