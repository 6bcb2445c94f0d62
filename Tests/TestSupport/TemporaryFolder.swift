public import Foundation

/// A folder that is removed with the test that uses it.
public final class TemporaryFolder: Sendable {
  /// The folder.
  public let url: URL
  private let isKept: Bool

  /// A new folder; or the one at `kept`, which stays for the next run.
  public init(keptAt kept: URL? = nil) throws {
    url = kept ?? Self.ofThisRun.appending(path: UUID().uuidString)
    isKept = kept != nil
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  /// A new folder in /tmp for sockets, whose paths have 107 bytes at most.
  public init(forSocketsOf name: String) throws {
    var template = Array("/tmp/perilune-\(name)-XXXXXX".utf8CString)
    let path = template.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
    }
    guard let path else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: "/tmp"]) }
    (url, isKept) = (URL(filePath: path), false)
  }

  deinit {
    guard !isKept else { return }
    try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: url.path)
    Self.remove(url)
  }

  /// The path of the folder.
  public var path: String { url.path }

  /// Returns the path of a file in the folder.
  public func file(_ name: String) -> String { url.path + "/" + name }

  /// The folder of all tests of this process. It is removed when the process ends, with what tests that failed left behind.
  public static let ofThisRun: URL = {
    let url = FileManager.default.temporaryDirectory.appending(path: "perilune-tests-\(UUID().uuidString)")
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    } catch { fatalError("\(url.path): \(error)") }
    atexit { TemporaryFolder.remove(TemporaryFolder.ofThisRun) }
    return url
  }()

  /// The environment for programs that leave files behind themselves, as Swift's compiler does (`TemporaryDirectory.*`).
  public static var environment: [String: String] {
    ProcessInfo.processInfo.environment.merging(["TMPDIR": ofThisRun.path]) { $1 }
  }

  /// Removes a folder with everything in it. FileManager gives up at paths that are very long, and at names that are not
  /// UTF-8; some tests make such on purpose.
  private static func remove(_ url: URL) {
    if (try? FileManager.default.removeItem(at: url)) != nil { return }
    let remover = Process()
    remover.executableURL = URL(fileURLWithPath: "/bin/rm")
    remover.arguments = ["-rf", "--", url.path]
    guard (try? remover.run()) != nil else { return }
    remover.waitUntilExit()
  }
}
