internal import Presentation

/// The options of every run: the limits of scripts, and the look of results and messages.
package struct RunOptions {
  /// How results are shown; one of `modes`.
  package var mode: String?
  /// One of `colors`.
  package var color: String?
  /// The time limit of scripts, in seconds.
  package var timeout: Double?
  /// The memory limit of scripts, in bytes.
  package var memoryLimit: Int?
  /// Whether scripts run without access to files, processes and the environment.
  package var isSandboxed = false
  /// Whether every error is followed by the calls that led to it.
  package var showsTraces = false
  /// Whether there is no banner and no note.
  package var isQuiet = false

  package init() {}

  /// The permitted values of `mode`.
  package static let modes = OutputMode.allCases.map(\.rawValue)
  /// The permitted values of `color`.
  package static let colors = ColorWhen.allCases.map(\.rawValue)
}
