internal import Glibc
internal import LuaBindings
internal import Presentation
internal import Session

extension Surroundings {
  /// Writes texts by the names of their files into a folder, made if it is not there, and returns the status.
  func write(_ files: [String: String], into folder: String) -> Int32 {
    if mkdir(folder, 0o777) != 0, errno != EEXIST {
      return fail(FileFailure(path: folder, errno: errno, verb: "made").sentence, ExitStatus.inputOutput)
    }
    for (name, text) in files.sorted(by: { $0.key < $1.key }) {
      do {
        try AtomicFile.write(folder + "/" + name) { sink in sink.write(text.hasSuffix("\n") ? text : text + "\n") }
      } catch {
        let sentence = (error as? FileFailure)?.sentence ?? "'\(folder)/\(name)' cannot be written: \(error)"
        return fail(sentence, ExitStatus.inputOutput)
      }
    }
    return ExitStatus.done
  }
}
