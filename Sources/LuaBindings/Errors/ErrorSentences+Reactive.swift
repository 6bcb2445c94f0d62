internal import Reactive

extension ErrorReport {
  /// The warning that a name of a namespace has two sources.
  static func sentence(twoSourcesOf name: String, inNamespace id: Int, _ first: String, _ second: String) -> String {
    "namespace \(id): '\(name)' has two sources, \(first) and \(second); the first one is used"
  }
}

extension PreferenceProblem {
  var sentence: String {
    switch self {
    case .damaged(let path, let target): "'\(path)' is damaged; it was moved to '\(target)', and a new one is used"
    case .unreadable(let path, let reason): "'\(path)' cannot be read (\(reason)); the defaults are used"
    case .unwritable(let path, let reason): "'\(path)' cannot be written (\(reason)); values are not saved"
    case .otherType(let name, let expected, let found):
      "'\(name)' was kept as a \(Self.scriptName(ofType: found)), not as a \(Self.scriptName(ofType: expected)); "
        + "the default counts"
    }
  }
}
