internal import LuaBindings
internal import Modeling
internal import Presentation
internal import Session

extension Surroundings {
  /// Examines the store at `path`, for `seconds` at most, shows what was found, and returns the status.
  func examine(_ path: String, isJSON: Bool, seconds: Double? = nil) -> Int32 {
    let end = seconds.map { monotonicSeconds() + $0 }
    let isOver = { end.map { monotonicSeconds() >= $0 } ?? false }
    let diagnosis = Engine.examine(path, isInterrupted: isOver)
    let report = DoctorReport(diagnosis)
    report.write(to: output, layout, isJSON: isJSON)
    guard isOver(), diagnosis.unread.contains(where: { $0.error.fact == .interrupted }) else {
      return report.exitStatus
    }
    return fail("the time limit was reached", ExitStatus.timeLimit)
  }
}
