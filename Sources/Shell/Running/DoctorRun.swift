internal import LuaBindings
internal import Modeling
internal import Presentation
internal import Session

/// `perilune doctor`: examines a store, without opening it as one.
package struct DoctorRun: ProgramRun {
  package var options: RunOptions
  private let path: String

  package init(_ path: String, _ options: RunOptions) { (self.path, self.options) = (path, options) }

  package func run(in surroundings: Surroundings) -> Int32 {
    let isJSON = [OutputMode.json, .ndjson].map(\.rawValue).contains(options.mode ?? "")
    return surroundings.examine(path, isJSON: isJSON, seconds: options.timeout)
  }
}
