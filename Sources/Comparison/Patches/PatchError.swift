package import Modeling

/// What is wrong with a patch, and in which line of it.
package struct PatchError: Error {
  package enum Fact: Equatable {
    /// The first line is not that of a patch.
    case notAPatch
    /// The patch was made by a later version.
    case version(Int64)
    case syntax(JSONError)
    /// A field has not what it must have.
    case expected(String, in: String)
    case unknownKind(String, nearest: String?)
    /// The number of differences is not the one that the first line says: the end is missing.
    case count(expected: Int64, found: Int)
  }

  package var fact: Fact
  package var line: Int
  /// The file of the patch, for messages.
  package var file = ""
}
