public import Modeling
public import Queries

/// An error in Swift source that should become a predicate or a request: facts with their places.
public struct SwiftReadingError: Error, Hashable, Sendable {
  /// One mistake and where it stands.
  public struct Issue: Hashable, Sendable {
    /// What is wrong.
    public var fact: Fact
    /// Where it stands.
    public var origin: Origin?

    /// Says that `fact` holds at `origin`.
    public init(_ fact: Fact, at origin: Origin?) {
      self.fact = fact
      self.origin = origin
    }
  }

  /// What the source was to become.
  public enum Subject: String, Hashable, Sendable { case predicate, model }

  /// What the source was to become.
  public var subject = Subject.predicate
  /// The file that the text is of, if it is of one.
  public var path: String?
  /// All mistakes found, in the order of the text; at least one.
  public var issues: [Issue]

  /// Reports several mistakes of one text.
  public init(issues: [Issue]) { self.issues = issues }

  /// Mistakes reported of one text; more is noise.
  static let issueLimit = 25

  /// A kind of mistake.
  public enum Fact: Hashable, Sendable {
    // The text
    case unexpected(found: String, expected: String)
    case unterminated(String)
    case invalidEscape(String)
    case invalidNumber(String)
    case tooDeep
    // What Swift's macro refuses, or Apple's store at run time
    /// `"\(name)"`
    case interpolation
    /// A method that predicates do not have: `hasSuffix`.
    case method(String)
    /// A function or initialiser that is called with something of the object: `abs`.
    case call(String)
    /// Something that does not depend on the object and is computed within the predicate, with a name for it:
    /// `Date.now`, `person.name`, `cutoff()`.
    case computedInside(String, constant: String)
    /// `.landslide`, or `Nature.landslide`.
    case enumerationCase(String)
    /// Objects compared themselves, not by their identifiers.
    case objectComparison(String)
    /// A statement that predicates do not have: `switch`.
    case statement(String)
    case severalStatements
    case assignment
    case keyPath(String)
    case missingElse
    /// `as? BusinessTrip`, `is BusinessTrip`
    case typeTest(String)
    /// `is Truk` of an entity, in whose family there is no such one.
    case unknownSubentity(String, of: String, nearest: String?)
    /// An operator that predicates do not have: `&+`.
    case swiftOperator(String)
    case joinedText
    /// A member of a collection's elements that was asked of the collection.
    case memberOfCollection(String, collection: String)
    case unknownMember(String, of: String)
    /// An optional where a value is wanted.
    case needsUnwrapping(String)
    /// `?.` or `??` behind what is no optional.
    case notOptional(String)
    /// A value that is no optional, compared with nil.
    case neverNil(String)
    /// Values of two types that Swift does not compare.
    case mixedTypes(String, String)
    /// `if let a = b, c { ... }`
    case bindingWithConditions
    /// `$0` in a branch of `if let`.
    case unnamedInBinding
    /// `(3...)`
    case oneSidedRange(String)
    /// `.orderedSame`
    case memberWithoutType(String, type: String)
    /// A value where a condition is wanted, or the other way round.
    case notACondition(String)
    // The model
    case unknownEntity(String, nearest: String?)
    case unknownProperty(String, entity: String, nearest: String?)
    /// The predicate is of another entity than the one it is for.
    case wrongEntity(String, expected: String)
    case missingEntity
    // Declarations
    case noPredicate
    case noExpression
    /// An `#Expression` whose value is of another type than it is declared to have.
    case otherResult(String, declared: String)
    case noRequest
    case severalRequests([String])
    case severalPredicates([String])
    case unknownRequest(String, nearest: String?)
    /// A request that is named and not declared: `Item.noFaultRequest`.
    case undeclaredRequest(String)
    /// A statement or a part of one that may change a request.
    case notRead(String)
    /// A part of a request that is one thing or another.
    case dependsOnCondition(String)
    case missingArgument(String, of: String)
    case notAKeyPath(String)
    case unknownArgument(String, of: String, nearest: String?)
    case unknownRequestProperty(String, nearest: String?)
    case notAConstant(String)
    case notASortDescriptor(String)
    // Histories
    /// A condition that a history is not asked by.
    case historyCondition(String)
    // Models
    case noModel
    /// Several classes of one name, as in several versions of a schema.
    case severalTypes(String)
    /// Several versions of a schema declare a class of one name.
    case severalSchemas([String])
    case unknownSchema(String, known: [String])
    case unknownType(String, nearest: String?)
    /// A property without a type, whose value does not show it.
    case unknownTypeOfProperty(String)
    /// `@Relationship` before a property that leads to no model.
    case notARelationship(String)
    case wrongDefault(String, expected: String)
    /// An error of the model that the classes declare.
    case model(ModelError)
    /// An error in the format language within `NSPredicate(format:)`, or in the meaning of the predicate.
    case predicate(PredicateError.Fact)
  }
}

/// Collects the mistakes of one text.
package struct SwiftIssues {
  package let text: String
  package private(set) var found: [SwiftReadingError.Issue] = []

  package init(_ text: String) { self.text = text }

  package mutating func report(_ fact: SwiftReadingError.Fact, at range: Range<Int>) {
    found.append(SwiftReadingError.Issue(fact, at: Origin(text: text, range: range)))
  }

  package mutating func report(_ error: PredicateError, at range: Range<Int>) {
    found += error.issues.map { issue in
      SwiftReadingError.Issue(.predicate(issue.fact), at: issue.origin ?? Origin(text: text, range: range))
    }
  }

  /// Throws the mistakes that were found, in the order of the text.
  package func throwAll() throws(SwiftReadingError) {
    guard !found.isEmpty else { return }
    let ordered = found.enumerated().sorted { left, right in
      let (l, r) = (left.element.origin?.range.lowerBound ?? 0, right.element.origin?.range.lowerBound ?? 0)
      return (l, left.offset) < (r, right.offset)
    }
    throw SwiftReadingError(issues: ordered.prefix(SwiftReadingError.issueLimit).map(\.element))
  }
}
