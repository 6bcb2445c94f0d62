internal import Foundation

/// Values that running code shares, with overrides for scopes.
///
///     environment.theme                                    // "light", the default
///     environment.with(\.theme, "dark") {
///       environment.theme                                  // "dark"
///     }
///
/// A scope ends when its function returns or throws. To run code later in the same scope, pass it the scope's `values`.
/// An environment belongs to one thread, but for `ofProgram`, in which each thread has scopes of its own.
@dynamicMemberLookup
public final class Environment {
  /// The environment of all threads. Outside of all scopes its values are the same on each of them, because a task may
  /// continue on another thread.
  nonisolated(unsafe) public static let ofProgram = Environment(ThreadValues())

  private let lock = NSLock()
  private var base = EnvironmentValues()
  /// The scopes of the threads; nil for an environment of one thread.
  private let threads: ThreadValues?

  /// Creates an environment with the defaults.
  public convenience init() { self.init(nil) }

  private init(_ threads: ThreadValues?) { self.threads = threads }

  /// All values of the scope.
  public var values: EnvironmentValues { threads?.current ?? lock.withLock { base } }

  /// The value under a key.
  public subscript<Value>(dynamicMember keyPath: KeyPath<EnvironmentValues, Value>) -> Value {
    values[keyPath: keyPath]
  }

  /// Runs `body` with another value under one key.
  public func with<Value, Result>(
    _ keyPath: WritableKeyPath<EnvironmentValues, Value>, _ value: Value, _ body: () throws -> Result
  ) rethrows -> Result {
    var scope = values
    scope[keyPath: keyPath] = value
    return try with(scope, body)
  }

  /// Runs `body` with the values of another scope.
  public func with<Result>(_ scope: EnvironmentValues, _ body: () throws -> Result) rethrows -> Result {
    if let threads { return try threads.with(scope, body) }
    let outer = base
    base = scope
    defer { base = outer }
    return try body()
  }

  /// Changes a value of the current scope, until the scope ends.
  public func set<Value>(_ keyPath: WritableKeyPath<EnvironmentValues, Value>, _ value: Value) {
    if threads?.change({ $0[keyPath: keyPath] = value }) == true { return }
    lock.withLock { base[keyPath: keyPath] = value }
  }
}
