internal import Glibc
internal import LuaBindings
internal import LuaRuntime
internal import Modeling
internal import Presentation
internal import Storage

/// A run of specs: each test in a Lua of its own, on a store in memory of its own.
///
/// A file is run once to learn which tests it has, and once more for each of them: nothing that a test leaves, in the store or in
/// globals, reaches the next one.
final class SpecRun {
  private let launch: Launch
  private let surroundings: Surroundings
  private var results: [SpecResult] = []
  private var isInterrupted = false

  init(_ launch: Launch, _ surroundings: Surroundings) {
    self.launch = launch
    self.surroundings = surroundings
  }

  /// Runs all specs, tells what came of them, and returns the status: 1 if any fails.
  func run() -> Int32 {
    let files: [String]
    do { files = try launch.testedPaths.flatMap { try Self.specs(in: $0) } } catch {
      return surroundings.fail((error as? FileFailure)?.sentence ?? "\(error)", ExitStatus.inputOutput)
    }
    let start = monotonicSeconds()
    for file in files where !isInterrupted {
      do { try run(file) } catch { return surroundings.fail("\(error)", ExitStatus.failed) }
    }
    if isInterrupted { return ExitStatus.interrupted }
    if results.isEmpty {
      let filter = launch.testFilter.map { " with \"\($0)\" in its name" } ?? ""
      let places = launch.testedPaths.joined(separator: ", ")
      return surroundings.fail("there is no test\(filter) in \(places)", ExitStatus.usage)
    }
    let failed = results.count { $0.failure != nil }
    if launch.writesTAP {
      surroundings.output.write("1..\(results.count)\n")
    } else {
      let duration = Quantity.duration(monotonicSeconds() - start)
      surroundings.show(
        "\(Quantity.grouped(results.count - failed)) passed, \(Quantity.grouped(failed)) failed, in \(duration)\n")
    }
    if let path = launch.junitPath {
      do { try AtomicFile.write(path) { $0.write(results.junit) } } catch {
        return surroundings.fail((error as? FileFailure)?.sentence ?? "\(error)", ExitStatus.inputOutput)
      }
    }
    return failed == 0 ? ExitStatus.done : ExitStatus.failed
  }

  /// The specs of a name: a file, or the specs of a folder and its subfolders, by name.
  private static func specs(in path: String) throws -> [String] {
    var status = stat()
    guard stat(path, &status) == 0 else { throw FileFailure(path: path, errno: errno) }
    guard status.st_mode & S_IFMT == S_IFDIR else { return [path] }
    guard let folder = opendir(path) else { throw FileFailure(path: path, errno: errno) }
    defer { closedir(folder) }
    var found: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard !name.hasPrefix(".") else { continue }
      let whole = path.hasSuffix("/") ? path + name : path + "/" + name
      var status = stat()
      // A link to a folder could lead round in a circle.
      guard lstat(whole, &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR {
        found += try specs(in: whole)
      } else if name.hasSuffix("_spec.lua") {
        found.append(whole)
      }
    }
    return found.sorted()
  }

  private func run(_ file: String) throws {
    let first = try Spec(file, launch, surroundings)
    defer { first.close() }
    if let failure = first.attempt({ try first.read() }) {
      isInterrupted = first.isInterrupted
      if isInterrupted { return tellInterruption(of: "reading \(file)", failure) }
      tell(SpecResult(file, "(reading the file)", seconds: 0, failure: failure))
      return
    }
    for number in 0..<first.testCount where !isInterrupted {
      let name = first.name(number)
      if let filter = launch.testFilter, !name.contains(filter) { continue }
      let spec = try Spec(file, launch, surroundings)
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
    if launch.writesTAP { surroundings.show((isFirst ? "TAP version 13\n" : "") + "Bail out! " + text) }
    if !launch.writesTAP { surroundings.show(text) }
  }

  private func tell(_ result: SpecResult) {
    results.append(result)
    if launch.writesTAP {
      surroundings.show((results.count == 1 ? "TAP version 13\n" : "") + result.tap(number: results.count))
      return
    }
    guard let failure = result.failure else { return }
    surroundings.show("\(failure.place): failed: \(result.name): \(failure.message)\n")
  }
}
