internal import Glibc

/// Values of scopes that run on several threads: each thread has those of its own innermost scope.
final class ThreadValues {
  private final class Box {
    var values: EnvironmentValues
    init(_ values: EnvironmentValues) { self.values = values }
  }

  private let key: pthread_key_t

  init() {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    self.key = key
  }

  deinit { pthread_key_delete(key) }

  /// The values of the running thread's scope; nil outside of all scopes.
  var current: EnvironmentValues? { box?.values }

  /// Changes the values of the running thread's scope; returns false outside of all scopes.
  func change(_ change: (inout EnvironmentValues) -> Void) -> Bool {
    guard let box else { return false }
    change(&box.values)
    return true
  }

  /// Runs `body` with values on this thread.
  func with<Result>(_ values: EnvironmentValues, _ body: () throws -> Result) rethrows -> Result {
    let outer = pthread_getspecific(key)
    let box = Box(values)
    pthread_setspecific(key, Unmanaged.passUnretained(box).toOpaque())
    defer { pthread_setspecific(key, outer) }
    return try withExtendedLifetime(box, body)
  }

  private var box: Box? {
    pthread_getspecific(key).map { Unmanaged<Box>.fromOpaque($0).takeUnretainedValue() }
  }
}
