/// Why a text is no encoded model, as facts; the shell turns them into sentences.
public enum ModelCodingError: Error, Hashable, Sendable {
  case notJSON(JSONError)
  /// The model was written by a later perilune.
  case unknownVersion(Int64, newest: Int64)
  /// A field is not there or not of the kind it should be; `path` names it: `entities[2].properties[0].type`.
  case invalidField(path: String, expected: String)
}
