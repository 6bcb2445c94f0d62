/// A version of a model in a folder of versions.
public struct AppleModelVersion: Hashable, Sendable {
  /// The name, which is that of its file without the end: `Shop 2`.
  public var name: String
  /// Whether it is the one that new stores are made with.
  public var isCurrent: Bool
  /// The path of its file or folder.
  public var path: String
}
