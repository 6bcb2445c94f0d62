/// Whether reads of values and of objects' properties are tracked, for effects and bindings.
final class ReadTracking {
  /// A pointer, because every read of a property tests it.
  let flag: UnsafeMutablePointer<Bool>

  init() {
    flag = .allocate(capacity: 1)
    flag.initialize(to: false)
  }

  deinit { flag.deallocate() }

  /// Runs `body` with tracked reads, including those of objects' properties.
  func during<Result>(_ body: () throws -> Result) rethrows -> Result {
    let wasTracking = flag.pointee
    flag.pointee = true
    defer { flag.pointee = wasTracking }
    return try body()
  }
}
