internal import Reactive

/// A class whose `@Published` properties are observed, in the terms of Combine, which Linux does not have.
///
///     final class Library: ObservableObject {
///       @Published var title = "Quakes"
///     }
///     container.effect { print(library.title) }            // runs again when it changes
///
/// New classes better use Swift's `@Observable`, which effects follow, too.
public protocol ObservableObject: AnyObject {
  /// Announces that the object is about to change: each `@Published` property does, and `objectWillChange.send()`.
  var objectWillChange: ObservableObjectPublisher { get }
}

extension ObservableObject {
  /// The object's announcements; always the same publisher.
  public var objectWillChange: ObservableObjectPublisher {
    publishers.value(of: self) { ObservableObjectPublisher() }
  }
}

/// The publishers of objects that do not declare their own.
private let publishers = WeakTable<AnyObject, ObservableObjectPublisher>()

/// The announcements of an object's changes, as a sequence.
public final class ObservableObjectPublisher: AsyncSequence {
  /// Nothing but the fact of a change.
  public typealias Element = Void

  private let source = ObservationSource()
  private let listeners = Announcements()

  /// Creates a publisher.
  public init() {}

  /// Announces a change: effects that use the object through a property wrapper run again.
  public func send() {
    listeners.send()
    source.didChange()
  }

  /// Records a use of the whole object.
  func access() { source.access() }

  /// An iterator over the announcements from now on, without end.
  public func makeAsyncIterator() -> AsyncStream<Void>.Iterator { listeners.stream().makeAsyncIterator() }
}
