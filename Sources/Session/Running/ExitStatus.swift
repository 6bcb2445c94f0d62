internal import Presentation

/// The statuses that a run ends with; most are those of sysexits.h.
package enum ExitStatus {
  package static let done: Int32 = 0
  /// A script or a predicate failed.
  package static let failed: Int32 = 1
  package static let usage: Int32 = 64
  package static let noStore: Int32 = 66
  /// The file is no store, or does not match the model.
  package static let unavailable: Int32 = 69
  package static let inputOutput: Int32 = 74
  package static let timeLimit: Int32 = 124
  package static let interrupted: Int32 = 130
  package static let brokenPipe: Int32 = 141
}

extension OutputFailure {
  /// The status that a run ends with when its results cannot be written.
  package var exitStatus: Int32 { self == .brokenPipe ? ExitStatus.brokenPipe : ExitStatus.inputOutput }
}
