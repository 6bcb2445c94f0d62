internal import Synchronization

/// The number of objects with unsaved changes, in all contexts of the process: a handler of signals, which may look at no
/// context, reads it.
public enum UnsavedChangeCount {
  private static let count = Atomic<Int>(0)

  /// The number at this moment.
  public static var current: Int { count.load(ordering: .relaxed) }

  static func add(_ change: Int) { count.add(change, ordering: .relaxed) }
}
