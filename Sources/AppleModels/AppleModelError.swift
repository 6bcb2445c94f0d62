/// An error in a model that Apple's tools wrote: facts, which LuaBindings turns into sentences.
public struct AppleModelError: Error, Hashable, Sendable {
  /// What is wrong.
  public var fact: Fact
  /// The file; nil for the copy that a store keeps.
  public var path: String?

  /// What can be wrong.
  public enum Fact: Hashable, Sendable {
    /// No file exists at the path.
    case notFound
    /// The file is of another kind: what was expected, and what was found.
    case notAModel(expected: String, found: String)
    /// The binary form of Xcode 3, which nothing but Xcode reads.
    case binaryModelDocument
    /// There is no version of the name, but these.
    case unknownVersion(String, known: [String], nearest: String?)
    /// The copy is cut off, or grows beyond all measure.
    case damaged(String)
  }

  /// States a fact about a model.
  public init(_ fact: Fact, path: String? = nil) {
    self.fact = fact
    self.path = path
  }
}
