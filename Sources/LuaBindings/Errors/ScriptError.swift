/// A script's mistake in using a function, a table or a value, as facts.
struct ScriptError: Error, Sendable {
  enum Fact: Sendable {
    /// An argument, field or value of the wrong type.
    case expected(String, found: String)
    /// More arguments than the function takes, with the line that help shows of it.
    case surplus(limit: Int, found: Int, String)
    /// A field that a table of options does not have.
    case unknownOption(String, nearest: String?)
    /// A member that a value does not have.
    case unknownMember(String, of: String, nearest: String?)
    /// A member that can be read but not set.
    case notSettable(String, of: String)
    case missing(String)
    /// A name that cannot be given to a method, because the engine has it.
    case builtIn(String)
    /// There is no store that the globals stand for.
    case noStore
    /// Something that was closed is used.
    case closed(String)
    /// Arguments for Swift source, which has names in their place.
    case swiftTakesNoArguments
    /// A table that is nested too deeply to be a value, or contains itself.
    case nestedTooDeeply
    case other(String)
  }

  /// What was called or set, as the message begins: `Quake:where`.
  var place: String
  var fact: Fact

  init(_ place: String, _ fact: Fact) {
    self.place = place
    self.fact = fact
  }
}
