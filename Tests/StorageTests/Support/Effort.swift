import class Foundation.ProcessInfo

/// How long generated tests run: PERILUNE_LONG_TESTS=1 lets them run for minutes.
enum Effort {
  static let isLong = ProcessInfo.processInfo.environment["PERILUNE_LONG_TESTS"] != nil
}
