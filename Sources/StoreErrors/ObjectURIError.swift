public import Modeling

/// The reason why a URL identifies no object of a store.
public enum ObjectURIError: Error, Hashable, Sendable {
  /// The store is not a Core Data store.
  case notCoreData
  /// The URL is not `x-coredata://<store's UUID>/<entity>/p<key>`.
  case malformed
  /// The URL belongs to a store with another UUID.
  case ofOtherStore(String, own: String)
  case unknownEntity(String, nearest: String?)
  /// The URL is that of an unsaved object, which exists only within its program.
  case neverSaved
}

extension ObjectID {
  /// How Core Data's URLs of objects begin.
  public static let uriScheme = "x-coredata://"
}
