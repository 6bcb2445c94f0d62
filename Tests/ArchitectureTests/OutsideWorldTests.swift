import Foundation
import Testing

/// A seed replays a run only if everything that comes from outside comes through `OutsideWorld`.
@Suite struct OutsideWorldTests {
  /// What reads a clock, sleeps, draws random numbers, or lists processes.
  private static let forbidden = [
    "clock_gettime", " Date()", "(Date()", "Date.now", "ContinuousClock", "SuspendingClock", "systemUptime",
    "gettimeofday", "time(nil)", ".random(in:", ".shuffled()", ".randomElement()", "UUID()", "usleep(", " sleep(",
    "nanosleep", "getrandom", "arc4random", #"atPath: "/proc")"#,
  ]

  /// Files that may: the seam itself; and where what is read decides nothing that a run shows.
  private static let allowed: Set<String> = [
    "OutsideWorld.swift",
    // The name of an unfinished file, and the wait for another process's lock.
    "PreferenceDisk.swift",
    // The processor's time for the keys of one completion.
    "ValueCompleter.swift",
    // The wait until a server has noticed a cancellation.
    "Cancellation.swift",
    // Swift that is printed for the user.
    "SwiftDataModelPrinter+Properties.swift", "MacroPrinter+Values.swift", "SourceConstants+Initializers.swift",
    "SwiftDataModelReader+Types.swift", "HelpExamples.swift", "TypeWord.swift", "AnnotatedSignature.swift",
  ]

  @Test func clocksAndRandomNumbersComeFromOneSeam() throws {
    for (name, text) in try SourceFile.texts() where name.hasSuffix(".swift") && !Self.allowed.contains(name) {
      // Most files have none of them anywhere.
      guard Self.isForbidden(text) else { continue }
      for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        let code = String(line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line)
        #expect(!Self.isForbidden(code), "\(name):\(number + 1): ask OutsideWorld: \(line)")
      }
    }
  }

  @Test(arguments: [
    "let now = Date()", "  usleep(20)", "let id = UUID()", "UInt32.random(in: 0...9)", "ContinuousClock.now",
    #"try files.contentsOfDirectory(atPath: "/proc")"#,
  ])
  func theRuleFinds(_ line: String) { #expect(Self.isForbidden(line)) }

  private static func isForbidden(_ code: String) -> Bool {
    forbidden.contains { code.range(of: $0, options: .literal) != nil }
  }
}
