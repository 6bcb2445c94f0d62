internal import LuaBindings
internal import LuaRuntime
internal import Modeling
internal import Presentation
internal import Session

/// Runs the tests of specs one after the other, and reports their results.
final class SpecRunner {
  private let settings: SpecRun
  private let surroundings: Surroundings
  private var results: [SpecResult] = []
  private var isInterrupted = false

  init(_ settings: SpecRun, _ surroundings: Surroundings) {
    self.settings = settings
    self.surroundings = surroundings
  }

  /// Runs all specs, reports their results, and returns the status: 1 if any fails.
  func run() -> Int32 {
    let files: [String]
    do { files = try settings.files() } catch {
      return surroundings.fail((error as? FileFailure)?.sentence ?? "\(error)", ExitStatus.inputOutput)
    }
    let start = monotonicSeconds()
    for file in files where !isInterrupted {
      do { try run(file) } catch { return surroundings.fail("\(error)", ExitStatus.failed) }
    }
    if isInterrupted { return ExitStatus.interrupted }
    if results.isEmpty {
      let filter = settings.filter.map { " with \"\($0)\" in its name" } ?? ""
      let places = settings.paths.joined(separator: ", ")
      return surroundings.fail("there is no test\(filter) in \(places)", ExitStatus.usage)
    }
    let failed = results.count { $0.failure != nil }
    if settings.writesTAP {
      surroundings.output.write("1..\(results.count)\n")
    } else {
      let duration = Quantity.duration(monotonicSeconds() - start)
      surroundings.show(
        "\(Quantity.grouped(results.count - failed)) passed, \(Quantity.grouped(failed)) failed, in \(duration)\n")
    }
    if let path = settings.junitPath {
      do { try AtomicFile.write(path) { $0.write(results.junit) } } catch {
        return surroundings.fail((error as? FileFailure)?.sentence ?? "\(error)", ExitStatus.inputOutput)
      }
    }
    return failed == 0 ? ExitStatus.done : ExitStatus.failed
  }

  private func run(_ file: String) throws {
    let first = try Spec(file, settings, surroundings)
    defer { first.close() }
    if let failure = first.attempt({ try first.read() }) {
      isInterrupted = first.isInterrupted
      if isInterrupted { return tellInterruption(of: "reading \(file)", failure) }
      tell(SpecResult(file, "(reading the file)", seconds: 0, failure: failure))
      return
    }
    for number in 0..<first.testCount where !isInterrupted {
      let name = first.name(number)
      if let filter = settings.filter, !name.contains(filter) { continue }
      let spec = try Spec(file, settings, surroundings)
      defer { spec.close() }
      let start = monotonicSeconds()
      let failure = spec.attempt {
        try spec.read()
        try spec.run(number)
      }
      isInterrupted = spec.isInterrupted
      if isInterrupted, let failure { return tellInterruption(of: "the test '\(name)'", failure) }
      tell(SpecResult(file, name, seconds: monotonicSeconds() - start, failure: failure))
    }
  }

  /// Says what Ctrl-C stopped; the tests behind it have not run.
  private func tellInterruption(of part: String, _ failure: SpecResult.Failure) {
    let failed = results.count { $0.failure != nil }
    let text =
      "\(failure.place): interrupted: \(part); before it \(Quantity.grouped(results.count - failed)) passed, \(Quantity.grouped(failed)) failed\n"
    let isFirst = results.isEmpty
    if settings.writesTAP { surroundings.show((isFirst ? "TAP version 13\n" : "") + "Bail out! " + text) }
    if !settings.writesTAP { surroundings.show(text) }
  }

  private func tell(_ result: SpecResult) {
    results.append(result)
    if settings.writesTAP {
      surroundings.show((results.count == 1 ? "TAP version 13\n" : "") + result.tap(number: results.count))
      return
    }
    guard let failure = result.failure else { return }
    surroundings.show("\(failure.place): failed: \(result.name): \(failure.message)\n")
  }
}
