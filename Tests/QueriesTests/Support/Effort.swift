import class Foundation.ProcessInfo

/// How long random tests run: PERILUNE_LONG_TESTS=1 makes them fifty times longer.
enum Effort {
  static let isLong = ProcessInfo.processInfo.environment["PERILUNE_LONG_TESTS"] != nil

  static func rounds(_ count: Int) -> Int { isLong ? count * 50 : count }
}
