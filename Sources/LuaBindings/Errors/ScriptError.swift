/// A script's error in using a function, a table or a value.
struct ScriptError: Error, Sendable {
  enum Fact: Sendable {
    /// An argument, field or value of the wrong type.
    case expected(String, found: String)
    /// More arguments than the function takes, with its help line.
    case surplus(limit: Int, found: Int, String)
    /// A field that a table of options does not have.
    case unknownOption(String, among: [String])
    /// A member that a value does not have.
    case unknownMember(String, of: String, nearest: String?)
    /// A member that a value does not have, and a function of this call that takes such values.
    case memberIsFunction(String, of: String, call: String)
    /// A property that the objects of an entity have, and not the entity.
    case memberOfObjects(String, of: String)
    /// A member that can be read but not set.
    case notSettable(String, of: String)
    case missing(String)
    /// A name that a method of a script cannot have, because it is built in.
    case builtIn(String)
    /// No store is open behind the globals.
    case noStore
    /// The use of a closed value.
    case closed(String)
    /// Arguments for Swift source, which uses names instead.
    case swiftTakesNoArguments
    /// A table that is nested too deeply to be a value, or contains itself.
    case nestedTooDeeply
    case other(String)
  }

  /// The called function or the set property, with which the message begins: `Quake:where`.
  var place: String
  var fact: Fact

  init(_ place: String, _ fact: Fact) {
    self.place = place
    self.fact = fact
  }
}
