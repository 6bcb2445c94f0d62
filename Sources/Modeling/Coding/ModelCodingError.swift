/// The reason why a text is not an encoded model.
public enum ModelCodingError: Error, Hashable, Sendable {
  case notJSON(JSONError)
  /// A later version of perilune wrote the model.
  case unknownVersion(Int64, newest: Int64)
  /// A field is missing or of the wrong kind; `path` names it: `entities[2].properties[0].type`.
  case invalidField(path: String, expected: String)
}
