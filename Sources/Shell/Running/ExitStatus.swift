internal import Presentation

/// The statuses that a run ends with; most are those of sysexits.h.
enum ExitStatus {
  static let done: Int32 = 0
  /// A script or a predicate failed.
  static let failed: Int32 = 1
  static let usage: Int32 = 64
  static let noStore: Int32 = 66
  /// The file is no store, or does not match the model.
  static let unavailable: Int32 = 69
  static let inputOutput: Int32 = 74
  static let timeLimit: Int32 = 124
  static let interrupted: Int32 = 130
  static let brokenPipe: Int32 = 141
}

extension OutputFailure {
  /// The status that a run ends with when its results cannot be written.
  var exitStatus: Int32 { self == .brokenPipe ? ExitStatus.brokenPipe : ExitStatus.inputOutput }
}
