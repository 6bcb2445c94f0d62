/// Why a predicate or a request has no form in Swift, as a fact; the shell makes a sentence of it.
public struct SwiftPrintingError: Error, Hashable, Sendable {
  /// The clause it is about, in the format language; empty where it is about the whole.
  public var clause: String
  /// What stands in the way.
  public var fact: Fact

  /// Says that `fact` holds of `clause`.
  public init(_ fact: Fact, in clause: String = "") {
    self.fact = fact
    self.clause = clause
  }

  /// What stands in the way of a form.
  public enum Fact: Hashable, Sendable {
    /// A construct that `#Predicate` does not have, and what can be written in its place.
    case notInMacro(String, instead: Alternative)
    /// Values of two types, which `#Predicate` does not convert.
    case differentTypes(left: String, right: String)
    /// A name that Swift cannot have.
    case notAnIdentifier(String)
    /// A variable that is compared with nothing of a known type.
    case unknownType(variable: String)
    /// Something of ours that Apple's format language does not have.
    case notInFormat(String, instead: Alternative)
    /// A constant that no Swift expression makes.
    case unwritableConstant(String)
    /// A part of a request that the form cannot say.
    case notInForm(SwiftForm, String, instead: Alternative)
    /// The form needs to know of which entity.
    case needsEntity(SwiftForm)
    /// A test compares what one of the two forms of a predicate answers.
    case untestable(SwiftForm)
    /// A test has classes of their own for its objects, none of which inherits from another.
    case untestableInheritance
  }

  /// A way round.
  public enum Alternative: Hashable, Sendable {
    case form(SwiftForm)
    /// An attribute that the store keeps, for instance a derived one.
    case storedAttribute
    /// The same said otherwise in the format language.
    case format(String)
  }
}
