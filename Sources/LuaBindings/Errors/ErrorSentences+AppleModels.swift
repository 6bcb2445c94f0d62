internal import AppleModels
internal import Modeling

extension AppleModelError {
  /// The error in a sentence.
  var sentence: String {
    let name = path ?? "the model"
    switch fact {
    case .notFound: return "there is no file or folder \(name.withoutPassword)"
    case .notAModel(let expected, let found): return "\(name) is not a model: expected \(expected), found \(found)"
    case .binaryModelDocument:
      return
        "\(name) is of the binary form that Xcode wrote before 2012, which only Xcode reads; save it anew there, or"
        + " give the compiled .mom"
    case .unknownVersion(let version, let known, let nearest):
      let hint = nearest.map { "; did you mean '\($0)'?" } ?? ""
      return "\(name) has no version '\(version)', only \(known.joined(separator: ", "))\(hint)"
    case .damaged(let reason): return "\(name) is damaged: \(reason)"
    }
  }

  /// The exit status: 66 if the file does not exist, otherwise 69.
  var exitStatus: Int32 { fact == .notFound ? 66 : 69 }
}
