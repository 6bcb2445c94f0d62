import Foundation
import Glibc
import Sockets
import TestSupport
import Testing

/// A socket's file is its owner's alone, and takes the place of one that no process listens on.
@Suite struct SocketFileTests {
  let folder: TemporaryFolder
  var path: String { folder.file("socket") }

  init() throws { folder = try TemporaryFolder(forSocketsOf: "file") }

  private func listening() throws -> Int32 {
    let descriptor = socket(AF_UNIX, SocketFile.kind, 0)
    try #require(SocketFile.bind(descriptor, to: path) && listen(descriptor, 1) == 0)
    return descriptor
  }

  @Test func onlyTheOwnerOpensIt() throws {
    let descriptor = try listening()
    defer { close(descriptor) }
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let client = socket(AF_UNIX, SocketFile.kind, 0)
    defer { close(client) }
    #expect(SocketFile.connect(client, to: path))
  }

  @Test func aDeadOneIsRemoved() throws {
    let descriptor = try listening()
    #expect(SocketFile.removeDead(path) == .listener)
    #expect(FileManager.default.fileExists(atPath: path))
    close(descriptor)
    #expect(SocketFile.removeDead(path) == .none)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func anotherFileStays() throws {
    try "text".write(toFile: path, atomically: true, encoding: .utf8)
    #expect(SocketFile.removeDead(path) == .file)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "text")
  }

  @Test(arguments: ["/tmp/" + String(repeating: "x", count: 103), "/tmp/a\0b"])
  func aPathThatNoSocketCanHaveIsNone(path: String) {
    let descriptor = socket(AF_UNIX, SocketFile.kind, 0)
    defer { close(descriptor) }
    #expect(!SocketFile.bind(descriptor, to: path) && errno == ENAMETOOLONG)
    #expect(!SocketFile.connect(descriptor, to: path) && errno == ENAMETOOLONG)
  }
}
